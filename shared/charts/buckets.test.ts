import { describe, expect, it } from 'vitest';
import { bucketLimits } from '../primitives.ts';
import { autoBucket, bucketEnd, fitsSeries, isFiner, isRunning } from './buckets.ts';

const hour = 3_600_000;
const range = (hours: number) => ({ fromMs: 0, toMs: hours * hour });

describe('the bucket for the length of a range', () => {
  it.each([
    [12, 'minute'],
    [24, '5min'],
    [7 * 24, '15min'],
    [31 * 24, 'hour'],
    [365 * 24, 'day'],
    [10 * 365 * 24, 'day'],
  ] as const)('is the finest that gives at most 750 points for %i hours', (hours, bucket) => {
    expect(autoBucket(range(hours), 750)).toBe(bucket);
  });
});

describe('the bucket of many series', () => {
  it('is coarser if the portal would reject so many values at once', () => {
    expect(autoBucket(range(7 * 24), 750, 300)).toBe('15min');
    expect(autoBucket(range(7 * 24), 750, 474)).toBe('hour');
    expect(autoBucket(range(24), 750, 5000)).toBe('hour');
  });

  it.each([1, 347, 474, 5000])('never requests more values than the portal returns for %i series', (seriesCount) => {
    for (const hours of [12, 24, 7 * 24, 31 * 24]) {
      const bucket = autoBucket(range(hours), 750, seriesCount);
      const lengths = { minute: 1 / 60, '5min': 1 / 12, '15min': 1 / 4, hour: 1, day: 24 };
      expect((hours / lengths[bucket] + 1) * seriesCount).toBeLessThanOrEqual(bucketLimits.seriesValuesMax);
    }
  });

  it('may not exist: then even days are too many', () => {
    expect(autoBucket(range(365 * 24), 750, 5000)).toBe('day');
    expect(fitsSeries(range(365 * 24), 'day', 5000)).toBe(false);
  });
});

it('a day ends at the next local midnight, every other bucket after its length', () => {
  const spring = Date.parse('2026-03-28T23:00:00Z');
  expect(bucketEnd(spring, 'day', 'Europe/Berlin') - spring).toBe(23 * hour);
  expect(bucketEnd(spring, 'hour', 'Europe/Berlin') - spring).toBe(hour);
});

it('a bucket runs from its start until its end', () => {
  expect([0, hour - 1, hour].map((nowMs) => isRunning(0, 'hour', nowMs))).toEqual([true, true, false]);
});

it('buckets are compared by their lengths', () => {
  expect(isFiner('minute', '5min')).toBe(true);
  expect(isFiner('hour', 'hour')).toBe(false);
});
