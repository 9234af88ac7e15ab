import { describe, expect, it } from 'vitest';
import { autoBucket, bucketEnd, isFiner, isRunning } from './buckets.ts';

const hour = 3_600_000;
const range = (hours: number) => ({ fromMs: 0, toMs: hours * hour });

describe('the bucket that is chosen by the length of the range', () => {
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

it('a day ends at the next local midnight, everything else after its length', () => {
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
