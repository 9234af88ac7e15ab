import { z } from 'zod';
import { costLineKind } from './costs.ts';
import { ofDevice } from './dashboard.ts';
import { answeredRange, guid } from './primitives.ts';

const currency = z.string();
const effects = {
  cost: z.number(),
  otherCost: z.number(),
  quantityEffect: z.number().meta({ description: 'by more or less energy, at other times, or more days' }),
  priceEffect: z.number().meta({
    description: 'what the range costs, less what it would cost at the prices of the other range',
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
        .meta({ description: 'the tariff periods in use; several where others took the place of otherPeriods' }),
      otherPeriods: z.array(z.string()),
      energyKwh: known,
      otherEnergyKwh: known,
      months: known.meta({ description: 'months of a fixed charge, and shares of months' }),
      otherMonths: known,
      ...effects,
    }),
  ),
  devices: z
    .array(
      z.object({
        ...ofDevice,
        countedIn: guid.nullable().meta({ description: 'the device that has its energy in its own' }),
        currency,
        energyKwh: z.number(),
        otherEnergyKwh: z.number(),
        ...effects,
      }),
    )
    .meta({ description: 'energy cost alone; those with countedIn null add up to the lines for energy and export' }),
});
export type CostComparison = z.infer<typeof costComparison>;
