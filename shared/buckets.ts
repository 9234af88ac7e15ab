import { z } from 'zod';

export const bucket = z.enum(['minute', '5min', '15min', 'hour', 'day']);
export type Bucket = z.infer<typeof bucket>;

export const bucketLimits = {
  bucketsMax: 50_000,
  /** The maximum number of values of a load curve: buckets times series. */
  seriesValuesMax: 250_000,
} as const;
