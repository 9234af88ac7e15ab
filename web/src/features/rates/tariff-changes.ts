import type { TariffPreview } from '../../../../shared/rates.ts';

export interface ChangedAmount {
  currency: string;
  before: number;
  after: number;
}

/** The totals of each month and currency that differ, the latest month first, and those of all months together. */
export function changedAmounts({ months }: TariffPreview): {
  rows: (ChangedAmount & { month: string })[];
  totals: ChangedAmount[];
} {
  const rows = months.toReversed().flatMap(({ month, before, after }) => {
    const currencies = [...new Set([...before.costs, ...after.costs].map(({ currency }) => currency))].toSorted();
    const totalIn = (costs: typeof before.costs, currency: string) =>
      costs.find((cost) => cost.currency === currency)?.total ?? 0;
    return currencies
      .map((currency) => ({
        month,
        currency,
        before: totalIn(before.costs, currency),
        after: totalIn(after.costs, currency),
      }))
      .filter((row) => row.before !== row.after);
  });
  const totals = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    before: sum(own.map(({ before }) => before)),
    after: sum(own.map(({ after }) => after)),
  }));
  return { rows, totals };
}

/** By how much the import without a price grows, kWh. */
export const unpricedChange = ({ months }: TariffPreview): number =>
  sum(months.map(({ before, after }) => after.unpricedEnergyKwh - before.unpricedEnergyKwh));

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
