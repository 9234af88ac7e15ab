import type { Bucket } from '../../../../shared/measurements.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { add } from '../../lib/time.ts';

const lengths = { minute: 60_000, '5min': 300_000, '15min': 900_000, hour: 3_600_000, day: 86_400_000 } as const;

const fineToCoarse = ['minute', '5min', '15min', 'hour', 'day'] as const satisfies readonly Bucket[];

/** Milliseconds of a bucket; a day counts 24 hours. */
export const bucketLength = (bucket: Bucket): number => lengths[bucket];

/** The finest bucket that cuts the range into at most `maxPoints`; days where even they are more. */
export function autoBucket({ fromMs, toMs }: TimeRange, maxPoints: number): Bucket {
  return fineToCoarse.find((bucket) => (toMs - fromMs) / lengths[bucket] <= maxPoints) ?? 'day';
}

export const isFiner = (one: Bucket, other: Bucket): boolean => lengths[one] < lengths[other];

/** Where the bucket ends that starts at the instant: days are those of the zone's calendar. */
export function bucketEnd(startMs: number, bucket: Bucket, timeZone: string): number {
  return bucket === 'day' ? add(1, 'day', startMs, timeZone) : startMs + lengths[bucket];
}

/** Whether the bucket is still filling, so that some of its readings may be missing yet. */
export const isRunning = (startMs: number, bucket: Bucket, nowMs: number): boolean =>
  startMs <= nowMs && nowMs < startMs + lengths[bucket];
