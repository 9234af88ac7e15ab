import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerSpans } from '../../test/support/register-spans.ts';
import { bills } from '../../test/support/vectors.ts';
import { breakDown, type ChargedSite, stateCosts } from './cost-statement.rules.ts';
import { emptyPricedEnergy, priceSlots, sumPriced, type SlotEnergy } from './costs.rules.ts';
import {
  emptyEnergy,
  type EnergyReading,
  type EnergyRules,
  slotMicros,
  energyColumns,
} from '../energy/energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { measureEnergy } from '../energy/measure-energy.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { money, priceEnergy, roundMoney } from '../base/money.ts';
import { minuteOfDay, priceTimeline, type Tariff, tariffDaysOf } from './tariffs.rules.ts';

const micros = (time: string) => Date.parse(time) * 1000;
const rules: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

const tariffOf = (given: (typeof bills)[number]['tariff']): Tariff => ({
  id: 'bill',
  name: 'Bill',
  isActive: true,
  effectiveFrom: '2020-01-01',
  effectiveTo: null,
  currency: given.currency,
  defaultRatePerKwh: money(given.defaultRatePerKwh),
  fixedChargePerMonth: money(given.fixedChargePerMonth),
  vatPercent: money(given.vatPercent),
  exportRatePerKwh: given.exportRatePerKwh === null ? null : money(given.exportRatePerKwh),
  periods: given.periods.map((period) => ({
    id: period.name,
    name: period.name,
    daysOfWeek: period.daysOfWeek,
    startMinute: minuteOfDay(period.startTime),
    endMinute: minuteOfDay(period.endTime),
    ratePerKwh: money(period.ratePerKwh),
  })),
});

/** The slots of a range; those that it cuts have the energy of their part, computed from the readings. */
function slotsOf(readings: readonly EnergyReading[], range: MicrosRange): SlotEnergy {
  const startMicros = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  const count = Math.ceil((range.toMicros - startMicros) / slotMicros);
  const slots = emptyEnergy(count);
  for (let at = 0; at < count; at += 1) {
    const from = Math.max(range.fromMicros, startMicros + at * slotMicros);
    const to = Math.min(range.toMicros, startMicros + (at + 1) * slotMicros);
    const grid = { startMicros: from, widthMicros: to - from, count: 1 };
    const measured = measureEnergy(readings, rules, registerSpans(readings), grid);
    for (const name of energyColumns) slots[name][at] = measured[name][0] ?? 0;
  }
  return { ...slots, startMicros, range };
}

/** A site with a device for each list of readings. */
function siteOf(devices: readonly (readonly EnergyReading[])[], range: MicrosRange, timeZone: string, tariff: Tariff) {
  const timeline = priceTimeline(range, timeZone, [tariff]);
  const own = devices.map((readings, number) => {
    const priced = emptyPricedEnergy();
    priceSlots(priced, slotsOf(readings, range), timeline);
    return { number, priced, addsUp: true };
  });
  const days = tariffDaysOf(range, timeZone, [tariff]);
  return { siteId: 'site', priced: sumPriced(own.map(({ priced }) => priced)), days, devices: own };
}

const minorUnits = (amounts: readonly number[], digits: number) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 10 ** digits), 0);

