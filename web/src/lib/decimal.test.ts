import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainDecimal, readDecimal, readFileDecimal, writeDecimal } from './decimal.ts';

describe('a typed number', () => {
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
    ['1,234.50', '.', 1234.5],
    ['1.234,50', ',', 1234.5],
    ['1,234.50', ',', 1234.5],
    ['1.234,50', '.', 1234.5],
    ['1 234,50', ',', 1234.5],
    ['1\u00a0234,50', ',', 1234.5],
    ['1\u202f234,50', ',', 1234.5],
    ['1’234.50', '.', 1234.5],
    ["1'234.50", '.', 1234.5],
    ['-12,345,678', '.', -12_345_678],
    ['12.345.678', '.', 12_345_678],
    ['1,23,456.7', '.', 123_456.7],
    ['1 234', '.', 1234],
    ['1,234.', '.', 1234],
  ])('%j is read with a decimal %j as %d, with grouped thousands', (text, separator, expected) => {
    expect(readDecimal(text, separator)).toBe(expected);
  });

  it.each([
    ['1,234', '.', 1234],
    ['1,234', ',', 1.234],
    ['1.234', ',', 1234],
    ['1.234', '.', 1.234],
    ['0,125', '.', 0.125],
  ])('%j is read with a decimal %j as in that language: %d', (text, separator, expected) => {
    expect(readDecimal(text, separator)).toBe(expected);
  });

  it.each([
    ['1234.5', '.', true],
    ['−3', ',', true],
    ['1,234', '.', false],
    ['1.5', ',', false],
    ['1 234', ',', false],
    ['1,234.5', '.', false],
  ])('whether %j with a decimal %j is unambiguous: %s', (text, separator, expected) => {
    expect(isPlainDecimal(text, separator)).toBe(expected);
  });

  it.each(['', ' '])('%j is empty', (text) => {
    expect(readDecimal(text, '.')).toBeNull();
  });

  it.each([
    'abc',
    '1e5',
    '1.2.3',
    '12 50',
    '1,234,56.7',
    '1.234,567.8,9',
    '1,234 567',
    '-',
    '.',
    '12 kW',
    'Infinity',
    '0x10',
  ])('%j is not a number', (text) => {
    expect(readDecimal(text, '.')).toBeUndefined();
  });

  it.each(['en-GB', 'de-DE', 'de-CH', 'de-AT', 'fr-FR', 'es-ES', 'nl-NL', 'en-IN'])(
    'is read back as %s writes it, grouped',
    (locale) => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: 'always' });
      const separator = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
      fc.assert(
        fc.property(fc.integer({ min: -1e12, max: 1e12 }), (units) => {
          expect(readDecimal(format.format(units / 1e4), separator)).toBe(units / 1e4);
        }),
      );
    },
  );

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

describe('a number in a file with a fixed decimal separator', () => {
  it.each([
    ['1234,5', ',', 1234.5],
    ['1.234,5', ',', 1234.5],
    ['12.345.678', ',', 12_345_678],
    ['1 234,5', ',', 1234.5],
    ['0,500', ',', 0.5],
    ['12.345', '.', 12.345],
    ['1,234.5', '.', 1234.5],
    ['7', ',', 7],
    ['', ',', null],
  ] as const)('%j with a decimal %j is %d', (text, separator, expected) => {
    expect(readFileDecimal(text, separator)).toBe(expected);
  });

  it.each([
    ['0.500', ','],
    ['12.345', ','],
    ['1000.250', ','],
    ['999.500', ','],
    ['1,234', '.'],
    ['12,5', '.'],
    ['1,234.50', ','],
    ['1,234,567', ','],
    ['1.234.567', '.'],
    ['n/a', ','],
  ] as const)('%j is not a number with a decimal %j, or is ambiguous', (text, separator) => {
    expect(readFileDecimal(text, separator)).toBeUndefined();
  });
});
