import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketSize, bucketEdges, countBuckets, refuseTooManyBuckets } from './buckets.ts';
import { formatInstant, parseInstant } from './instants.ts';

const micros = (text: string) => parseInstant(text) ?? Number.NaN;
const edges = (from: string, to: string, size: BucketSize, timeZone = 'UTC') =>
  bucketEdges(micros(from), micros(to), size, timeZone).map(formatInstant);
const hoursBetween = (texts: string[]) =>
  texts.slice(1).map((text, at) => (micros(text) - micros(texts[at] ?? '')) / 3.6e9);

describe('decisions 4: buckets', () => {
  it('start with the bucket that contains the start of the range, and end after its end', () => {
    expect(edges('2026-03-10T10:07:00Z', '2026-03-10T10:31:00Z', '15min')).toEqual([
      '2026-03-10T10:00:00Z',
      '2026-03-10T10:15:00Z',
      '2026-03-10T10:30:00Z',
      '2026-03-10T10:45:00Z',
    ]);
    expect(edges('2026-03-10T10:00:00Z', '2026-03-10T10:02:00Z', 'minute')).toHaveLength(3);
  });

  it('day is a local day: 23 h in spring, 25 h in autumn', () => {
    expect(hoursBetween(edges('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 'day', 'Europe/Berlin'))).toEqual([
      24, 23, 24,
    ]);
    expect(hoursBetween(edges('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', 'day', 'Europe/Berlin'))).toEqual([
      24, 25, 24,
    ]);
  });

  it('hour is a local hour: it starts at half past in UTC if the zone is half an hour off', () => {
    expect(edges('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z', 'hour', 'Asia/Kolkata')).toEqual([
      '2026-03-10T09:30:00Z',
      '2026-03-10T10:30:00Z',
      '2026-03-10T11:30:00Z',
    ]);
  });

  it('a clock change by half an hour starts a bucket of its own', () => {
    expect(edges('2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z', 'hour', 'Australia/Lord_Howe')).toEqual([
      '2026-04-04T14:00:00Z',
      '2026-04-04T15:00:00Z',
      '2026-04-04T15:30:00Z',
      '2026-04-04T16:30:00Z',
    ]);
  });

  it('a date that a zone skipped has no bucket', () => {
    expect(hoursBetween(edges('2011-12-29T10:00:00Z', '2012-01-01T10:00:00Z', 'day', 'Pacific/Apia'))).toEqual([
      24, 24, 24,
    ]);
  });

  it('every local hour since 2012 starts at a full local hour and none is lost', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'Asia/Kolkata',
      'America/St_Johns',
      'America/Santiago',
      'Africa/Casablanca',
      'Asia/Kathmandu',
    );
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: 1_325_376_000, max: 1_900_000_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        (zone, start, hours) => {
          const from = start * 1e6;
          const to = from + hours * 3.6e9;
          const starts = bucketEdges(from, to, 'hour', zone);
          expect(starts[0]).toBeLessThanOrEqual(from);
          expect(starts[1]).toBeGreaterThan(from);
          expect(starts.at(-1)).toBeGreaterThanOrEqual(to);
          expect(starts.at(-2)).toBeLessThan(to);
          // One assertion per range: a failing hour is named, and 40,000 passing ones do not cost an assertion each.
          const uneven = starts.filter(
            (edge, at) =>
              at > 0 &&
              (edge - (starts[at - 1] ?? 0) !== 3.6e9 ||
                new Temporal.ZonedDateTime(BigInt(edge) * 1000n, zone).minute !== 0),
          );
          expect(uneven).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('counts buckets and names the next coarser one', () => {
    expect(countBuckets(50_000 * 60e6, 'minute')).toBe(50_000);
    expect(countBuckets(50_000 * 60e6 + 1, 'minute')).toBe(50_001);
    const range = { fromMicros: 0, toMicros: 86_400e6, dates: null };
    const refuse = (size: BucketSize) => () =>
      refuseTooManyBuckets(size, range, { bucketsMax: 0, seriesValuesMax: Infinity });
    for (const [size, next] of [
      ['minute', 'bucket 5min or a'],
      ['5min', 'bucket 15min or a'],
      ['15min', 'bucket hour or a'],
      ['hour', 'bucket day or a'],
      ['day', 'a'],
    ] as const) {
      expect(refuse(size)).toThrow(`buckets of ${size}, more than 0; choose ${next} shorter range.`);
    }
  });
});
