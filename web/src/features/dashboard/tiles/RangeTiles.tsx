import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { hasReadings, partlyMeasured } from './comparison.ts';
import { CostTile } from './CostTile.tsx';
import { Figure } from './Figure.tsx';
import type { Comparison } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';
import classes from './Tiles.module.css';
import { Change, Compared } from './Change.tsx';

interface EnergyTileProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
  isStale: boolean;
  timeZone: string;
}

/** The energy of the range compared with the previous range, and how much of it was not measured. */
function EnergyTile({ summary, comparison, isStale, timeZone }: EnergyTileProps) {
  const t = useTranslations('dashboard');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { energyImportedKwh, energyExportedKwh, estimatedEnergyKwh } = summary;
  const isMeasured = hasReadings(summary);
  const importOf = (from: DashboardSummary | undefined) =>
    from === undefined || !hasReadings(from) ? null : from.energyImportedKwh;
  const all = energyImportedKwh + energyExportedKwh;
  const partly = partOf(summary, comparison);
  return (
    <div className={classes.tile} data-kind="energy" data-stale={isStale}>
      <Figure label={tTerms('energy')} {...format.figure(isMeasured ? energyImportedKwh : null, 'kWh')} size="large">
        {!isMeasured && <span>{t('nothingMeasured')}</span>}
        <Compared lines={2}>
          <Change
            comparison={comparison}
            read={(side) => importOf(side === 'previous' ? comparison?.previous : (comparison?.current ?? summary))}
            shown={isMeasured ? energyImportedKwh : null}
            formatValue={(value) => format.energy(value, energyImportedKwh)}
            formatDifference={format.energyChange}
            missing={t('change.noReadingsThen')}
            hadReadings={comparison ? hasReadings(comparison.previous) : false}
            timeZone={timeZone}
          />
          {partly !== null && (
            <span className={classes.warn}>
              {t(partly.lacking === 'previous' ? 'change.measuredThen' : 'change.measuredNow', {
                share: format.percent(partly.share),
              })}
            </span>
          )}
        </Compared>
        {energyExportedKwh > 0 && <span>{t('energy.exported', { energy: format.energy(energyExportedKwh) })}</span>}
        {estimatedEnergyKwh > 0 && (
          <span className={classes.warn}>
            {t('energy.estimated', {
              energy: format.energy(estimatedEnergyKwh),
              share: format.percent(all === 0 ? null : estimatedEnergyKwh / all, 1),
            })}
          </span>
        )}
      </Figure>
    </div>
  );
}

/** This note is shown on the energy tile only, because the reason is the same for the cost. */
function partOf(summary: DashboardSummary, comparison: Comparison | null | undefined) {
  if (!comparison || comparison.isEmpty) return null;
  const { ranges, previous } = comparison;
  const current = comparison.current ?? summary;
  if (!hasReadings(current) || !hasReadings(previous)) return null;
  return partlyMeasured(
    { range: ranges.current, devices: current.devices },
    { range: ranges.previous, devices: previous.devices },
  );
}

interface MainTilesProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
  search: DashboardSearch;
  timeZone: string;
  /** The displayed numbers are still those of the previous range. */
  isStale: boolean;
  /** The link to the tariffs, shown after unpriced energy. */
  ratesLink: ReactNode;
  onExplain: () => void;
  onWhy: (currency: string) => void;
}

/** The energy and cost of the range. */
export function MainTiles(props: MainTilesProps) {
  const { summary, comparison, isStale, timeZone } = props;
  return (
    <>
      <EnergyTile summary={summary} comparison={comparison} isStale={isStale} timeZone={timeZone} />
      <CostTile {...props} />
    </>
  );
}
