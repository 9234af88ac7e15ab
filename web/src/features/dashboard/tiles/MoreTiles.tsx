import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { baseLoadQuery } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';
import { hasReadings } from './comparison.ts';
import { Figure, FigureButton } from './Figure.tsx';
import classes from './Tiles.module.css';

interface PowerTilesProps {
  summary: DashboardSummary;
  timeZone: string;
  isStale: boolean;
  /** Shows a quarter-hour, and the power of each device in it. */
  onMoment: (moment: TimeRange) => void;
}

const quarterMs = 15 * 60_000;

/** The peak and the average of the range. */
export function PowerTiles({ summary, timeZone, isStale, onMoment }: PowerTilesProps) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  const { peakAt } = summary;
  const showPeak = (fromMs: number) => onMoment({ fromMs, toMs: fromMs + quarterMs });
  return (
    <>
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

interface BaseLoadTileProps {
  search: DashboardSearch;
  timeZone: string;
  isLive: boolean;
  /** Shows which devices run at night. */
  onNights: () => void;
}

/** A line without text. */
const placeOfNote = '\u00A0';

/** The base load, and its cost per year. */
function BaseLoadTile({ search, timeZone, isLive, onNights }: BaseLoadTileProps) {
  const t = useTranslations('dashboard.baseLoad');
  const format = useFormat();
  const { data, isLoadingError, isPlaceholderData } = useQuery(baseLoadQuery(search, timeZone, isLive));
  const tUsual = useTranslations('dashboard.usual');
  const tNights = useTranslations('panels.nights');
  const { baseLoadKw = null, costs = [], unpricedKw = 0, nightCount = 0, devicesLeftOut = [] } = data ?? {};
  const aYear = format.list(costs.map(({ currency, perYear }) => format.moneyAbout(perYear, currency)));
  return (
    <div className={classes.tile} data-stale={isPlaceholderData}>
      <Figure label={t('title')} {...format.figure(baseLoadKw, 'kW')}>
        {isLoadingError
          ? t('failed')
          : data === undefined
            ? placeOfNote
            : baseLoadKw === null
              ? t('fewNights')
              : costs.length === 0
                ? t('nights', { count: nightCount })
                : t(costs.length === 1 ? 'cost' : 'severalCosts', { aYear, count: nightCount })}
        {costs.length > 0 &&
          unpricedKw > 0 &&
          `, ${t('unpriced', { power: format.power(unpricedKw, baseLoadKw ?? 0) })}`}
        {baseLoadKw !== null && devicesLeftOut.length > 0 && `, ${tUsual('without', { count: devicesLeftOut.length })}`}
        {baseLoadKw !== null && (
          <>
            {' '}
            <FigureButton onClick={onNights}>{tNights('open')}</FigureButton>
          </>
        )}
      </Figure>
    </div>
  );
}

interface MoreTilesProps extends BaseLoadTileProps {
  summary: DashboardSummary;
  isStale: boolean;
  /** Shows a quarter-hour, and the power of each device in it. */
  onMoment: (moment: TimeRange) => void;
}

/** The other figures of the range, below its load curve. */
export function MoreTiles({ search, timeZone, isLive, summary, isStale, onMoment, onNights }: MoreTilesProps) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  return (
    <dl className={classes.tiles}>
      <PowerTiles summary={summary} timeZone={timeZone} isStale={isStale} onMoment={onMoment} />
      <BaseLoadTile search={search} timeZone={timeZone} isLive={isLive} onNights={onNights} />
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('powerFactor')} value={format.number(summary.averagePowerFactor, 3)}>
          {summary.averagePowerFactor === null ? t('noReactivePower') : t('ofRange')}
        </Figure>
      </div>
    </dl>
  );
}
