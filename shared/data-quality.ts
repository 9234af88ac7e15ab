import { z } from 'zod';
import { ofDevice } from './dashboard.ts';
import { answeredRange, instant } from './primitives.ts';

const qualityCounts = z.object({
  gap: z.int(),
  interpolated: z.int(),
  glitch: z.int(),
  stepBack: z.int(),
  rollover: z.int(),
  reset: z.int(),
  implausible: z.int(),
});
export const qualityFlagKind = qualityCounts.keyof();
export type QualityFlagKind = z.infer<typeof qualityFlagKind>;

/**
 * One anomaly. `gap` is missing measured power, `interpolated` an increase of a register that was spread over a gap (both from
 * `time` to `until`). The others are at one reading of a register, and their `until` is null.
 */
export const qualityFlag = z.object({
  time: instant,
  until: instant.nullable(),
  kind: qualityFlagKind,
  direction: z.enum(['import', 'export']).nullable(),
  /** Energy that was spread over the gap. */
  energyKwh: z.number().nullable(),
});
export type QualityFlag = z.infer<typeof qualityFlag>;

/** Quarter-hours by status. */
export const qualitySlots = z.object({ measured: z.int(), interpolated: z.int(), missing: z.int() });

/** The quarter-hours of a device cannot be computed: its figures lack the latest readings. */
export const qualityFailure = z.object({
  since: instant,
  /** In a row. */
  attempts: z.int(),
  nextAttemptAt: instant,
});
export type QualityFailure = z.infer<typeof qualityFailure>;

export const listedFlagsMax = 1000;

/**
 * `GET /api/data-quality`: by device, and by local day for all devices together, in the time zone that they share, else
 * in `Application__TimeZone`. Quarter-hours in the future are excluded. So are those before the first reading of a
 * device (or before it was added, if that was earlier) and, for an inactive device, those after its last.
 */
export const dataQuality = z.object({
  ...answeredRange,
  timeZone: z
    .string()
    .meta({ description: 'Time zone of the days. With fromDate and toDate each site has its own days.' }),
  devices: z.array(
    z.object({
      ...ofDevice,
      failure: qualityFailure
        .nullable()
        .meta({ description: 'While its quarter-hours cannot be computed. Other requests for it get 503.' }),
      slots: qualitySlots,
      counts: qualityCounts,
      flags: z.array(qualityFlag).meta({
        description: `The latest ${listedFlagsMax} of the device, newest first; counts has their total.`,
      }),
    }),
  ),
  days: z.array(qualitySlots.extend({ date: z.string() })),
  balances: z
    .array(
      z.object({
        ...ofDevice,
        notSubMeteredKwh: z.number(),
        isExceeded: z
          .boolean()
          .meta({ description: 'Its sub-meters measured more than it did, beyond the tolerance of meters.' }),
        missingSlots: z.int().meta({ description: 'Quarter-hours that it or its sub-meters did not measure.' }),
      }),
    )
    .meta({ description: 'Main meters whose balance with their sub-meters does not close.' }),
});
export type DataQuality = z.infer<typeof dataQuality>;
