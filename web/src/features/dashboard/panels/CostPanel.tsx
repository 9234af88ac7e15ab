import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconReceipt } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CostBreakdown } from '../../../../../shared/dashboard.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { StackedBars } from '../../../charts/StackedBars.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { ChartPlace } from './ChartPlace.tsx';
import { costBars, costGroupOf, isCharged } from '../cost-bars.ts';
import { costBreakdownQuery } from '../queries.ts';
import { RatesLink } from '../RatesLink.tsx';
import type { DashboardSearch } from '../search.ts';
import { useCostNames } from '../use-cost-names.ts';

interface CostPanelProps {
  search: DashboardSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  onExplain: () => void;
  /** Called with the day or month of a bar, a local date or month. */
  onGroup: (group: string) => void;
}

const chartHeight = 300;
/** Printed on the same sheet as the list of devices above it. */
const printedHeight = 200;
const placeHeight = chartHeight + 78;

/** The cost of the range, by tariff period and day (by month for a long range); one currency at a time. */
export function CostPanel({ search, range, timeZone, onExplain, onGroup }: CostPanelProps) {
  const t = useTranslations('dashboard');
  const tTerms = useTranslations('terms');
  const group = costGroupOf(range, timeZone);
  const breakdown = useQuery(costBreakdownQuery(search, timeZone, group, range.isLive));
  const currencies = breakdown.data?.costs.map(({ currency }) => currency) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = currencies.find((one) => one === chosen) ?? currencies[0];
  return (
    <Panel
      title={group === 'day' ? t('cost.byDay') : t('cost.byMonth')}
      actions={
        <>
          {currencies.length > 1 && currency !== undefined && (
            <SegmentedControl
              size="xs"
              aria-label={tTerms('currency')}
              value={currency}
              data={currencies}
              onChange={setChosen}
            />
          )}
          <Button variant="default" size="xs" disabled={currencies.length === 0} onClick={onExplain}>
            {t('explain.open')}
          </Button>
        </>
      }
    >
      <ChartPlace query={breakdown} height={placeHeight}>
        {(data) => <CostChart breakdown={data} currency={currency ?? ''} onGroup={onGroup} />}
      </ChartPlace>
    </Panel>
  );
}

interface CostChartProps {
  breakdown: CostBreakdown;
  currency: string;
  onGroup: CostPanelProps['onGroup'];
}

function CostChart({ breakdown, currency, onGroup }: CostChartProps) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  const names = useCostNames();
  const isPrinting = usePrinting();
  const data = useMemo(() => costBars(breakdown.lines, currency, names), [breakdown.lines, currency, names]);
  const formatValue = useCallback((value: number | null) => format.money(value, currency), [format, currency]);
  const { unpricedEnergyKwh, energyImportedKwh, group } = breakdown;
  const title = group === 'month' ? t('cost.byMonth') : t('cost.byDay');
  return (
    <StackedBars
      title={title}
      data={data}
      unit={currency}
      formatValue={formatValue}
      height={isPrinting ? printedHeight : chartHeight}
      {...(data.groups.length > 1 ? { onPick: onGroup } : {})}
      empty={
        <EmptyState
          icon={<IconReceipt size={22} stroke={1.75} />}
          title={unpricedEnergyKwh > 0 ? t('cost.noTariff') : t('cost.nothing')}
          action={unpricedEnergyKwh > 0 ? <RatesLink /> : undefined}
        >
          {unpricedEnergyKwh > 0
            ? t('cost.noTariffText', { energy: format.energy(unpricedEnergyKwh) })
            : isCharged(breakdown.lines, currency)
              ? t('cost.roundsToNothing', { amount: formatValue(0) })
              : t('cost.nothingText')}
        </EmptyState>
      }
      note={
        <span>
          {t('cost.note')}
          {data.groups.length > 1 && (
            <span className="screen-only">{` · ${group === 'month' ? t('cost.pickMonth') : t('cost.pickDay')}`}</span>
          )}
          {unpricedEnergyKwh > 0 &&
            energyImportedKwh > 0 &&
            ` · ${t('cost.unpriced', { energy: format.energy(unpricedEnergyKwh) })}`}
        </span>
      }
    />
  );
}
