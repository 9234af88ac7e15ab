import { inFile, type Mutant } from './mutant.ts';

/** Half cents, clock changes, ranges that cut slots. */
export const moneyMutants: readonly Mutant[] = [
  inFile('server/base/money.ts', 'server/rates/bills.test.ts')(
    'kwh-not-rounded',
    'energy-and-cost, 7',
    'roundMoney(money(kwh.toPrecision(energyDigits)), energyDecimals).times(ratePerKwh)',
    'money(kwh).times(ratePerKwh)',
  ),
  inFile('server/base/money.ts', 'server/rates/bills.test.ts')(
    'kwh-rounded-to-5',
    'energy-and-cost, 7',
    'const energyDecimals = 9',
    'const energyDecimals = 5',
  ),
  inFile('server/base/money.ts', 'server/rates/bills.test.ts')(
    'kwh-with-all-digits',
    'energy-and-cost, 7',
    'const energyDigits = 14',
    'const energyDigits = 17',
  ),
  inFile('server/base/money.ts', 'server/rates/bills.test.ts')(
    'half-cents-to-even',
    'energy-and-cost, 7',
    'amount.round(digits, Big.roundHalfUp)',
    'amount.round(digits, Big.roundHalfEven)',
  ),
  inFile('server/rates/costs.rules.ts', 'server/rates/bills.test.ts')(
    'import-not-rounded',
    'energy-and-cost, 7',
    'cost: priceEnergy(importedKwh, ratePerKwh)',
    'cost: money(importedKwh).times(ratePerKwh)',
  ),
  inFile('server/rates/tariffs.rules.ts', 'server/rates/costs.test.ts')(
    'midnight-before-monday',
    'energy-and-cost, 7 a period past midnight',
    'const before = (weekday + 6) % 7;',
    'const before = weekday - 1;',
  ),
  inFile('server/reports/usual.rules.ts', 'server/reports/usual.test.ts')(
    'usual-autumn-hour',
    'energy-and-cost, 7 the hour that occurs twice',
    'cell >= cells || slots[cell] !== -1 || isAsked',
    'cell >= cells || isAsked',
  ),
  inFile('server/reports/usual.rules.ts', 'server/reports/usual.test.ts')(
    'usual-borrowed-told',
    'docs/energy.md, usual',
    'told < (1 - maxBorrowedShare) * asked',
    'told <= (1 - maxBorrowedShare) * asked',
  ),
  inFile('server/reports/usual.rules.ts', 'server/reports/usual.test.ts')(
    'usual-borrows-half',
    'docs/energy.md, usual',
    'maxBorrowedShare = 0.25',
    'maxBorrowedShare = 0.5',
  ),
  inFile('server/reports/base-load.rules.ts', 'server/reports/base-load.test.ts')(
    'base-load-few-slots',
    'docs/energy.md, base load',
    '.length < minSlots',
    '.length <= minSlots',
  ),
  inFile('server/base/ranges.ts', 'server/base/ranges.test.ts')(
    'century-and-a-day',
    'decisions, 4 ranges',
    'maxDays = 36_600,',
    'maxDays = 36_601,',
  ),
  inFile('server/energy/energy.rules.ts', 'server/energy/energy-day.test.ts')(
    'cut-slot-not-estimated',
    'energy-and-cost, 3 reported as estimated',
    'estimated[slot] = whole[slot];',
    'estimated[slot] = (estimated[slot] ?? 0) * share;',
  ),
  inFile('server/energy/energy.rules.ts', 'server/energy/energy-day.test.ts')(
    'cut-slot-whole',
    'energy-and-cost, 3 its share counts',
    'whole[slot] = (whole[slot] ?? 0) * share;',
    'whole[slot] = whole[slot] ?? 0;',
  ),
  inFile('server/energy/energy.rules.ts', 'server/energy/energy-day.test.ts')(
    'range-end-floored',
    'energy-and-cost, 3 a range may end anywhere',
    'Math.ceil((toMicros - start) / slotMicros)',
    'Math.floor((toMicros - start) / slotMicros)',
  ),
  inFile('server/energy/energy.rules.ts', 'server/energy/energy-day.test.ts')(
    'range-start-ceiled',
    'energy-and-cost, 3 a range may begin anywhere',
    'Math.floor((fromMicros - start) / slotMicros)',
    'Math.ceil((fromMicros - start) / slotMicros)',
  ),
];
