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
  lowPowerKw: known.meta({ description: '10th percentile of the weeks, import minus export.' }),
  medianPowerKw: known,
  highPowerKw: known.meta({ description: '90th percentile.' }),
  weekCounts: z.array(z.int()).meta({ description: 'Number of weeks of each bucket, at most 8.' }),
  energy: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'The usual import of the whole range.' }),
  energyUntil: z
    .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
    .nullable()
    .meta({ description: 'The same up to until; null without until.' }),
  devicesWithoutUsual: z.array(guid).meta({
    description: 'Devices with too short a history; not in these figures.',
  }),
});
export type UsualLoad = z.infer<typeof usualLoad>;
