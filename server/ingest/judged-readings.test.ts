import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { message } from '../base/errors.ts';
import { JudgedReadings, RejectedRows } from './judged-readings.rules.ts';
import { quantityAt, Reading, storedQuantities } from '../base/quantities.ts';

const int8 = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).filter((value) => !Number.isSafeInteger(Number(value))),
);
const int4 = fc.option(fc.integer());
const reading = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }).map((time) => 946_684_800_000_000 + time),
    ...storedQuantities.map(({ type }) => (type === 'bigint' ? int8 : int4)),
  )
  .map(([timeMicros, ...quantities]) => new Reading(timeMicros, quantities));

function toTheEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

describe('judged readings', () => {
  test('every quantity reads back unchanged, also beyond the precision of a double', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), (all) => {
        const readings = new JudgedReadings();
        for (const [index, one] of all.entries()) readings.add(index, 'meter', one);
        for (const [row, one] of all.entries()) {
          for (const { at } of storedQuantities) expect(readings.quantity(row, at)).toBe(one.quantities[at]);
          expect(readings.timeMicros(row)).toBe(one.timeMicros);
        }
      }),
    );
  });

  test('each of thousands of rows reads back, including what a double cannot hold of any of them', () => {
    const readings = new JudgedReadings();
    const powerOf = (row: number) => (row % 4_000 === 3 ? 2n ** 62n + BigInt(row) : row);
    for (let row = 0; row < 10_000; row += 1) {
      readings.add(row, `meter ${row % 3}`, Reading.of({ timeMicros: 10_000 - row, activePowerKw: powerOf(row) }));
    }
    const { order, starts } = toTheEnd(readings.sorted());
    expect([...starts]).toEqual([0, 3_334, 6_667, 10_000]);
    const isRight = (row: number) =>
      readings.index(row) === row &&
      readings.timeMicros(row) === 10_000 - row &&
      readings.quantity(row, quantityAt.activePowerKw) === powerOf(row);
    expect([...order].filter((row) => !isRight(row))).toEqual([]);
  });

  test('are sorted by external ID and time; for equal times, in order of arrival', () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), reading), { maxLength: 60 });
    fc.assert(
      fc.property(rows, (all) => {
        const readings = new JudgedReadings();
        for (const [index, [externalId, one]] of all.entries()) readings.add(index, externalId, one);
        const { order, starts } = toTheEnd(readings.sorted());
        for (const [number, externalId] of readings.externalIds.entries()) {
          const expected = [...all.entries()]
            .filter(([, [id]]) => id === externalId)
            .toSorted(([a, [, x]], [b, [, y]]) => x.timeMicros - y.timeMicros || a - b);
          expect([...order.subarray(starts[number], starts[number + 1])]).toEqual(expected.map(([index]) => index));
        }
      }),
    );
  });
});

test('a large request in any order is sorted in steps', () => {
  const readings = new JudgedReadings();
  const times = Array.from({ length: 50_001 }, (_, at) => (at * 7919) % 40_009);
  for (const [index, time] of times.entries())
    readings.add(index, 'meter', Reading.of({ timeMicros: time, activePowerKw: 0 }));
  const steps = readings.sorted();
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan(25);
  const expected = [...times.keys()].toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  expect([...step.value.order]).toEqual(expected);
});

test('the first rejected rows by index are kept, in any order of arrival, and all are counted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 30 }), (indexes) => {
      const rejected = new RejectedRows(5);
      for (const index of indexes)
        rejected.add(index, () => ({ index, externalId: null, problem: message('isNotValid') }));
      expect(rejected.count).toBe(indexes.length);
      const first = indexes.toSorted((a, b) => a - b).slice(0, 5);
      expect(rejected.first.map(({ index }) => index)).toEqual(first);
    }),
  );
});
