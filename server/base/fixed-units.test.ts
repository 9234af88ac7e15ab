import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromFixedUnits, milliOfKilo, scaleOf, toFixedUnits } from './quantities.ts';

const milli = scaleOf({ decimals: 3, type: 'integer' });
const tenthOfMilli = scaleOf({ decimals: 4, type: 'integer' });
const millionth = scaleOf({ decimals: 6, type: 'integer' });

describe('decisions 4: quantities are integers in fixed units', () => {
  it.each([
    [0.1, 100_000],
    [-0.1, -100_000],
    [0.000_000_5, 1],
    [-0.000_000_5, -1],
    [0.000_000_49, 0],
    [1.000_000_5, 1_000_001],
    [2.675_000_5, 2_675_001],
    [1.000_000_499_999, 1_000_000],
    [0, 0],
    [-0, 0],
    [5e-324, 0],
    [-5e-324, 0],
  ])('rounds %d kW half away from zero to %d mW', (kilowatts, milliwatts) => {
    expect(toFixedUnits(kilowatts, milliOfKilo)).toBe(milliwatts);
  });

  it.each([
    [230.123_45, milli, 230_123],
    [230.1235, milli, 230_124],
    [49.987_65, tenthOfMilli, 499_877],
    [0.95, millionth, 950_000],
    [-1, millionth, -1_000_000],
  ])('keeps %d in its own unit', (value, scale, units) => {
    expect(toFixedUnits(value, scale)).toBe(units);
  });

  it('keeps a register beyond 2^53 mWh exactly, as a bigint', () => {
    expect(toFixedUnits(9_100_000_000_001.5, milliOfKilo)).toBe(9_100_000_000_001_500_000n);
    expect(fromFixedUnits(9_100_000_000_001_500_000n, milliOfKilo)).toBe(9_100_000_000_001.5);
    expect(fromFixedUnits(-9_100_000_000_001_500_000n, milliOfKilo)).toBe(-9_100_000_000_001.5);
  });

  it.each([
    [1e300, milliOfKilo],
    [-1e300, milliOfKilo],
    [Number.MAX_VALUE, milli],
    [9.3e12, milliOfKilo],
    [2_147_483.648, milli],
    [214_748.3648, tenthOfMilli],
  ])('rejects %d, which no column can hold', (value, scale) => {
    expect(toFixedUnits(value, scale)).toBeNull();
  });

  it('returns the same number for any decimal of six places', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (micro) => {
        const sent = Number(`${micro}e-6`);
        const units = toFixedUnits(sent, milliOfKilo);
        expect(units).toBe(Number(micro) || 0);
        expect(fromFixedUnits(units ?? Number.NaN, milliOfKilo)).toBe(sent || 0);
      }),
      { numRuns: 2000 },
    );
  });
});
