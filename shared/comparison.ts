import { z } from 'zod';
import { tariffDays, totalCost } from './dashboard.ts';
import { bucket } from './measurements.ts';
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
  timeZone: z.string().meta({ description: 'whose clock the rows of the first range are by' }),
  otherTimeZone: z.string(),
  days: z
    .array(z.int())
    .meta({ description: '0 is the first day of the range; by weekday some rows may come before it' }),
  minutes: z.array(z.number()).meta({ description: 'of the local day' }),
  times: starts,
  otherTimes: starts,
  running: z.array(z.boolean()).meta({
    description:
      'rows that are not over yet on a side, or of which not all has arrived: what is known of it is part of one',
  }),
  late: z
    .array(z.boolean())
    .meta({ description: 'the rows of these that are over: their last readings have not come yet' }),
  arrivedUntil: instant.meta({ description: 'as that of the summary: the earlier one of both sides' }),
  energyImportedKwh: z.array(known),
  otherEnergyImportedKwh: z.array(known),
  averagePowerKw: z.array(known),
  otherAveragePowerKw: z.array(known),
  totals: z.object({ energyImportedKwh: z.number(), otherEnergyImportedKwh: z.number() }),
  common: z
    .object({ rowCount: z.int(), energyImportedKwh: z.number(), otherEnergyImportedKwh: z.number() })
    .meta({ description: 'of the rows that exist in both, are known in both and of which all has arrived' }),
  costs: z.array(totalCost).meta({ description: 'of the whole range, as its summary says' }),
  otherCosts: z.array(totalCost),
  tariffDays,
  otherTariffDays: tariffDays,
  unpricedEnergyKwh: z.number().meta({ description: 'import without a tariff in force, which is in no cost' }),
  otherUnpricedEnergyKwh: z.number(),
});
export type Comparison = z.infer<typeof comparison>;
