import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconChartAreaLine } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { apartId, type DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { colorNumbers } from '../../../lib/devices.ts';
import { nameNumber, withColorNumbers } from '../../../../../shared/charts/drawing.ts';
import { deviceNames, viewKey } from '../../../lib/device-choice.ts';
import { calendarDates, type TimeRange } from '../../../lib/time-range.ts';
import { autoBucket, coarserOf, fitsSeries } from '../../../../../shared/charts/buckets.ts';
import { emptyChartData, largestSeries, withDetail } from '../../../../../shared/charts/chart-data.ts';
import { TimeChart } from '../../../charts/TimeChart.tsx';
import { useChartColors } from '../../../charts/use-chart-colors.ts';
import { useChartZoom } from '../../../charts/use-chart-zoom.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import { BlockSkeleton } from '../../../ui/Skeletons.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { changesOf, mostChanged, stackedChanges } from '../changes.ts';
import classes from '../Dashboard.module.css';
import { GroupControl } from './GroupControl.tsx';
import {
  countSeries,
  defaultGroup,
  detailBucket,
  detailWindow,
  finestBucket,
  loadCurveData,
  type LoadCurveAnswer,
  maxPoints,
  noEndUseId,
  summedCurve,
} from './load-curve-data.ts';
import { comparisonQuery, earlierCurveQuery, loadCurveDetailQuery, loadCurveQuery } from '../queries.ts';
import { loadCurveGroups, referenceIds, referencesOf, type CurveGroup, type DashboardSearch } from '../search.ts';
import { hasBand, hasUsual, usualData } from '../tiles/usual.ts';
import { loadCurvePlace } from '../view.ts';
import { useHasRole } from '../../../lib/current-user.ts';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { NoReadingsInRange } from '../../../entities/NoReadingsInRange.tsx';
import { lastReadingMs } from '../figures.ts';

interface LoadCurvePanelProps {
  search: DashboardSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  summary: DashboardSummary;
  onGroup: (group: CurveGroup) => void;
  onReference: (id: string, isShown: boolean) => void;
  onRange: (range: TimeRange) => void;
  /** Receives the zoom for the URL when it has settled. */
  onZoom: (zoom: string | undefined) => void;
}

/** With more series than this, they cannot be distinguished. */
const maxSeries = 8;
const chartHeight = 360;
/** The printed height leaves space for the related panels on the same sheet. */
const printedHeight = 240;
/** The height includes the toolbar above and the line below. */
const placeHeight = chartHeight + 78;

const withoutChoice = ({ sites: _sites, devices: _devices, ...rest }: DashboardSearch): DashboardSearch => rest;

/** The power over the range, stacked. If the user zooms in far, finer buckets of that part are requested. */
export function LoadCurvePanel(props: LoadCurvePanelProps) {
  const { search: view, range: asked, timeZone, devices, summary, onGroup, onReference, onRange, onZoom } = props;
  const t = useTranslations('dashboard');
  const tTerms = useTranslations('terms');
  const tCharts = useTranslations('charts');
  const chosen = view.group ?? defaultGroup(devices.map(({ siteId }) => siteId));
  const isChanged = chosen === 'changed';
  const isPrinting = usePrinting();
  const compared = useQuery(comparisonQuery(view, timeZone, asked.isLive));
  const comparison = compared.data;
  const changes = isChanged ? changesOf(summary, comparison) : undefined;
  const maxStacked = Math.min(devices.length, stackedChanges(useChartColors()));
  const changedIds = mostChanged(changes?.changes ?? [], maxStacked).join();
  const search = isChanged ? { ...withoutChoice(view), devices: changedIds } : view;
  const group = isChanged ? 'device' : chosen;
  const hasReferences = () => !isChanged && hasUsual(asked);
  const usual = comparison?.usual ?? null;
  // The band belongs to the other devices, so the devices that are shown apart are drawn on top of it.
  const newDevices =
    hasReferences() && usual !== null && hasBand(usual) && referencesOf(view).includes('usual')
      ? usual.devicesWithoutUsual
      : [];
  const apart = newDevices.length === 0 ? {} : { apart: newDevices.toSorted().join() };
  const seriesCount = isChanged ? maxStacked : countSeries(devices, group);
  const finest = finestBucket(devices);
  const fits = fitsSeries(asked, 'day', seriesCount);
  const isAsked = fits && (!isChanged || changedIds !== '');
  // Drawn in several pieces of work, so that the page responds in between.
  const curve = useDeferredValue(
    useQuery({
      ...loadCurveQuery(search, timeZone, { group, seriesCount, finest, ...apart }, asked.isLive),
      enabled: isAsked,
    }),
  );
  // The days of sites in other zones extend beyond those of the page.
  const isCalendar = calendarDates(asked, timeZone) !== null;
  const range = isCalendar && curve.data !== undefined && !curve.isPlaceholderData ? curve.data.range : asked;
  const { zoom, settled, setZoom } = useChartZoom(range, viewKey(view, timeZone).join(), {
    text: search.zoom,
    keep: onZoom,
  });

  const bucket = curve.data?.curve.bucket ?? coarserOf(finest, autoBucket(range, maxPoints, seriesCount));
  const zoomBucket = detailBucket(settled, range, bucket, seriesCount, finest);
  const isDetailed = zoomBucket !== bucket;
  const detail = useQuery({
    ...loadCurveDetailQuery(search, detailWindow(settled ?? range, range, bucket), zoomBucket, { group, ...apart }),
    enabled: isDetailed && isAsked,
    placeholderData: keepPreviousData,
  });

  const newCount = newDevices.length;
  const failed = [curve, ...(isChanged ? [compared] : [])].find(({ isError }) => isError);
  const shownBucket = isDetailed && detail.data !== undefined ? zoomBucket : bucket;

  const names = useMemo(() => deviceNames(devices), [devices]);
  const numbers = useMemo(() => colorNumbers(devices), [devices]);
  const fixedNames = useMemo(
    () =>
      new Map([
        ['total', tTerms('allDevices')],
        [noEndUseId, t('noEndUse')],
        [apartId, t('newDevices', { count: newCount })],
      ]),
    [t, tTerms, newCount],
  );
  const data = useMemo(() => {
    if (curve.data === undefined) return emptyChartData;
    const nameOf = ({ id, name }: { id: string; name: string }) => fixedNames.get(id) ?? names.get(id) ?? name;
    const read = (answer: LoadCurveAnswer, atMs: number) =>
      loadCurveData(
        isChanged ? answer.curve : summedCurve(answer.curve, summary.devices),
        timeZone,
        answer.range,
        atMs,
        nameOf,
      );
    const base = read(curve.data, curve.dataUpdatedAt);
    const whole =
      isDetailed && detail.data !== undefined
        ? withDetail(base, read(detail.data, detail.dataUpdatedAt), detail.data.range)
        : base;
    const isApart = ({ id }: { id: string }) => id === apartId;
    const own = { ...whole, series: whole.series.filter((one) => !isApart(one)) };
    const largest = largestSeries(own, isChanged ? maxStacked : maxSeries, (count) => tCharts('others', { count }));
    const onTop = whole.series.filter(isApart).map((one) => ({ ...one, tone: 'dimmed' as const }));
    return withColorNumbers({ ...largest, series: [...largest.series, ...onTop] }, (id) =>
      id.startsWith(noEndUseId) ? nameNumber(id) : numbers.get(id),
    );
  }, [
    curve.data,
    curve.dataUpdatedAt,
    detail.data,
    detail.dataUpdatedAt,
    isDetailed,
    isChanged,
    maxStacked,
    timeZone,
    names,
    fixedNames,
    tCharts,
    summary.devices,
    numbers,
  ]);

  const earlier = (unit: 'day' | 'week') => ({
    ...earlierCurveQuery(view, timeZone, unit, finest),
    enabled: referencesOf(view).includes(unit) && hasReferences(),
  });
  const [dayBefore, weekBefore] = [useQuery(earlier('day')).data, useQuery(earlier('week')).data];
  const isCompared = hasReferences();
  const isAnswered = comparison !== undefined;
  const shownIds = referencesOf(view).join();
  const { fromMs, toMs } = range;
  const references = useMemo(() => {
    if (!isCompared) return [];
    const curveOf = (id: 'day' | 'week', answer: LoadCurveAnswer | undefined) =>
      answer === undefined
        ? null
        : loadCurveData(answer.curve, timeZone, answer.range, Infinity, () => t(`with.${id}`));
    const dataOf = {
      usual: usual === null ? null : usualData(usual, timeZone, { fromMs, toMs }, t('with.usual')),
      day: curveOf('day', dayBefore),
      week: curveOf('week', weekBefore),
    };
    // While it loads, its place in the legend is kept.
    const hasNoUsual = isAnswered && (usual === null || !hasBand(usual));
    return referenceIds.map((id) => ({
      id,
      name: t(`with.${id}`),
      isShown: shownIds.split(',').includes(id),
      data: dataOf[id],
      isAbsent: id === 'usual' && hasNoUsual,
    }));
  }, [isCompared, isAnswered, shownIds, usual, dayBefore, weekBefore, fromMs, toMs, timeZone, t]);

  const isOffered: Record<CurveGroup, boolean> = {
    site: true,
    device: true,
    endUse: devices.some(({ endUse }) => endUse !== null),
    changed: devices.length > maxSeries,
    total: true,
  };
  return (
    <div id={loadCurvePlace} className={classes.panel}>
      <Panel
        title={t('loadCurve')}
        actions={
          <GroupControl
            label={t('groupBy')}
            value={chosen}
            groups={loadCurveGroups.filter((one) => one === chosen || isOffered[one])}
            onChange={onGroup}
          />
        }
      >
        {!fits ? (
          <EmptyState icon={<IconChartAreaLine size={22} stroke={1.75} />} title={t('tooManySeries.title')}>
            {t('tooManySeries.text', { count: seriesCount })}
          </EmptyState>
        ) : changes === null ? (
          <EmptyState icon={<IconChartAreaLine size={22} stroke={1.75} />} title={t('nothingChanged.title')}>
            {t('nothingChanged.text')}
          </EmptyState>
        ) : curve.data === undefined ? (
          <div className={classes.chartPlace} style={{ height: placeHeight }}>
            {failed !== undefined ? (
              <ErrorState compact error={failed.error} onRetry={() => void failed.refetch()} />
            ) : (
              <BlockSkeleton height="100%" />
            )}
          </div>
        ) : (
          <div data-stale={curve.isPlaceholderData} className="until-answered">
            <TimeChart
              title={t('loadCurve')}
              data={data}
              kind="stack"
              unit="kW"
              range={range}
              zoom={zoom}
              onZoom={setZoom}
              onUseAsRange={onRange}
              timeZone={timeZone}
              height={isPrinting ? printedHeight : chartHeight}
              empty={<NothingInRange range={asked} timeZone={timeZone} summary={summary} onRange={onRange} />}
              note={[
                tCharts('averages', { bucket: tCharts(`each.${shownBucket}`) }),
                ...(newCount === 0 ? [] : [t('newApart', { count: newCount })]),
              ].join(' · ')}
              references={references}
              onReference={onReference}
            />
          </div>
        )}
      </Panel>
    </div>
  );
}

interface NothingInRangeProps {
  range: TimeRange;
  timeZone: string;
  summary: DashboardSummary;
  onRange: (range: TimeRange) => void;
}

/**
 * Shown instead of the load curve if the range has no readings. Links to the last readings, or explains how to send the first.
 */
function NothingInRange({ range, timeZone, summary, onRange }: NothingInRangeProps) {
  const t = useTranslations('dashboard.empty');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  const lastMs = lastReadingMs(summary);
  const icon = <IconChartAreaLine size={22} stroke={1.75} />;
  if (lastMs === null) {
    const action = isAdmin ? <LinkButton to="/settings/api-keys">{tTerms('goToApiKeys')}</LinkButton> : undefined;
    return (
      <EmptyState icon={icon} title={tTerms('noReadingsYet')} action={action}>
        {isAdmin ? t('sendReadings') : tTerms('waitForReadings')}
      </EmptyState>
    );
  }
  return <NoReadingsInRange icon={icon} range={range} timeZone={timeZone} lastMs={lastMs} onRange={onRange} />;
}
