import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { unknownValue } from '../../../../../shared/format.ts';
import { usePrinting } from '../../../ui/printing.tsx';
import { partlyPriced } from '../../../entities/partly-priced.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { Change, Compared } from './Change.tsx';
import { hasReadings, isMeasured, runs } from './comparison.ts';
import { costGroupOf } from '../cost-bars.ts';
import { Figure, FigureButton } from './Figure.tsx';
import { costBreakdownQuery, type Comparison } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';
import { costAtPace } from './usual.ts';
import classes from './Tiles.module.css';

interface CostTileProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
  isStale: boolean;
  search: DashboardSearch;
  timeZone: string;
  /** The link to the tariffs, shown after unpriced energy. */
  ratesLink: ReactNode;
  onExplain: () => void;
  /** Explains the difference from the previous range. */
  onWhy: (currency: string) => void;
}

/**
 * The cost of the range compared with the previous range, and the energy without a price. If there are several currencies, each
 * has a figure.
 */
export function CostTile(props: CostTileProps) {
  const { summary, comparison, isStale, search, timeZone, ratesLink, onExplain, onWhy } = props;
  const t = useTranslations('dashboard');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const range = useTimeRange(search, timeZone);
  // An outdated summary, of the range that was shown before, does not contain the end of this range.
  const isRunning = runs(range, isStale ? null : summary, timeZone, nowMs);
  const breakdown = useQuery({
    ...costBreakdownQuery(search, timeZone, costGroupOf(range, timeZone), range.isLive),
    enabled: isRunning,
  });
  // While a range is running, the fixed charge of future days is not included.
  const soFar = isRunning && !breakdown.isPlaceholderData ? breakdown.data : undefined;
  const { costs, unpricedEnergyKwh } = soFar ?? summary;
  const compared = comparison && { current: comparison.current ?? summary, previous: comparison.previous };
  const isWaiting = isRunning && soFar === undefined;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isPrinting = usePrinting();
  const isFolded = costs.length > 1 && !isUnfolded && !isPrinting;
  const sitesIn = (currency: string) =>
    format.list(
      summary.sites
        .filter((site) => site.costs.some((cost) => cost.currency === currency))
        .map((site) => site.siteName),
    );
  const totalOf = (from: DashboardSummary | undefined, currency: string) =>
    from?.costs.find((cost) => cost.currency === currency)?.total ?? null;
  return (
    <div
      className={classes.tile}
      data-kind="cost"
      data-stale={isStale}
      data-currencies={costs.length > 1 && !isFolded ? costs.length : undefined}
    >
      {costs.length === 0 && (
        <Figure label={t('cost.title')} value={unknownValue} size="large">
          <span>{unpricedEnergyKwh > 0 ? t('cost.noTariffInForce') : t('cost.none')}</span>
        </Figure>
      )}
      {isFolded && (
        <Figure
          label={t(isRunning ? 'cost.soFar' : 'cost.title')}
          value={
            isWaiting ? unknownValue : costs.map(({ currency, total }) => format.money(total, currency)).join(' · ')
          }
          size="several"
        >
          {isWaiting && breakdown.isLoadingError && <span className={classes.warn}>{t('cost.failed')}</span>}
        </Figure>
      )}
      {(isFolded ? [] : costs).map(({ currency, total }) => (
        <Figure
          key={currency}
          label={
            costs.length > 1
              ? t('cost.in', { currency, soFar: isRunning ? 'yes' : 'no' })
              : t(isRunning ? 'cost.soFar' : 'cost.title')
          }
          value={isWaiting ? unknownValue : format.money(total, currency)}
          {...(costs.length > 1 ? {} : { size: 'large' })}
        >
          {isWaiting && breakdown.isLoadingError && <span className={classes.warn}>{t('cost.failed')}</span>}
          {costs.length > 1 && <span>{sitesIn(currency)}</span>}
          <Compared lines={(comparison === null ? 2 : 3) + (isRunning ? 1 : 0)}>
            <Change
              comparison={comparison}
              read={(side) => totalOf(compared?.[side], currency)}
              shown={isWaiting ? null : total}
              formatValue={(value) => format.money(value, currency)}
              formatDifference={(value) => format.moneyChange(value, currency)}
              missing={t('change.noCostThen')}
              caveat={caveatOf(currency)}
              hadReadings={comparison ? hasReadings(comparison.previous) : false}
              timeZone={timeZone}
            />
            {isChanged(currency) && (
              <span className="screen-only">
                <FigureButton onClick={() => onWhy(currency)}>{t('explain.why')}</FigureButton>
              </span>
            )}
            {isRunning && <span>{paceText(currency)}</span>}
          </Compared>
        </Figure>
      ))}
      {unpricedEnergyKwh > 0 && (
        <dd className={classes.note} data-after>
          <span className={classes.warn}>
            {t('cost.unpriced', { energy: format.energy(unpricedEnergyKwh) })} {ratesLink}
          </span>
        </dd>
      )}
      {(costs.length > 0 || unpricedEnergyKwh > 0) && (
        <dd className={classes.action}>
          <Button variant="subtle" size="compact-xs" onClick={onExplain}>
            {t('explain.open')}
          </Button>
          {costs.length > 1 && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-expanded={isUnfolded}
              onClick={() => setIsUnfolded(!isUnfolded)}
            >
              {t('cost.bySite')}
            </Button>
          )}
        </dd>
      )}
    </div>
  );

  function isChanged(currency: string): boolean {
    if (!compared || comparison.isEmpty || !hasReadings(compared.previous)) return false;
    const before = totalOf(compared.previous, currency);
    return before !== null && before !== totalOf(compared.current, currency);
  }

  /**
   * Most of the difference comes from a tariff that began or ended within one of the ranges, and not from more or less energy.
   */
  function caveatOf(currency: string): string | null {
    if (!comparison || !compared) return null;
    const { ranges } = comparison;
    const lacking = partlyPriced(
      { ...compared.current, range: ranges.current },
      { ...compared.previous, range: ranges.previous },
      currency,
    );
    return lacking && t(lacking === 'current' ? 'change.unpricedNow' : 'change.unpricedThen');
  }

  /** Whether the days of the range are over at all sites with this currency. */
  function isOver(currency: string): boolean {
    const [passed, all] = [soFar ?? summary, summary].map(
      ({ tariffDays }) => tariffDays.find((own) => own.currency === currency)?.days,
    );
    return passed !== undefined && all !== undefined && passed >= all;
  }

  function paceText(currency: string): string | null {
    if (!comparison?.current || comparison.isEmpty) return null;
    if (isOver(currency)) return null;
    if (!isMeasured({ range: comparison.ranges.current, devices: comparison.current.devices }, currency)) return null;
    const total = costAtPace(currency, comparison.current, summary, comparison);
    return total === null ? null : t('cost.atThisPace', { total: format.money(total, currency) });
  }
}
