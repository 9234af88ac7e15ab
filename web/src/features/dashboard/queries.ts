import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  baseLoad,
  costBreakdown,
  type CostGroup,
  dashboardSummary,
  type DashboardSummary,
  loadCurve,
  type LoadCurveGroup,
  usualLoad,
  type UsualLoad,
} from '../../../../shared/dashboard.ts';
import type { Bucket } from '../../../../shared/primitives.ts';
import { comparedRanges, endOf, wireSoFar, type ComparedRanges } from '../../lib/compared-ranges.ts';
import { viewKey, wireChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { add } from '../../../../shared/time.ts';
import {
  resolveTimeRange,
  shiftRange,
  wireInstants,
  wirePart,
  wireRange,
  type TimeRange,
  type WireRange,
} from '../../lib/time-range.ts';
import { autoBucket, bucketLength, coarserOf } from '../../../../shared/charts/buckets.ts';
import type { RecentBucket } from './figures.ts';
import { curveOfSites, maxPoints, movedOn, type LoadCurveAnswer } from './panels/load-curve-data.ts';
import type { DashboardSearch } from './search.ts';
import { hasUsual, usualBucketOf } from './tiles/usual.ts';

const maxYears = 5;

/** The part of the range in the heatmap: its last five years that are not in the future. */
export function heatRange(range: TimeRange, timeZone: string, nowMs: number): TimeRange {
  const earliest = (toMs: number) => add(-maxYears, 'year', toMs, timeZone);
  if (range.fromMs >= earliest(range.toMs)) return range;
  const nextHourMs = (Math.floor(nowMs / 3_600_000) + 1) * 3_600_000;
  // A range in the future has no data anyway.
  const toMs = range.fromMs < nextHourMs ? Math.min(range.toMs, nextHourMs) : range.toMs;
  return { fromMs: Math.max(range.fromMs, earliest(toMs)), toMs };
}

/** How often the visible Overview refreshes. */
const refreshMs = 30_000;
/** For data that changes slowly, or is only for comparison. */
const slowRefreshMs = 60_000;
const baseLoadRefreshMs = 3_600_000;

export const recentHours = 12;

/** A range on the wire, with its devices. */
type Asked = WireRange & { until?: string; siteIds?: string; deviceIds?: string; apartDeviceIds?: string };

const fetchSummary = (query: Asked, signal: AbortSignal) =>
  fetchJson('/api/dashboard/summary', dashboardSummary, { query: { ...query }, signal });

/** The meaning of the URL's range now, for its devices. */
const askedNow = (search: DashboardSearch, timeZone: string): Asked => ({
  ...wireRange(resolveTimeRange(search, timeZone, Date.now()), timeZone),
  ...wireChoice(search),
});

/** `GET /api/dashboard/summary` for the meaning of the range at the time of the request. */
export const summaryQuery = (search: DashboardSearch, timeZone: string) =>
  queryOptions({
    queryKey: ['dashboard', 'summary', ...viewKey(search, timeZone)],
    queryFn: ({ signal }) => fetchSummary(askedNow(search, timeZone), signal),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });

export interface Comparison {
  ranges: ComparedRanges;
  /** Nothing of the range has arrived yet: there is nothing to compare. */
  isEmpty: boolean;
  /** The part of the range for which all readings have arrived; null if that is the whole range. */
  current: DashboardSummary | null;
  previous: DashboardSummary;
  /** Null if the range is too long for it, or if it failed: nothing else waits for it. */
  usual: UsualLoad | null;
}

/** Up to where a range can be compared now, because readings in transit would look like lower consumption, and where it ends. */
export async function arrivalOf(
  client: QueryClient,
  search: DashboardSearch,
  timeZone: string,
  range: TimeRange,
  nowMs: number,
) {
  const summary = await client.fetchQuery({ ...summaryQuery(search, timeZone), staleTime: refreshMs });
  return { untilMs: Math.min(nowMs, Date.parse(summary.arrivedUntil)), endMs: endOf(range, summary) };
}

const fetchUsual = (query: Asked, whole: TimeRange, signal: AbortSignal) =>
  fetchJson('/api/dashboard/usual', usualLoad, { query: { ...query, bucket: usualBucketOf(whole) }, signal });

/** `GET /api/dashboard/usual`, of the range, and up to where all readings have arrived. */
export const usualQuery = (search: DashboardSearch, timeZone: string) =>
  queryOptions({
    queryKey: ['dashboard', 'usual', ...viewKey(search, timeZone)],
    queryFn: ({ signal }) =>
      fetchUsual(askedNow(search, timeZone), resolveTimeRange(search, timeZone, Date.now()), signal),
    // The comparison waits for it, and does without it.
    retry: false,
  });

/** What the range is compared with; null if it has not begun. */
export const comparisonQuery = (search: DashboardSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'comparison', ...viewKey(search, timeZone)],
    queryFn: async ({ client, signal }): Promise<Comparison | null> => {
      const nowMs = Date.now();
      const range = resolveTimeRange(search, timeZone, nowMs);
      if (comparedRanges(range, timeZone, nowMs) === null) return null;
      const [{ untilMs, endMs }, asUsual] = await Promise.all([
        arrivalOf(client, search, timeZone, range, nowMs),
        hasUsual(range) ? client.fetchQuery(usualQuery(search, timeZone)).catch(() => null) : null,
      ]);
      const passed = comparedRanges(range, timeZone, nowMs, endMs);
      if (passed === null) return null;
      const usualUntilMs = asUsual === null ? untilMs : Date.parse(asUsual.until);
      const arrived = comparedRanges(range, timeZone, Math.min(nowMs, usualUntilMs), endMs);
      const ranges = arrived ?? passed;
      const askedPart = (whole: TimeRange, part: TimeRange) => ({
        ...wirePart(whole, part, timeZone),
        ...wireChoice(search),
      });
      // The clock of this browser may be behind that of the portal.
      const endsEarlier = asUsual !== null && !ranges.isWhole && ranges.current.toMs !== usualUntilMs;
      const [previous, current, usual] = await Promise.all([
        fetchSummary(askedPart(shiftRange(range, -1, timeZone), ranges.previous), signal),
        ranges.isWhole ? null : fetchSummary(askedPart(range, ranges.current), signal),
        endsEarlier ? fetchUsual(askedPart(range, ranges.current), range, signal).catch(() => null) : asUsual,
      ]);
      return { ranges, isEmpty: arrived === null, current, previous, usual };
    },
    refetchInterval: isLive ? slowRefreshMs : false,
  });

