import { inFile, type Mutant } from './mutant.ts';

const notices = 'server/rates/costs.test.ts';
const tariffs = inFile('server/rates/tariffs.rules.ts', notices);
const timeline = inFile('server/rates/tariffs.rules.ts', notices);
const costs = inFile('server/rates/costs.rules.ts', notices);
const money = inFile('server/base/money.ts', notices);
const minorUnits = inFile('shared/primitives.ts', notices);
const bills = inFile('server/base/money.ts', 'server/rates/bills.test.ts');
const statement = inFile('server/rates/cost-statement.rules.ts', 'server/rates/cost-statement.test.ts');
const charges = inFile('server/rates/costs.rules.ts', 'server/rates/cost-statement.test.ts');
const overlaps = inFile('server/rates/tariffs.rules.ts', 'server/rates/tariffs.test.ts');
const rules = inFile('server/rates/tariffs.rules.ts', 'server/rates/tariffs.test.ts');

/** energy-and-cost 7 and decisions 6. */
export const costMutants: readonly Mutant[] = [
  tariffs(
    'tariff-inactive-holds',
    'decisions, 6 only active tariffs',
    'if (tariff.isActive && covers &&',
    'if (covers &&',
  ),
  tariffs(
    'tariff-first-of-several',
    'decisions, 6 the latest effectiveFrom holds',
    'tariff.effectiveFrom > found.effectiveFrom',
    'tariff.effectiveFrom < found.effectiveFrom',
  ),
  tariffs(
    'tariff-end-inclusive',
    'decisions, 6 effectiveTo is exclusive',
    'date < tariff.effectiveTo',
    'date <= tariff.effectiveTo',
  ),
  tariffs(
    'tariff-start-exclusive',
    'decisions, 6 effectiveFrom',
    'tariff.effectiveFrom <= date',
    'tariff.effectiveFrom < date',
  ),
  inFile('server/base/instants.ts', notices)(
    'weekday-shifted',
    'decisions, 6 Monday is 1',
    '(dayNumber + 3) % 7',
    '(dayNumber + 4) % 7',
  ),
  tariffs(
    'weekday-of-every-day',
    'energy-and-cost, 7 weekdays of a period',
    '(daysOfWeek & (1 << weekday)) !== 0',
    'daysOfWeek !== 0 && weekday >= 0',
  ),
  tariffs(
    'period-past-midnight-by-its-second-day',
    'energy-and-cost, 7 a period past midnight belongs to the day it starts on',
    'isOn(period, before) && minute < end',
    'isOn(period, weekday) && minute < end',
  ),
  tariffs(
    'period-past-midnight-of-sunday',
    'energy-and-cost, 7 a period past midnight belongs to the day it starts on',
    'const before = (weekday + 6) % 7;',
    'const before = Math.max(0, weekday - 1);',
  ),
  tariffs(
    'period-past-midnight-ends-at-midnight',
    'energy-and-cost, 7 a period past midnight',
    'if (start > end && isOn(period, before) && minute < end) return period;',
    'void before;',
  ),
  tariffs(
    'period-end-inclusive',
    'decisions, 1 half-open',
    'minute >= start && minute < end',
    'minute >= start && minute <= end',
  ),

  timeline(
    'cost-in-utc',
    'energy-and-cost, 7 local times of the municipality',
    'const midnight = dayNumber * dayMicros - offsetMicros;',
    'const midnight = dayNumber * dayMicros;',
  ),
  timeline(
    'fixed-charge-by-whole-days',
    'energy-and-cost, 7 the share of a day in part',
    'share: (toMicros - fromMicros) / (end - micros)',
    'share: 1',
  ),
  timeline(
    'fixed-charge-by-24-hours',
    'energy-and-cost, 7 share of the real length of 23, 24 or 25 h',
    'share: (toMicros - fromMicros) / (end - micros)',
    'share: (toMicros - fromMicros) / dayMicros',
  ),
  timeline(
    'fixed-charge-by-30-days',
    'energy-and-cost, 7 days of that month',
    'length: Temporal.PlainDate.from(date).daysInMonth',
    'length: 30',
  ),

  inFile('server/base/instants.ts', notices)(
    'clock-changes-ignored',
    'energy-and-cost, 7 DST rules of the municipality',
    'const end = Math.min(toMicros, next === null ? Infinity : next.epochMilliseconds * 1000);',
    'const end = toMicros;',
  ),
  costs(
    'cut-slots-count-whole',
    'energy-and-cost, 7 a slot is split pro rata',
    'return (Math.min(start + slotMicros, toMicros) - Math.max(start, fromMicros)) / length;',
    'return slotMicros / length;',
  ),
  costs(
    'priced-by-whole-slots',
    'energy-and-cost, 7 a period edge splits a slot pro rata',
    '(slots[name][slot] ?? 0) * share',
    '(slots[name][slot] ?? 0) * Math.round(share)',
  ),
  costs('unpriced-is-free', 'energy-and-cost, 7 no tariff is unpriced', 'priced.unpricedKwh += importedKwh;', ''),
  costs(
    'rate-is-always-the-default',
    'energy-and-cost, 7 rate of the period',
    'period?.ratePerKwh ?? tariff.defaultRatePerKwh',
    'tariff.defaultRatePerKwh',
  ),
  costs(
    'vat-without-fixed-charge',
    'energy-and-cost, 7 VAT of both',
    'const vat = energyCost.plus(fixedCharge).times(tariff.vatPercent)',
    'const vat = energyCost.times(tariff.vatPercent)',
  ),
  costs(
    'vat-not-in-total',
    'energy-and-cost, 7 total',
    'const total = energyCost.plus(fixedCharge).plus(vat)',
    'const total = energyCost.plus(fixedCharge)',
  ),
  costs(
    'export-costs',
    'energy-and-cost, 7 export is a negative line',
    'priceEnergy(kwh, ratePerKwh).neg()',
    'priceEnergy(kwh, ratePerKwh)',
  ),
  costs(
    'currencies-added',
    'energy-and-cost, 7 never add two currencies',
    'Map.groupBy(costs, (cost) => cost.currency)',
    'Map.groupBy(costs, (cost) => costs[0]?.currency ?? cost.currency)',
  ),
  charges(
    'fixed-charge-of-inactive-sites',
    'energy-and-cost, 7 at least one chosen active device',
    'chosen.some((device) => device.isActive)',
    'chosen.length > 0',
  ),
  costs('fixed-charge-not-by-month-length', 'energy-and-cost, 7 fixed charge', '.div(length))', '.div(31))'),

  bills(
    'kwh-priced-as-floats',
    'energy-and-cost, 7 kWh are rounded to 1e-9 before they are priced',
    'roundMoney(money(kwh.toPrecision(energyDigits)), energyDecimals).times',
    'money(kwh).times',
  ),
  bills(
    'kwh-priced-to-a-thousandth',
    'energy-and-cost, 7 kWh are rounded to 1e-9 before they are priced',
    'energyDecimals = 9',
    'energyDecimals = 3',
  ),
  inFile('server/rates/costs.rules.ts', 'server/rates/bills.test.ts')(
    'export-priced-as-floats',
    'energy-and-cost, 7 the same holds for export lines',
    'priceEnergy(kwh, ratePerKwh).neg()',
    'money(kwh).times(ratePerKwh).neg()',
  ),
  inFile('server/energy/measure-energy.rules.ts', 'server/rates/bills.test.ts')(
    'increase-in-floats',
    'energy-and-cost, 7 readings are whole mWh',
    'return isExact ? whole / milliOfKilo.perUnit : later - earlier;',
    'return later - earlier;',
  ),
  money(
    'money-cut-off',
    'energy-and-cost, 7 half away from zero',
    'amount.round(digits, Big.roundHalfUp)',
    'amount.round(digits, Big.roundDown)',
  ),
  money(
    'money-rounds-half-down',
    'energy-and-cost, 7 half away from zero',
    'amount.round(digits, Big.roundHalfUp)',
    'amount.round(digits, Big.roundHalfEven)',
  ),
  minorUnits(
    'money-of-yen',
    'energy-and-cost, 7 the minor unit of the currency',
    'if (withoutMinorUnit.includes(currency)) return 0;',
    '',
  ),
  minorUnits(
    'money-of-dinars',
    'energy-and-cost, 7 the minor unit of the currency',
    'withThousandths.includes(currency) ? 3 : 2',
    '2',
  ),
  money(
    'last-cent-to-the-smallest',
    'energy-and-cost, 7 the last cent goes to the largest line',
    'sizeOf(b).cmp(sizeOf(a))',
    'sizeOf(a).cmp(sizeOf(b))',
  ),
  money(
    'lines-do-not-add-up',
    'energy-and-cost, 7 the lines add up to the total',
    'if (left.eq(zero) || parts.length === 0) return rounded;',
    'if (left) return rounded;',
  ),
  statement(
    'devices-do-not-add-up',
    'energy-and-cost, 7 rounded amounts add up',
    'const cost = rounded.get(device) ?? roundMoney(device.cost, digits);',
    'const cost = roundMoney(device.cost, digits);',
  ),
  statement(
    'lines-merged-by-name',
    'energy-and-cost, 8 a line has one rate',
    'JSON.stringify([isExport, name, ratePerKwh.toFixed()])',
    'JSON.stringify([isExport, name])',
  ),

  overlaps(
    'overlap-past-midnight',
    'decisions, 6 overlapping periods',
    '(period.endMinute - period.startMinute + 1440) % 1440 || 1440',
    'Math.max(0, period.endMinute - period.startMinute)',
  ),
  overlaps(
    'overlap-of-any-days',
    'decisions, 6 periods overlap on some day',
    'if (!isOn(period, weekday)) continue;',
    '',
  ),
  overlaps(
    'overlap-accepted',
    'decisions, 6 overlapping periods',
    'if (owner !== undefined && owner !== period) {',
    'if (owner === null) {',
  ),
  rules(
    'period-of-no-length',
    'decisions, 6 equal times are refused',
    'if (startMinute === endMinute) {',
    'if (startMinute === -endMinute - 1) {',
  ),
  rules(
    'tariff-ends-as-it-begins',
    'decisions, 6 effectiveTo after effectiveFrom',
    'effectiveTo <= effectiveFrom',
    'effectiveTo < effectiveFrom',
  ),
  rules('overlap-names-one', 'decisions, 6 a message that names both', 'second: second.name', 'second: first.name'),
];