describe('energy-and-cost.md 7: bills', () => {
  it.each(bills)('$id $rule', ({ timeZone, tariff: given, readings: rows, from, to, expect: wanted }) => {
    const readings = rows.map(([time, importedKwh, exportedKwh]) => ({
      timeMicros: micros(time),
      activePowerKw: 0,
      importedKwh,
      exportedKwh,
    }));
    const range = { fromMicros: micros(from), toMicros: micros(to) };
    const site = siteOf([readings], range, timeZone, tariffOf(given));
    const { costs, lines, sites, devices } = stateCosts([site]);
    expect(costs.map(({ total }) => total)).toEqual([wanted.total]);
    expect(sites.get('site')).toEqual(costs);
    expect(devices.get(0)?.map(({ energyCost }) => energyCost)).toEqual(costs.map(({ energyCost }) => energyCost));
    expect(lines).toEqual(
      wanted.lines.map((line) => ({
        ...line,
        energyKwh: expect.closeTo(line.energyKwh, 8),
        currency: given.currency,
      })),
    );
    const parts = breakDown([{ siteId: 'site', group: null, priced: site.priced, days: site.days }], costs);
    const ofEnergy = parts.filter(({ kind }) => kind === 'energy' || kind === 'export');
    expect(ofEnergy.map(({ name, cost }) => [name, cost])).toEqual(wanted.lines.map(({ name, cost }) => [name, cost]));
  });

  it('the kWh themselves stay unchanged', () => {
    const [bill] = bills;
    if (bill === undefined) throw new Error('no bill');
    const [a, b] = [100.3, 105.24].map((importedKwh, at) => ({
      timeMicros: micros(bill.from) + at * slotMicros,
      activePowerKw: 0,
      importedKwh: importedKwh + 2e-6 / 3,
      exportedKwh: null,
    }));
    if (a === undefined || b === undefined) throw new Error('no readings');
    const range = { fromMicros: a.timeMicros, toMicros: a.timeMicros + slotMicros / 3 };
    const site = siteOf([[a, b]], range, 'UTC', tariffOf(bill.tariff));
    expect(stateCosts([site]).lines[0]?.energyKwh).toBe(site.priced.importedKwh);
    expect(site.priced.importedKwh).toBeCloseTo(4.94 / 3, 12);
  });

  it.each([
    [4.939999999999998, '4.94'],
    [0.30000000000000004, '0.3'],
    [1e-10, '0'],
    [-0.0000000005, '-1e-9'],
    [0.0000000005, '1e-9'],
    [0.000000000499, '0'],
    [12_345.123456789, '12345.123456789'],
    [987_654.320_000_000_9, '987654.32'],
    [98_765_432.099_999_99, '98765432.1'],
    [0, '0'],
  ])('%d kWh are priced as %s', (kwh, priced) => {
    expect(priceEnergy(kwh, money(1)).toString()).toBe(priced);
  });
});

/** A fraction of whole numbers, which loses nothing. */
interface Exact {
  of: bigint;
  by: bigint;
}
const roundExact = ({ of, by }: Exact): bigint => {
  const size = (2n * (of < 0n ? -of : of) + by) / (2n * by);
  return of < 0n ? -size : size;
};

/** Whole Wh that a meter counts from reading to reading, minutes apart. */
const steps = fc.array(
  fc.record({ minutes: fc.constantFrom(1, 5, 10, 15, 20, 30), imported: fc.nat(9000), exported: fc.nat(900) }),
  { minLength: 1, maxLength: 40 },
);
const meter = fc.record({
  steps,
  register: fc.oneof(
    fc.nat(9_000_000),
    fc.nat(20_000_000_000).map((wh) => wh),
  ),
});
const cents = fc.nat(99);

