import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from './instants.ts';

describe('decisions 1: instants are ISO 8601 with an offset or Z', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-03-10T10:00:00Z', Date.UTC(2026, 2, 10, 10) * 1000],
    ['2026-03-10T10:00:00.5Z', Date.UTC(2026, 2, 10, 10) * 1000 + 500_000],
    ['2026-03-10T10:00:00.123456789Z', Date.UTC(2026, 2, 10, 10) * 1000 + 123_456],
    ['2026-03-10T10:00Z', Date.UTC(2026, 2, 10, 10) * 1000],
    ['2026-03-10T15:30:00+05:30', Date.UTC(2026, 2, 10, 10) * 1000],
    ['2026-03-10T15:30:00+0530', Date.UTC(2026, 2, 10, 10) * 1000],
    ['2026-03-10T09:00:00-01', Date.UTC(2026, 2, 10, 10) * 1000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000_000],
    ['9999-12-31T23:59:59Z', 253_402_300_799_000_000],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1000],
    ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29) * 1000],
    ['1999-12-31T23:59:59.999999Z', Date.UTC(2000, 0, 1) * 1000 - 1],
  ])('%s', (text, micros) => {
    expect(parseInstant(text)).toBe(micros);
  });

  it('accepts an instant whose local time falls into the spring gap: its offset makes it unambiguous', () => {
    expect(parseInstant('2026-03-29T02:30:00+01:00')).toBe(Date.UTC(2026, 2, 29, 1, 30) * 1000);
  });

  it.each([
    '2026-03-10T10:00:00',
    '2026-03-10',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '+12026-01-01T00:00:00Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '1772000000',
    'yesterday',
    '',
  ])('rejects %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('reads what it writes, to the microsecond, and agrees with Temporal', () => {
    const from = Date.UTC(1900, 0, 1) * 1000;
    const to = Date.UTC(2200, 0, 1) * 1000;
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (micros) => {
        const text = formatInstant(micros);
        expect(parseInstant(text)).toBe(micros);
        expect(Temporal.Instant.from(text).epochNanoseconds).toBe(BigInt(micros) * 1000n);
      }),
    );
  });

  it('writes no more digits than an instant needs', () => {
    expect(formatInstant(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatInstant(500_000)).toBe('1970-01-01T00:00:00.500Z');
    expect(formatInstant(1)).toBe('1970-01-01T00:00:00.000001Z');
    expect(formatInstant(-1)).toBe('1969-12-31T23:59:59.999999Z');
  });
});

it('the fast path for UTC seconds and milliseconds agrees with the pattern, for invalid instants too', () => {
  const mangled = fc
    .tuple(
      fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
      fc.constantFrom(19, 23),
      fc.nat(23),
      fc.constantFrom('9', 'x', ' ', '-', ':', 'Z', '/', '.'),
    )
    .map(([date, length, at, character]) => {
      const text = `${date.toISOString().slice(0, length)}Z`;
      return text.slice(0, at) + character + text.slice(at + 1);
    });
  fc.assert(
    fc.property(mangled, (text) => {
      // The same instant with an offset goes the long way.
      const long = text.endsWith('Z') ? `${text.slice(0, -1)}+00:00` : text;
      expect(parseInstant(text)).toBe(parseInstant(long));
    }),
    { numRuns: 2000 },
  );
});
