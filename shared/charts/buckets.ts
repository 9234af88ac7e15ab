import { bucketLimits, type Bucket } from '../primitives.ts';
import { add, dayMs, type TimeRange } from '../time.ts';

/** A bucket of a chart: one of the portal's buckets, or a month, which consists of days. */
export type ChartBucket = Bucket | 'month';

const lengths = {
  minute: 60_000,
  '5min': 300_000,
  '15min': 900_000,
  hour: 3_600_000,
  day: dayMs,
  month: 30 * dayMs,
} as const satisfies Record<ChartBucket, number>;

const fineToCoarse = ['minute', '5min', '15min', 'hour', 'day'] as const satisfies readonly Bucket[];

/** Milliseconds of a bucket; a day counts as 24 hours, a month as 30 days. */
export const bucketLength = (bucket: ChartBucket): number => lengths[bucket];

/**
 * The maximum number of buckets that the range can touch. Its ends may lie inside a bucket, and a day has 23 hours once a year.
 */
const maxBuckets = ({ fromMs, toMs }: TimeRange, bucket: Bucket): number =>
  Math.ceil((toMs - fromMs) / lengths[bucket]) + 2;

/** Whether the portal returns this many series in one answer with that bucket. */
export const fitsSeries = (range: TimeRange, bucket: Bucket, seriesCount: number): boolean =>
  maxBuckets(range, bucket) * seriesCount <= bucketLimits.seriesValuesMax;

/**
 * The finest bucket that splits the range into at most `maxPoints`, and in which the portal returns this many series in one
 * answer. If none does, days.
 */
export function autoBucket(range: TimeRange, maxPoints: number, seriesCount = 1): Bucket {
  const fits = (bucket: Bucket) =>
    (range.toMs - range.fromMs) / lengths[bucket] <= maxPoints && fitsSeries(range, bucket, seriesCount);
  return fineToCoarse.find(fits) ?? 'day';
}

/** The finest bucket of at least this length; otherwise days. */
export const bucketOfAtLeast = (ms: number): Bucket => fineToCoarse.find((bucket) => lengths[bucket] >= ms) ?? 'day';

export const isFiner = (one: ChartBucket, other: ChartBucket): boolean => lengths[one] < lengths[other];

export const coarserOf = (one: Bucket, other: Bucket): Bucket => (isFiner(one, other) ? other : one);

/** The end of the bucket that starts at the instant. Days and months follow the calendar of the zone. */
export function bucketEnd(startMs: number, bucket: ChartBucket, timeZone: string): number {
  return bucket === 'day' || bucket === 'month' ? add(1, bucket, startMs, timeZone) : startMs + lengths[bucket];
}

/** Whether the bucket is still filling, so that some of its readings may be missing. */
export const isRunning = (startMs: number, bucket: Bucket, nowMs: number): boolean =>
  startMs <= nowMs && nowMs < startMs + lengths[bucket];
