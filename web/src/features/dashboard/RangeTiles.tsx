import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { hasReadings } from './comparison.ts';
import { CostTile } from './CostTile.tsx';
import { EnergyTile } from './EnergyTile.tsx';
import { Figure } from './Figure.tsx';
import { FigureButton } from './FigureButton.tsx';
import type { Comparison } from './queries.ts';
import type { DashboardSearch } from './search.ts';
import classes from './Tiles.module.css';

interface RangeTilesProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
  search: DashboardSearch;
  timeZone: string;
  /** The numbers of the range belong to the range before. */
  isStale: boolean;
  /** The way to the tariffs, behind energy that has no price. */
  ratesLink: ReactNode;
  onExplain: () => void;
  onWhy: (currency: string) => void;
  /** Shows a quarter-hour and who drew how much then. */
  onMoment: (moment: TimeRange) => void;
}

const quarterMs = 15 * 60_000;

/** What the range took and cost, its peak and its average. */
export function RangeTiles(props: RangeTilesProps) {
  const { summary, comparison, search, timeZone, isStale, ratesLink, onExplain, onWhy, onMoment } = props;
  const t = useTranslations('dashboard');
  const format = useFormat();
  const { peakAt } = summary;
  const showPeak = (fromMs: number) => onMoment({ fromMs, toMs: fromMs + quarterMs });
  return (
    <>
      <EnergyTile summary={summary} comparison={comparison} isStale={isStale} timeZone={timeZone} />
      <CostTile
        summary={summary}
        comparison={comparison}
        isStale={isStale}
        search={search}
        timeZone={timeZone}
        ratesLink={ratesLink}
        onExplain={onExplain}
        onWhy={onWhy}
      />
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('peak.title')} {...format.figure(summary.peakPowerKw, 'kW')}>
          {peakAt === null ? (
            t(summary.energyImportedKwh === 0 && summary.energyExportedKwh > 0 ? 'peak.noImport' : 'peak.none')
          ) : (
            <FigureButton onClick={() => showPeak(Date.parse(peakAt))}>
              {t('peak.at', { time: format.dateTime(peakAt, timeZone) })}
            </FigureButton>
          )}
        </Figure>
      </div>
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('averagePower')} {...format.figure(summary.averagePowerKw, 'kW')}>
          {hasReadings(summary) ? t('averagePowerNote') : t('nothingMeasured')}
        </Figure>
      </div>
    </>
  );
}
