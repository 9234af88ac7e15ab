import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDecimal, writeDecimal } from './decimal.ts';

describe('a number that somebody types', () => {
  it.each([
    ['12.5', '.', 12.5],
    ['12,5', '.', 12.5],
    ['12,5', ',', 12.5],
    ['12.5', ',', 12.5],
    [' 7 ', '.', 7],
    ['-0,25', ',', -0.25],
    ['−3', ',', -3],
    ['.5', '.', 0.5],
    ['5,', ',', 5],
    ['1.234', '.', 1.234],
    ['1,234', ',', 1.234],
    ['1234', ',', 1234],
    ['0.125', ',', 0.125],
  ])('%j is read with a decimal %j as %d', (text, separator, expected) => {
    expect(readDecimal(text, separator)).toBe(expected);
  });

  it.each([
    ['1,234', '.'],
    ['1.234', ','],
    ['12.345', ','],
  ])(
    '%j is refused where decimals are written with %j, because it could mean a thousand times as much',
    (text, separator) => {
      expect(readDecimal(text, separator)).toBeUndefined();
    },
  );

  it.each(['', ' '])('%j is nothing', (text) => {
    expect(readDecimal(text, '.')).toBeNull();
  });

  it.each(['abc', '1e5', '1.2.3', '1,234.5', '-', '.', '12 kW', 'Infinity', '0x10'])('%j is no number', (text) => {
    expect(readDecimal(text, '.')).toBeUndefined();
  });

  it('is written so that it is read back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), fc.constantFrom('.', ','), (value, separator) => {
        expect(readDecimal(writeDecimal(value, separator), separator)).toBeCloseTo(value, 12);
      }),
    );
    expect(writeDecimal(1e12, ',')).toBe('1000000000000');
    expect(writeDecimal(0.1, ',')).toBe('0,1');
  });
});
