import type { CostPreview } from '../../../shared/rates.ts';

export interface ChangedAmount {
  currency: string;
  before: number;
  after: number;
}

const parts = ['energyCost', 'fixedCharge', 'vat', 'total'] as const;

/**
 * The totals of each month and currency in which anything differs, the latest month first, and the totals of all months. A
 * month counts even if VAT makes up for the difference of the energy.
 */
export function changedAmounts({ months }: CostPreview): {
  rows: (ChangedAmount & { month: string })[];
  totals: ChangedAmount[];
} {
  const rows = months.toReversed().flatMap(({ month, before, after }) => {
    const currencies = [...new Set([...before.costs, ...after.costs].map((cost) => cost.currency))].toSorted();
    return currencies.flatMap((currency) => {
      const [old, next] = [before, after].map(({ costs }) => costs.find((cost) => cost.currency === currency));
      return parts.some((part) => (old?.[part] ?? 0) !== (next?.[part] ?? 0))
        ? [{ month, currency, before: old?.total ?? 0, after: next?.total ?? 0 }]
        : [];
    });
  });
  const totals = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    before: sum(own.map(({ before }) => before)),
    after: sum(own.map(({ after }) => after)),
  }));
  return { rows, totals };
}

/** The increase of imported energy without a price, kWh. */
export const unpricedChange = ({ months }: CostPreview): number =>
  sum(months.map(({ before, after }) => after.unpricedEnergyKwh - before.unpricedEnergyKwh));

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
