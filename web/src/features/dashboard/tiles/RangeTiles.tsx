import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { hasReadings, partlyMeasured } from './comparison.ts';
import { CostTile } from './CostTile.tsx';
import { Figure, FigureButton } from './Figure.tsx';
import type { Comparison } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';
import classes from './Tiles.module.css';
import { Change, Compared } from './Change.tsx';
import { dayMs } from '../../../lib/time.ts';
import { tooNewIn, usualDifference } from './usual.ts';

interface UsualNoteProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
}

/** Whether a range, or its elapsed part, used more energy than usual; nothing with too few weeks. */
function UsualNote(props: UsualNoteProps) {
  const text = useUsual(props);
  return text === null ? null : <span>{text}</span>;
}

function useUsual({ summary, comparison }: UsualNoteProps): ReactNode {
  const t = useTranslations('dashboard.usual');
  const format = useFormat();
  const { usual = null, ranges, current = null } = comparison ?? {};
  if (usual === null || ranges === undefined || usual.energy === null || comparison?.isEmpty === true) return null;
  // Two instants are asked for as far as they are compared.
  const isWhole = ranges.isWhole || usual.fromDate === null;
  const { count, isMuch } = tooNewIn(usual, current ?? summary);
  if (isMuch) return t('unknown', { count });
  const difference = usualDifference(usual, current ?? summary, isWhole);
  if (difference === null) return null;
  const { share, weekCount: weeks } = difference;
  const isDay = usual.fromDate !== null && usual.toDate !== null && isNextDay(usual.fromDate, usual.toDate);
  const kind = share === 0 ? 'same' : share > 0 ? 'above' : 'below';
  const values = {
    b: emphasize,
    share: format.percent(Math.abs(share)),
    what: isDay ? format.weekdayName(`${usual.fromDate}T00:00:00Z`, 'UTC') : '',
    weeks,
    soFar: isWhole ? 'no' : 'yes',
  };
  const sentence = t.rich(`${kind}${isDay ? 'Day' : 'Range'}`, values);
  return count === 0 ? sentence : [sentence, ', ', t('without', { count })];
}

const isNextDay = (day: string, next: string) => Date.parse(next) - Date.parse(day) === dayMs;
const emphasize = (text: ReactNode) => <b>{text}</b>;

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
        <Compared lines={comparison === null ? 2 : 3}>
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
          <UsualNote summary={summary} comparison={comparison} />
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

/** Show this note on the energy tile only; cost has the same cause. */
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

interface RangeTilesProps {
  summary: DashboardSummary;
  comparison: Comparison | null | undefined;
  search: DashboardSearch;
  timeZone: string;
  /** The numbers of the range belong to the previous range. */
  isStale: boolean;
  /** The link to the tariffs, after unpriced energy. */
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
