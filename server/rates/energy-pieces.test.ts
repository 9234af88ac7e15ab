import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMicros } from '../base/instants.ts';
import { money } from '../base/money.ts';
import { sameEverywhere } from '../base/ranges.ts';
import { emptyEnergy, energyColumns, slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import { describePiece, type SummedDay } from './energy-pieces.rules.ts';
import { createEnergyTotals, priceSite } from './energy-totals.rules.ts';
import type { Tariff } from './tariffs.rules.ts';

/** A Monday. */
const monday = 20_500 - ((20_500 + 3) % 7);
const numbers = [1, 2, 3];

const tariff = (values: Partial<Tariff>): Tariff => ({
  id: 'a',
  name: 'Standard',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2020-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money('0.31'),
  fixedChargePerMonth: money('12.5'),
  vatPercent: money(19),
  exportRatePerKwh: money('0.08'),
  periods: [],
  ...values,
});
const period = (id: string, startMinute: number, endMinute: number, daysOfWeek = 127) => ({
  id,
  name: id,
  daysOfWeek,
  startMinute,
  endMinute,
  ratePerKwh: money('0.2'),
});
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const price = fc.constantFrom<Tariff[]>(
  [],
  [tariff({})],
  [tariff({ periods: [period('day', 430, 1300, 31), period('night', 1320, 330)] })],
  [
    tariff({ effectiveTo: dateOf(monday + 3) }),
    tariff({ id: 'b', effectiveFrom: dateOf(monday + 3), periods: [period('x', 7, 1433)] }),
  ],
  [tariff({ effectiveFrom: dateOf(monday + 4), exportRatePerKwh: null })],
);
const kwh = fc.oneof(fc.constant(0), fc.double({ min: -0.05, max: 3, noNaN: true }));
const column = fc.oneof(
  { weight: 3, arbitrary: fc.array(kwh, { minLength: slotsPerDay, maxLength: slotsPerDay }) },
  fc.constant<number[]>([]),
);
const storedDay = fc.record({
  samples: fc.nat(96),
  powerSum: fc.integer(),
  factorActiveSum: fc.integer(),
  factorReactiveSum: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  hasInterpolated: fc.boolean(),
  columns: fc.tuple(column, column, column, column),
});
const days = fc.array(fc.array(fc.option(storedDay, { freq: 4 }), { minLength: 7, maxLength: 7 }), {
  minLength: numbers.length,
  maxLength: numbers.length,
});

describe('the first days of a week', () => {
  it('with the later ones add up to the same as all at once, to the bit', () => {
    const asked = fc.record({
      days,
      tariffs: price,
      timeZone: fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'UTC'),
      fromMicros: fc.integer({ min: -2 * dayMicros, max: 3 * dayMicros }),
      toMicros: fc.integer({ min: 3 * dayMicros + 1, max: 9 * dayMicros }),
      split: fc.integer({ min: 1, max: 7 }),
      apart: fc.boolean(),
    });
    fc.assert(
      fc.property(asked, ({ tariffs, timeZone, split, apart, ...rest }) => {
        const range = {
          fromMicros: monday * dayMicros + rest.fromMicros,
          toMicros: monday * dayMicros + rest.toMicros,
        };
        const site = {
          siteId: 's',
          ...priceSite({ municipalityId: 'm', timeZone }, tariffs, sameEverywhere(range), null),
        };
        const devices = numbers.map((number) => {
          return { number, siteId: 's', isActive: true, countedIn: apart && number === 2 ? 'x' : null };
        });
        const totals = createEnergyTotals([site], devices);
        const [piece] = totals.listPieces({ fromDay: monday, toDay: monday + 7 });
        if (piece === undefined) throw new Error('no piece');
        const add = (sum: ReturnType<typeof totals.openSum>, fromDay: number, toDay: number) => {
          for (const [at, number] of numbers.entries()) {
            const own = (rest.days[at] ?? []).flatMap((day, index): SummedDay[] => {
              const dayNumber = monday + index;
              if (day === null || dayNumber < fromDay || dayNumber >= toDay) return [];
              return [{ ...clipped(day, dayNumber, range), day: dayNumber }];
            });
            sum.addDevice(number, own);
          }
          return sum.close();
        };
        const head = totals.headOf(piece, Math.max(piece.fromDay + 1, Math.min(piece.toDay, monday + split)));
        const sums = add(totals.openSum(head, { isHead: true }), head.fromDay, head.toDay);
        const after = totals.openSum(piece, { after: { piece: head, sums } });
        const expected = add(totals.openSum(piece), piece.fromDay, piece.toDay);
        expect(Buffer.from(add(after, head.toDay, piece.toDay).buffer).equals(Buffer.from(expected.buffer))).toBe(true);
        expect(describePiece(head)).not.toBe(describePiece({ ...head, toDay: head.toDay + 1 }));
      }),
      { numRuns: 300 },
    );
  });
});

/** A day as stored, without the slots outside a range. */
function clipped(
  { columns, ...day }: typeof storedDay extends fc.Arbitrary<infer Day> ? Day : never,
  dayNumber: number,
  range: { fromMicros: number; toMicros: number },
) {
  const energy = emptyEnergy(slotsPerDay);
  for (const [at, name] of energyColumns.entries()) {
    for (let slot = 0; slot < slotsPerDay; slot += 1) {
      const start = dayNumber * dayMicros + slot * slotMicros;
      const isInside = start < range.toMicros && start + slotMicros > range.fromMicros;
      if (!isInside || (at > 1 && !day.hasInterpolated)) continue;
      energy[name][slot] = columns[at]?.[slot] ?? 0;
    }
  }
  return {
    ...day,
    fillEnergy(target: typeof energy, at: number) {
      for (const name of energyColumns) target[name].set(energy[name], at);
    },
  };
}
