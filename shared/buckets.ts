import { z } from 'zod';

export const bucket = z.enum(['minute', '5min', '15min', 'hour', 'day']);
export type Bucket = z.infer<typeof bucket>;

export const bucketLimits = {
  bucketsMax: 50_000,
  /** Buckets times series of one load curve. */
  seriesValuesMax: 250_000,
} as const;