describe('energy-and-cost.md 7: laws of bills', () => {
  const start = micros('2026-06-01T08:00:00Z');
  const minute = 60_000_000;
  /** The rate of the period applies in odd hours. */
  const periods = [9, 11, 13, 15, 17, 19, 21, 23].map((hour) => ({
    id: 'odd',
    name: `Odd ${hour}`,
    daysOfWeek: 127,
    startMinute: hour * 60,
    endMinute: (hour + 1) * 60,
  }));

  it('whole Wh at rates of two digits cost the exact rational amount, rounded once half away from zero; the lines add up', () => {
    fc.assert(
      fc.property(
        fc.array(meter, { minLength: 1, maxLength: 3 }),
        fc.tuple(cents, cents, cents),
        fc.constantFrom(0, 7, 10, 19, 20),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (meters, [even, odd, exportRate], vatPercent, currency) => {
          const rateOf = (value: number) => money(value).div(100);
          const tariff: Tariff = {
            ...tariffOf({
              currency,
              defaultRatePerKwh: 0,
              fixedChargePerMonth: 0,
              vatPercent,
              exportRatePerKwh: 0,
              periods: [],
            }),
            defaultRatePerKwh: rateOf(even),
            exportRatePerKwh: rateOf(exportRate),
            periods: periods.map((period) => ({ ...period, ratePerKwh: rateOf(odd) })),
          };
          // kWh of each line in 1e-9 kWh, by minute: each step has whole minutes, and none is cut by a period within a minute.
          const lines = new Map<string, Exact>();
          const addTo = (line: string, wh: number, minutes: number) => {
            const own = lines.get(line) ?? { of: 0n, by: 60n };
            own.of += BigInt(wh) * 1_000_000n * (60n / BigInt(minutes));
            lines.set(line, own);
          };
          let last = start;
          const devices = meters.map((own) => {
            let [at, imported, exported] = [start, own.register, own.register];
            const reading = (): EnergyReading => ({
              timeMicros: at,
              activePowerKw: 0,
              importedKwh: imported / 1000,
              exportedKwh: exported / 1000,
            });
            const readings = [reading()];
            for (const step of own.steps) {
              for (let passed = 0; passed < step.minutes; passed += 1) {
                const hour = Math.floor((at / minute + passed) / 60) % 24;
                addTo(hour % 2 === 1 ? `Odd ${hour}` : 'Default', step.imported, step.minutes);
                addTo('Export', step.exported, step.minutes);
              }
              at += step.minutes * minute;
              imported += step.imported;
              exported += step.exported;
              readings.push(reading());
            }
            last = Math.max(last, at);
            return readings;
          });
          // In 1e-11 of the currency; each line is rounded to 1e-9 kWh, and its credit is negative.
          let exact = 0n;
          for (const [name, line] of lines) {
            const rate = BigInt(name === 'Export' ? -exportRate : name === 'Default' ? even : odd);
            exact += roundExact(line) * rate;
          }
          const digits = minorDigits(currency);
          const wanted = roundExact({ of: exact * BigInt(100 + vatPercent), by: 10n ** BigInt(13 - digits) });

          const site = siteOf(devices, { fromMicros: start, toMicros: last }, 'UTC', tariff);
          const stated = stateCosts([site]);
          const [cost] = stated.costs;
          const units = (amounts: readonly (number | undefined)[]) =>
            minorUnits(
              amounts.map((amount) => amount ?? 0),
              digits,
            );
          expect(units([cost?.total])).toBe(Number(wanted));
          expect(units([cost?.energyCost, cost?.fixedCharge, cost?.vat])).toBe(units([cost?.total]));
          expect(units(stated.lines.map((line) => line.cost))).toBe(units([cost?.energyCost]));
          expect(units([...stated.devices.values()].flat().map((device) => device.energyCost))).toBe(
            units([cost?.energyCost]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a bill of two readings, however large the register: each of 2,000 ties is rounded away from zero', () => {
    const oneDevice = (from: number, wh: number) => {
      const readings = [from, from + wh].map((register, at) => ({
        timeMicros: start + at * slotMicros,
        activePowerKw: 0,
        importedKwh: register / 1000,
        exportedKwh: null,
      }));
      const tariff = tariffOf({
        currency: 'EUR',
        defaultRatePerKwh: 0.25,
        fixedChargePerMonth: 0,
        vatPercent: 0,
        exportRatePerKwh: null,
        periods: [],
      });
      return siteOf([readings], { fromMicros: start, toMicros: start + slotMicros }, 'UTC', tariff);
    };
    const total = (site: ChargedSite) => stateCosts([site]).costs[0]?.total;
    fc.assert(
      fc.property(fc.nat(20_000_000_000), fc.nat(40_000), (register, count) => {
        // Every 20 Wh, and half a step more: an odd number of half cents.
        const wh = 20 + 40 * count;
        const exact = roundMoney(money(wh).div(1000).times('0.25'), 2);
        expect(exact.minus(money(wh).div(4000)).toNumber()).toBe(0.005);
        expect(total(oneDevice(register, wh))).toBe(exact.toNumber());
      }),
      { numRuns: 2000 },
    );
  });

  it('rounding noise in sums of millions of kWh over years of many meters never changes a cent', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000_000), { minLength: 500, maxLength: 2000 }), (wh) => {
        const exact = wh.reduce((sum, own) => sum + BigInt(own), 0n);
        const kwh = wh.reduce((sum, own) => sum + own / 1000, 0);
        const cost = roundMoney(priceEnergy(kwh, money('0.25')), 2);
        expect(cost.toString()).toBe(
          money(String(roundExact({ of: exact * 25n, by: 1000n })))
            .div(100)
            .toString(),
        );
      }),
    );
  });
});
