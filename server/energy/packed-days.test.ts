import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsPerDay } from './energy.rules.ts';
import { emptyStatistics, statisticsColumns } from './statistics.rules.ts';
import {
  decodeNumbers,
  decodeStatistics,
  encodeNumbers,
  encodeStatistics,
  packedNumbers,
  packedStatistics,
} from './energy-codec.sql.ts';

const column = (value: fc.Arbitrary<number>) =>
  fc.array(value, { minLength: slotsPerDay, maxLength: slotsPerDay }).map((values) => Float64Array.from(values));
/** The values of a register at the ends of the slots, to the milliwatt-hour, as differences. */
const registerColumn = (least: number) =>
  fc
    .tuple(fc.integer({ min: least, max: 2 ** 40 }), column(fc.integer({ min: 0, max: 5_000_000 })))
    .map(([start, steps]) => {
      let register = start;
      return steps.map((step) => {
        const before = register / 1e6;
        register += step;
        return register / 1e6 - before;
      });
    });
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyColumn = fc.oneof(
  registerColumn(0),
  column(double),
  column(fc.constantFrom(0, -0, 0.1, 0.3)),
  column(fc.integer()),
  column(fc.maxSafeInteger()),
  column(fc.integer({ min: -1, max: 1 })),
  column(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.maxSafeNat())),
  fc.oneof(double, fc.integer()).map((value) => new Float64Array(slotsPerDay).fill(value)),
);
const around = (bytes: Buffer) => Buffer.concat([Buffer.from([1, 2, 3]), bytes, Buffer.from([255])]);
const fieldOf = (bytes: Buffer) => ({ start: 3, length: bytes.length });

function comesBack(values: Float64Array): void {
  const packed = packedNumbers(values);
  const target = new Float64Array(3 * slotsPerDay);
  if (packed !== null) decodeNumbers(around(packed), fieldOf(packed), target, slotsPerDay);
  // The signs of zeros in a column of only zeros are not kept.
  const same = packed === null ? values.map(() => 0) : values;
  expect(target.subarray(slotsPerDay, 2 * slotsPerDay)).toEqual(same);
  expect(target.subarray(2 * slotsPerDay)).toEqual(new Float64Array(slotsPerDay));
}

describe('slots as they are stored', () => {
  it('unpack to the last bit, for any numbers', () => {
    fc.assert(fc.property(anyColumn, comesBack), { numRuns: 500, seed: 5 });
  });

  it('never have the length of a plain column, by which older ones are recognized', () => {
    // One change takes eight more bytes: 13, 21, … 781. 13 + 8 x 94.375 would be 768, so only decimals can have that length.
    fc.assert(
      fc.property(anyColumn, (values) => {
        expect(packedNumbers(values)?.length).not.toBe(encodeNumbers(new Float64Array(slotsPerDay).fill(1))?.length);
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  it('from a register of a megawatt-hour and more are much smaller than plain ones', () => {
    fc.assert(
      fc.property(registerColumn(1e9), (values) => {
        expect(packedNumbers(values)?.length ?? 0).toBeLessThan(480);
      }),
      { seed: 7 },
    );
  });

  it('and the statistics of their readings unpack to the last bit', () => {
    const statistics = fc
      .record({
        samples: column(fc.integer({ min: 1, max: 900 })),
        first: anyColumn,
        second: anyColumn,
        third: anyColumn,
      })
      .map(({ samples, first, second, third }) => {
        const all = emptyStatistics(slotsPerDay);
        const chosen = [first, second, third, samples, first.map((value, slot) => value + (second[slot] ?? 0))];
        for (const [at, name] of statisticsColumns.entries()) all[name].set(chosen[(at * 7) % chosen.length] ?? first);
        all.samples.set(samples);
        // Zero has one sign there.
        for (const name of statisticsColumns)
          for (let at = 0; at < slotsPerDay; at += 1) all[name][at] = (all[name][at] ?? 0) + 0;
        return all;
      });
    fc.assert(
      fc.property(statistics, (all) => {
        const { power, quantities } = packedStatistics(all);
        if (power === null || quantities === null) throw new Error('it has readings');
        const target = emptyStatistics(slotsPerDay);
        const fields = {
          power: { start: 3, length: power.length },
          quantities: { start: 3 + power.length, length: quantities.length },
        };
        decodeStatistics(around(Buffer.concat([power, quantities])), fields, target);
        expect(target).toEqual(all);
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it.each(['packed', 'plain'] as const)('the columns of a quantity newer than the field are 0: %s', (form) => {
    const all = emptyStatistics(slotsPerDay);
    for (const name of statisticsColumns) all[name].fill(7);
    const ofNewest = statisticsColumns.slice(-2);
    for (const name of ofNewest) all[name].fill(0);
    const { power, quantities } = form === 'packed' ? packedStatistics(all) : encodeStatistics(all);
    if (power === null || quantities === null) throw new Error('it has readings');
    // Columns of zeros take a byte each, here those of the newest quantity. Other columns follow in the answer of the database.
    const older = quantities.subarray(0, -ofNewest.length);
    const target = emptyStatistics(slotsPerDay);
    for (const name of statisticsColumns) target[name].fill(1);
    const fields = {
      power: { start: 0, length: power.length },
      quantities: { start: power.length, length: older.length },
    };
    decodeStatistics(Buffer.concat([power, older, Buffer.alloc(800, 1)]), fields, target);
    expect(target).toEqual(all);
  });
});
