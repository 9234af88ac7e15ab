import { z } from 'zod';
import { tariffDays, totalCost, costLineKind, ofDevice } from './dashboard.ts';
import { bucket, answeredRange, instant, guid } from './primitives.ts';

export const comparisonBucket = bucket.extract(['15min', 'hour', 'day']);
export type ComparisonBucket = z.infer<typeof comparisonBucket>;

/** How two ranges are aligned: by first day, or by weekday. */
export const comparisonAlignment = z.enum(['weekday', 'day']);

const known = z.number().nullable();
const starts = z.array(instant.nullable());

/**
 * `GET /api/dashboard/comparison`: two ranges, sites or devices on one axis; docs/energy.md has the rule. Every list has an entry
 * per row; a row that exists in only one range has null in the lists of the other one.
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

const currency = z.string();
const effects = {
  cost: z.number(),
  otherCost: z.number(),
  quantityEffect: z.number().meta({ description: 'Due to more or less energy, other times or more days.' }),
  priceEffect: z.number().meta({
    description: 'The cost of the range minus its cost at the prices of the other range.',
  }),
};
/**
 * `GET /api/dashboard/cost-comparison`: why the cost of a range differs from that of another one; docs/energy.md has the rule. In each
 * entry quantityEffect + priceEffect = cost - otherCost, and each of these columns of the lines of a currency adds up to its total.
 */
export const costComparison = z.object({
  ...answeredRange,
  other: z.object(answeredRange),
  unpricedEnergyKwh: z.number(),
  otherUnpricedEnergyKwh: z.number(),
  totals: z.array(z.object({ currency, ...effects })),
  lines: z.array(
    z.object({
      kind: costLineKind.exclude(['unpriced']),
      siteId: guid,
      siteName: z.string(),
      currency,
      periods: z
        .array(z.string())
        .meta({ description: 'The tariff periods in use; several if others replaced otherPeriods.' }),
      otherPeriods: z.array(z.string()),
      energyKwh: known,
      otherEnergyKwh: known,
      months: known.meta({ description: 'Months of a fixed charge, with fractions.' }),
      otherMonths: known,
      ...effects,
    }),
  ),
  devices: z
    .array(
      z.object({
        ...ofDevice,
        countedIn: guid.nullable().meta({ description: 'The main meter whose energy includes it.' }),
        currency,
        energyKwh: z.number(),
        otherEnergyKwh: z.number(),
        ...effects,
      }),
    )
    .meta({ description: 'Energy cost only. Those with countedIn null add up to the lines for energy and export.' }),
});
export type CostComparison = z.infer<typeof costComparison>;
