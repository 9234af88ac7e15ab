import { z } from 'zod';
import { costLineKind, ofDevice } from './dashboard.ts';
import { answeredRange, guid } from './primitives.ts';

const currency = z.string();
const effects = {
  cost: z.number(),
  otherCost: z.number(),
  quantityEffect: z.number().meta({ description: 'Due to more or less energy, other times or more days.' }),
  priceEffect: z.number().meta({
    description: 'The cost of the range minus its cost at the prices of the other range.',
  }),
};
const known = z.number().nullable();

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