const fetchLoadCurve = (range: Asked, bucket: Bucket, groupBy: LoadCurveGroup, signal: AbortSignal) =>
  fetchJson('/api/dashboard/load-curve', loadCurve, { query: { ...range, bucket, groupBy }, signal });

/** The stacking of the load curve, and how many series that gives. */
export interface LoadCurveStack {
  group: LoadCurveGroup;
  seriesCount: number;
  /** The minimum bucket. */
  finest: Bucket;
  /** Ids of devices that are drawn separately. */
  apart?: string;
}

const wireApart = (apart: string | undefined) => (apart === undefined ? {} : { apartDeviceIds: apart });

/** `GET /api/dashboard/load-curve` with the requested range; refreshed as long as new readings can fall into the range. */
export const loadCurveQuery = (search: DashboardSearch, timeZone: string, stack: LoadCurveStack, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'load-curve', ...Object.values(stack), ...viewKey(search, timeZone)],
    queryFn: async ({ signal }) => {
      const range = resolveTimeRange(search, timeZone, Date.now());
      const bucket = coarserOf(stack.finest, autoBucket(range, maxPoints, stack.seriesCount));
      const curve = await fetchLoadCurve(
        { ...wireRange(range, timeZone), ...wireChoice(search), ...wireApart(stack.apart) },
        bucket,
        stack.group,
        signal,
      );
      return curveOfSites(curve, range, timeZone);
    },
    refetchInterval: isLive ? refreshMs : false,
    placeholderData: keepPreviousData,
  });

/** The total of the same range a day or a week earlier, moved to the compared range, at the same local times. */
export const earlierCurveQuery = (search: DashboardSearch, timeZone: string, unit: 'day' | 'week', finest: Bucket) =>
  queryOptions({
    queryKey: ['dashboard', 'earlier', unit, finest, ...viewKey(search, timeZone)],
    queryFn: async ({ signal }) => {
      const range = resolveTimeRange(search, timeZone, Date.now());
      const earlier = { fromMs: add(-1, unit, range.fromMs, timeZone), toMs: add(-1, unit, range.toMs, timeZone) };
      const curve = await fetchLoadCurve(
        { ...wireRange(earlier, timeZone), ...wireChoice(search) },
        coarserOf('15min', finest),
        'total',
        signal,
      );
      return curveOfSites({ ...curve, ...movedOn(curve, unit, timeZone) }, range, timeZone);
    },
    refetchInterval: slowRefreshMs,
  });

