import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import type { DeviceState } from '../../../lib/live-state.ts';
import { resolveTimeRange, type TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Sparkline } from '../../../charts/Sparkline.tsx';
import { Figure, FigureButton } from './Figure.tsx';
import { countStates, recentBucket, recentPoints } from '../figures.ts';
import { comparisonQuery, recentHours, recentPowerQuery, baseLoadQuery } from '../queries.ts';
import { RangeTiles } from './RangeTiles.tsx';
import classes from './Tiles.module.css';
import type { DashboardSearch } from '../search.ts';

interface BaseLoadTileProps extends Pick<StatTilesProps, 'onNights'> {
  search: DashboardSearch;
  timeZone: string;
  isLive: boolean;
}

/** A line without a word. */
const placeOfNote = '\u00A0';

/** The power used when nobody is there, and its cost per year. */
function BaseLoadTile({ search, timeZone, isLive, onNights }: BaseLoadTileProps) {
  const t = useTranslations('dashboard.baseLoad');
  const format = useFormat();
  const { data, isLoadingError, isPlaceholderData } = useQuery(baseLoadQuery(search, timeZone, isLive));
  const tUsual = useTranslations('dashboard.usual');
  const tNights = useTranslations('dashboard.nights');
  const { baseLoadKw = null, costs = [], unpricedKw = 0, nightCount = 0, devicesLeftOut = [] } = data ?? {};
  const aYear = format.list(costs.map(({ currency, perYear }) => format.moneyAbout(perYear, currency)));
  return (
    <div className={classes.tile} data-whole-row data-stale={isPlaceholderData}>
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

interface StatTilesProps {
  search: DashboardSearch;
  timeZone: string;
  isLive: boolean;
  summary: DashboardSummary;
  devices: readonly DeviceWithSite[];
  /** The state of each device by its id. */
  states: ReadonlyMap<string, DeviceState>;
  /** The numbers of the range belong to the range before. */
  isStale: boolean;
  /** The link to the tariffs, after unpriced energy. */
  ratesLink: ReactNode;
  onExplain: () => void;
  onWhy: (currency: string) => void;
  /** Shows a quarter-hour and who drew how much then. */
  onMoment: (moment: TimeRange) => void;
  /** Shows the devices that are in a state. */
  onState: (state: DeviceState) => void;
  /** Shows which devices run at night. */
  onNights: () => void;
}

const hourMs = 3_600_000;

/** The figures at the head of the Overview: the power of now, what the range took and cost, then its other figures. */
export function StatTiles(props: StatTilesProps) {
  const { search, timeZone, isLive, summary, devices, states, isStale } = props;
  const { ratesLink, onExplain, onWhy, onMoment, onState, onNights } = props;
  const t = useTranslations('dashboard');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const bucket = recentBucket(devices);
  const recent = useQuery(recentPowerQuery(search, bucket));
  const comparison = useQuery(comparisonQuery(search, timeZone, isLive));
  const compared = comparison.isError ? undefined : comparison.data;
  const range = resolveTimeRange(search, timeZone, nowMs);
  const counts = countStates(states.values());
  // Devices that are offline now do not matter for a past range.
  const measured = summary.devices.filter(({ averagePowerKw }) => averagePowerKw !== null).length;
  const points = recentPoints(recent.data, summary.currentPowerKw, nowMs);

  return (
    <dl className={classes.tiles} data-currencies={summary.costs.length} data-five>
      <div className={classes.power}>
        <Figure label={tTerms('powerNow')} {...format.figure(summary.currentPowerKw, 'kW')} size="main">
          {t('currentDevices', { current: summary.currentDeviceCount, active: summary.activeDeviceCount })}
        </Figure>
        <dd className={classes.spark}>
          <Sparkline
            points={points}
            from={nowMs - recentHours * hourMs}
            to={nowMs}
            bridge={1.5 * hourMs}
            label={t('recentPower', { hours: recentHours })}
          />
          <span className={classes.sparkNote} aria-hidden>
            {t('lastHours', { hours: recentHours })}
          </span>
        </dd>
      </div>
      <RangeTiles
        summary={summary}
        comparison={compared}
        search={search}
        timeZone={timeZone}
        isStale={isStale}
        ratesLink={ratesLink}
        onExplain={onExplain}
        onWhy={onWhy}
        onMoment={onMoment}
      />
      <BaseLoadTile search={search} timeZone={timeZone} isLive={isLive} onNights={onNights} />
      <div className={classes.tile} data-stale={isStale}>
        <Figure label={t('powerFactor')} value={format.number(summary.averagePowerFactor, 3)}>
          {summary.averagePowerFactor === null ? t('noReactivePower') : t('ofRange')}
        </Figure>
      </div>
      <div className={classes.tile}>
        <Figure
          label={t('activeDevices')}
          value={t('activeCount', { active: summary.activeDeviceCount, all: states.size })}
        >
          {range.fromMs < nowMs && range.toMs <= nowMs ? (
            <span data-stale={isStale}>{t('states.measured', { count: measured })}</span>
          ) : (
            <StateNote counts={counts} onState={onState} />
          )}
        </Figure>
      </div>
    </dl>
  );
}

interface StateNoteProps {
  counts: ReturnType<typeof countStates>;
  onState: StatTilesProps['onState'];
}

function StateNote({ counts, onState }: StateNoteProps) {
  const t = useTranslations('dashboard.states');
  const tTerms = useTranslations('terms');
  const { live, silent, noData } = counts;
  return (
    <>
      <span>{t('live', { count: live })}</span>
      {silent > 0 && (
        <FigureButton isWarning onClick={() => onState('silent')}>
          {tTerms('silentCount', { count: silent })}
        </FigureButton>
      )}
      {noData > 0 && (
        <FigureButton onClick={() => onState('noData')}>{tTerms('withoutData', { count: noData })}</FigureButton>
      )}
    </>
  );
}
