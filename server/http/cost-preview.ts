import type { CostPreview as PreviewOnWire } from '../../shared/rates.ts';
import type { CostPreview } from '../commands/preview-costs.ts';
import type { MonthCost } from '../domain/tariff-changes.ts';

export const presentPreview = ({ compared, months }: CostPreview): PreviewOnWire => ({
  fromDate: compared?.fromDate ?? null,
  toDate: compared?.toDate ?? null,
  months: months.map(({ month, before, after }) => ({
    month,
    before: presentMonth(before),
    after: presentMonth(after),
  })),
});

const presentMonth = ({ costs, unpricedKwh }: MonthCost) => ({ costs: [...costs], unpricedEnergyKwh: unpricedKwh });

/** Part of the description of each preview. */
export const previewAmounts =
  'Nothing is stored. Amounts are those of the summary of each whole month before and after; the current month as far as it has been measured, with its whole fixed charge. At most the latest 120 months.';
