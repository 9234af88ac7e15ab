import type { CostBreakdown } from '../../../../shared/dashboard.ts';
import type { SimulationResult } from '../../../../shared/rates.ts';

/**
 * What a load would cost beside what it costs. Only where all of that is in the currency of the tariff can the two be
 * compared; `share` is the difference as a share of what it costs, null where that is nothing.
 */
export type CostComparison =
  | { kind: 'compared'; actual: number; difference: number; share: number | null }
  | { kind: 'otherCurrency' }
  | { kind: 'nothingPriced' };

/** Amounts come in minor units of at most a thousandth; the rest is what binary floats add. */
const withoutNoise = (amount: number): number => Number(amount.toFixed(6)) + 0;

export function compareCosts(
  { total, currency }: Pick<SimulationResult, 'total' | 'currency'>,
  { costs }: Pick<CostBreakdown, 'costs'>,
): CostComparison {
  const [only] = costs;
  if (only === undefined) return { kind: 'nothingPriced' };
  if (costs.length > 1 || only.currency !== currency) return { kind: 'otherCurrency' };
  const difference = withoutNoise(total - only.total);
  const share = only.total === 0 ? null : difference / Math.abs(only.total);
  return { kind: 'compared', actual: only.total, difference, share };
}
