import { z } from 'zod';
import { energyTotals, tariffDays, totalCost } from './dashboard.ts';
import { answeredRange, guid } from './primitives.ts';

export const costGroup = z.enum(['day', 'month', 'period']);
export type CostGroup = z.infer<typeof costGroup>;

export const costLineKind = z.enum(['energy', 'export', 'fixedCharge', 'vat', 'unpriced']);
export type CostLineKind = z.infer<typeof costLineKind>;

/**
 * One line that the total is made of. `energy` is import at one rate, `export` the credit (negative), `fixedCharge` counts
 * `days`, `vat` is `vatPercent` of the tariff's other lines, `unpriced` is import without a tariff in force and costs null.
 */
export const costLine = z.object({
  kind: costLineKind,
  /** The local date (`YYYY-MM-DD`) or month (`YYYY-MM`) of the site; null where the whole range is one group. */
  group: z.string().nullable(),
  siteId: guid,
  siteName: z.string(),
  tariffId: guid.nullable(),
  tariffName: z.string().nullable(),
  currency: z.string().nullable(),
  /** Name of the period, `Default`, `Export`, `Fixed charge`, `VAT` or `Unpriced`. */
  name: z.string(),
  ratePerKwh: z.number().nullable(),
  energyKwh: z.number().nullable(),
  /** How much of `energyKwh` was spread over gaps. */
  interpolatedKwh: z.number().nullable(),
  days: z.number().nullable().meta({ description: 'Local days of a fixed charge, with fractions.' }),
  vatPercent: z.number().nullable(),
  cost: z.number().nullable(),
});
export type CostLine = z.infer<typeof costLine>;

/** `GET /api/dashboard/cost-breakdown`: the rounded lines of a currency add up to its total. */
export const costBreakdown = z.object({
  ...answeredRange,
  group: costGroup,
  costs: z.array(totalCost),
  tariffDays,
  ...energyTotals,
  lines: z.array(costLine),
});
export type CostBreakdown = z.infer<typeof costBreakdown>;
