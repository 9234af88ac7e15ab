import { z } from 'zod';
import { tariffDays, totalCost } from './dashboard.ts';
import { bucket } from './buckets.ts';
import { answeredRange, instant } from './primitives.ts';

export const comparisonBucket = bucket.extract(['15min', 'hour', 'day']);
export type ComparisonBucket = z.infer<typeof comparisonBucket>;

/** How two ranges lie on each other: first day on first day, or weekday on weekday. */
export const comparisonAlignment = z.enum(['weekday', 'day']);

const known = z.number().nullable();
const starts = z.array(instant.nullable());

/**
 * `GET /api/dashboard/comparison`: two ranges, sites or devices on one axis; docs/energy.md has the rule. Every list has an entry a row;
 * a row that exists in one range only has null in the lists of the other one.
 */
export const comparison = z.object({
  ...answeredRange,
  other: z.object(answeredRange),
  bucket: comparisonBucket,
  align: comparisonAlignment,
  timeZone: z.string().meta({ description: 'Time zone of the rows of the first range.' }),
  otherTimeZone: z.string(),
  days: z
    .array(z.int())
    .meta({ description: '0 is the first day of the range. Aligned by weekday, rows may be earlier.' }),
  minutes: z.array(z.number()).meta({ description: 'Minute of the local day.' }),
  times: starts,
  otherTimes: starts,
  running: z.array(z.boolean()).meta({
    description: 'Rows that have not ended on one side, or lack readings: their figures are partial.',
  }),
  late: z
    .array(z.boolean())
    .meta({ description: 'Those of the running rows that have ended; their last readings are still missing.' }),
  arrivedUntil: instant.meta({ description: 'As in the summary; the earlier one of both sides.' }),
  energyImportedKwh: z.array(known),
  otherEnergyImportedKwh: z.array(known),
  averagePowerKw: z.array(known),
  otherAveragePowerKw: z.array(known),
  totals: z.object({ energyImportedKwh: z.number(), otherEnergyImportedKwh: z.number() }),
  common: z
    .object({ rowCount: z.int(), energyImportedKwh: z.number(), otherEnergyImportedKwh: z.number() })
    .meta({ description: 'Of the complete rows that both sides have.' }),
  costs: z.array(totalCost).meta({ description: 'Of the whole range, as in its summary.' }),
  otherCosts: z.array(totalCost),
  tariffDays,
  otherTariffDays: tariffDays,
  unpricedEnergyKwh: z.number().meta({ description: 'Import without a tariff in force; not in the costs.' }),
  otherUnpricedEnergyKwh: z.number(),
});
export type Comparison = z.infer<typeof comparison>;
