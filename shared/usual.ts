import { z } from 'zod';
import { answeredRange, guid, instant } from './primitives.ts';

/** The buckets in which the load that is usual is told: it is kept in quarter-hours. */
export const usualBucket = z.enum(['15min', 'hour', 'day']);
export type UsualBucket = z.infer<typeof usualBucket>;

/** What is usual is told for so many days. */
export const usualDaysMax = 35;

const known = z.array(z.number().nullable());

/**
 * `GET /api/dashboard/usual`: what was usual at the same weekday and time of day in the eight weeks before the range; docs/energy.md
 * has the rule. Null where no week tells.
 */
export const usualLoad = z.object({
  ...answeredRange,
  bucket: usualBucket,
  times: z.array(instant),
  lowPowerKw: known.meta({ description: '10th percentile of the weeks, import minus export' }),
  medianPowerKw: known,
  highPowerKw: known.meta({ description: '90th percentile' }),
  weekCounts: z.array(z.int()).meta({ description: 'how many weeks each bucket is based on; at most 8' }),
  energy: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'the import that is usual in the whole range' }),
  energyUntil: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'the same up to until; null where that was not asked for' }),
  devicesWithoutUsual: z.array(guid).meta({
    description: 'devices that measure, but not long enough to say what is usual; they are in none of these numbers',
  }),
});
export type UsualLoad = z.infer<typeof usualLoad>;
