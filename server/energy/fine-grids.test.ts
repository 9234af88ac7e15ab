import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfGrid } from './energy.rules.ts';
import { fineGrids, gridsOfFewReadings, readingsAtOnce } from './slot-buckets.rules.ts';
import { dayMicros } from '../base/instants.ts';

const minute = 60_000_000;

test('a month with a reading per second is computed in parts of less than two hours, a silent month at once', () => {
  const month = { startMicros: 0, widthMicros: minute, count: 30 * 1440 };
  const seconds = new Map(Array.from({ length: 30 }, (_, day) => [day, 86_400]));
  const parts = gridsOfFewReadings(month, seconds);
  expect(Math.max(...parts.map(({ count }) => count * 60))).toBeLessThanOrEqual(readingsAtOnce);
  expect(gridsOfFewReadings(month, new Map())).toEqual([month]);
});

test('the parts of a range follow each other on the edges of its buckets', () => {
  const asked = fc.record({
    fromMicros: fc.nat(5 * dayMicros),
    length: fc.integer({ min: 1, max: 4 * dayMicros }),
    width: fc.constantFrom(minute, 5 * minute),
    counts: fc.dictionary(fc.nat(9).map(String), fc.nat(100_000)),
  });
  fc.assert(
    fc.property(asked, ({ fromMicros, length, width, counts }) => {
      const start = Math.floor(fromMicros / width) * width;
      const byDay = new Map(Object.entries(counts).map(([day, count]) => [Number(day), count]));
      const range = { fromMicros, toMicros: fromMicros + length };
      for (const grid of fineGrids(range, start, width)) {
        const parts = gridsOfFewReadings(grid, byDay);
        expect(parts.map(({ startMicros }) => startMicros)).toEqual([
          grid.startMicros,
          ...parts.slice(0, -1).map(endOfGrid),
        ]);
        expect(parts.every(({ count, widthMicros }) => count >= 1 && widthMicros === grid.widthMicros)).toBe(true);
        expect(parts.every(({ count }) => Number.isInteger(count))).toBe(true);
        expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(grid.count);
      }
    }),
  );
});