/** The load curve of the zoomed part, in finer buckets. */
export const loadCurveDetailQuery = (
  choice: DeviceChoice,
  window: TimeRange,
  bucket: Bucket,
  { group, apart }: Pick<LoadCurveStack, 'group' | 'apart'>,
) =>
  queryOptions({
    queryKey: ['dashboard', 'load-curve-detail', group, apart, bucket, window.fromMs, window.toMs, wireChoice(choice)],
    queryFn: async ({ signal }) => ({
      range: window,
      curve: await fetchLoadCurve(
        { ...wireInstants(window), ...wireChoice(choice), ...wireApart(apart) },
        bucket,
        group,
        signal,
      ),
    }),
    staleTime: refreshMs,
  });

/** The average power of the chosen devices by hour, with the requested part of the range. */
export const hoursQuery = (search: DashboardSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'hours', ...viewKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<LoadCurveAnswer> => {
      const nowMs = Date.now();
      const range = heatRange(resolveTimeRange(search, timeZone, nowMs), timeZone, nowMs);
      return {
        range,
        curve: await fetchLoadCurve({ ...wireRange(range, timeZone), ...wireChoice(search) }, 'hour', 'total', signal),
      };
    },
    refetchInterval: isLive ? slowRefreshMs : false,
    placeholderData: keepPreviousData,
  });

/** The power of the chosen devices, for the sparkline next to the current one. */
export const recentPowerQuery = (choice: DeviceChoice, bucket: RecentBucket) =>
  queryOptions({
    queryKey: ['dashboard', 'recent', bucket, wireChoice(choice)],
    queryFn: ({ signal }) => {
      const length = bucketLength(bucket);
      const toMs = Math.floor(Date.now() / length) * length;
      const range = wireInstants({ fromMs: toMs - recentHours * 3_600_000, toMs });
      return fetchLoadCurve({ ...range, ...wireChoice(choice) }, bucket, 'total', signal);
    },
    refetchInterval: slowRefreshMs,
  });

/** The base load at the end of the range; it changes once a night. */
export const baseLoadQuery = (search: DashboardSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'base-load', ...viewKey(search, timeZone)],
    queryFn: ({ signal }) =>
      fetchJson('/api/dashboard/base-load', baseLoad, { query: { ...askedNow(search, timeZone) }, signal }),
    refetchInterval: isLive ? baseLoadRefreshMs : false,
    placeholderData: keepPreviousData,
  });

/** The base load of each device. */
export const nightsQuery = (search: DashboardSearch, timeZone: string) =>
  queryOptions({
    queryKey: ['dashboard', 'nights', ...viewKey(search, timeZone)],
    queryFn: ({ signal }) => {
      const query = { ...askedNow(search, timeZone), groupBy: 'device' };
      return fetchJson('/api/dashboard/base-load', baseLoad, { query, signal });
    },
  });

/** `GET /api/dashboard/cost-breakdown`: the lines of the range's cost, up to now. */
export const costBreakdownQuery = (search: DashboardSearch, timeZone: string, group: CostGroup, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'cost-breakdown', group, ...viewKey(search, timeZone)],
    queryFn: ({ signal }) => {
      const nowMs = Date.now();
      const range = wireSoFar(resolveTimeRange(search, timeZone, nowMs), timeZone, nowMs);
      const query = { ...range, ...wireChoice(search), group };
      return fetchJson('/api/dashboard/cost-breakdown', costBreakdown, { query, signal });
    },
    refetchInterval: isLive ? refreshMs : false,
    placeholderData: keepPreviousData,
  });

/** The power of each device in a quarter-hour or hour, and the total. */
export const momentQuery = (choice: DeviceChoice, moment: TimeRange) =>
  queryOptions({
    queryKey: ['dashboard', 'moment', moment.fromMs, moment.toMs, wireChoice(choice)],
    queryFn: async ({ signal }) => {
      const bucket = moment.toMs - moment.fromMs < bucketLength('hour') ? '15min' : 'hour';
      const asked = { ...wireInstants(moment), ...wireChoice(choice) };
      const [devices, total] = await Promise.all([
        fetchLoadCurve(asked, bucket, 'device', signal),
        fetchLoadCurve(asked, bucket, 'total', signal),
      ]);
      return { devices, total };
    },
    placeholderData: keepPreviousData,
  });
