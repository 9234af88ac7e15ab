import { z } from 'zod';
import { limits } from './measurements.ts';
import { instant } from './primitives.ts';

export const intervalLimits = {
  /** Rows of one body: three years of quarter-hours. */
  rows: 100_000,
  days: 366,
  kwh: 1_000_000_000,
} as const;

const kwh = z.number().min(0).max(intervalLimits.kwh).nullable();
const time = z.string().meta({ format: 'date-time' });

/** One row of `POST /api/ingest/intervals`, as documented; rows are judged one by one, so this schema never refuses a request. */
export const ingestInterval = z.object({
  externalId: z.string().meta({ description: 'External id of the device.' }),
  from: time.meta({ description: 'Start, with an offset or Z. From 2000 on.' }),
  to: time.meta({
    description: `End, not included. A second to ${intervalLimits.days} days later, at most 24 h from now.`,
  }),
  importedKwh: kwh
    .optional()
    .meta({ description: 'Energy taken in the interval, no register. At least one direction is needed.' }),
  exportedKwh: kwh.optional(),
});

/** An interval as it is stored. */
export const rawInterval = z.object({
  from: instant,
  to: instant,
  deviceName: z.string(),
  siteName: z.string().nullable(),
  importedKwh: z.number().nullable(),
  exportedKwh: z.number().nullable(),
});

/** `GET /api/measurements/intervals` */
export const rawIntervalsPage = z.object({
  totalCount: z.int(),
  limit: z.int().meta({ description: `At most ${limits.rawPageMax}.` }),
  offset: z.int(),
  rows: z.array(rawInterval),
});
export type RawIntervalsPage = z.infer<typeof rawIntervalsPage>;
