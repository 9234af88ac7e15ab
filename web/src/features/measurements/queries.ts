import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueries,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { z } from 'zod';
import type { Bucket } from '../../../../shared/primitives.ts';
import { bucketedRow, rawMeasurementsPage, type BucketedRow } from '../../../../shared/measurements.ts';
import { rawIntervalsPage } from '../../../../shared/intervals.ts';
import { chosenDevices, type ChosenDevices } from '../../lib/chosen-devices.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { fetchJson } from '../../lib/http.ts';
import { keptMeasured } from '../../lib/kept-range.ts';
import { ownApi } from '../../lib/readings-api.ts';
import {
  resolveTimeRange,
  wireInstants,
  wireRange,
  type TimeRange,
  type TimeRangeSearch,
  type WireRange,
  rangeKey,
} from '../../lib/time-range.ts';
import { dayMs } from '../../../../shared/time.ts';
import { autoBucket, bucketLength, isFiner } from '../../../../shared/charts/buckets.ts';
import { useMemo, useState } from 'react';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { withDetail, type ChartData } from '../../../../shared/charts/chart-data.ts';
import { paddedWindow } from '../../charts/use-chart-zoom.ts';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import { defaultQuantity, isEnergy, type MeasurementsSearch } from './search.ts';

interface SeriesParts {
  api: string;
  search: MeasurementsSearch;
  range: ResolvedTimeRange;
  /** The zoomed part, once the reader has stopped zooming. */
  zoomed: TimeRange | null;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  /** Undefined leaves the choice to the length of the range. */
  chosenBucket: Bucket | undefined;
  /** Whether the zoomed part may have finer buckets than the rest of the range. */
  hasDetail: boolean;
  /** The data of the chart, made from the answers. */
  read: (answers: readonly SeriesAnswer[]) => ChartData;
  /** The kind of the chart. A chart of another kind is not kept. */
  kind: string;
}

interface Answers {
  /** Undefined until the answers for all devices have arrived. */
  answers: SeriesAnswer[] | undefined;
  error: Error | null;
}

const combined = (results: UseQueryResult<SeriesAnswer>[]): Answers => {
  const answers = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    answers: answers.length === results.length ? answers : undefined,
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
};

/**
 * The chart of the chosen devices. While another view loads, the previous chart stays (`isStale`). If the portal chooses the
 * bucket, a zoomed part gets finer buckets.
 */
export function useSeries(parts: SeriesParts) {
  const { api, search, range, zoomed, timeZone, devices, chosenBucket, hasDetail, read, kind } = parts;
  const base = useQueries({
    queries: devices.map(({ id }) => seriesQuery({ api, deviceId: id }, search, timeZone, chosenBucket, range.isLive)),
    combine: combined,
  });
  const bucket: Bucket = base.answers?.[0]?.bucket ?? chosenBucket ?? autoBucket(range, maxPoints);
  const zoomBucket = zoomed === null ? bucket : autoBucket(zoomed, maxPoints);
  const canBeFiner = hasDetail && zoomed !== null && isFiner(zoomBucket, bucket);
  const isDetailed = canBeFiner && chosenBucket === undefined;
  const window = paddedWindow(zoomed ?? range, range, bucketLength(bucket));
  const detail = useQueries({
    queries: isDetailed ? devices.map(({ id }) => seriesDetailQuery({ api, deviceId: id }, window, zoomBucket)) : [],
    combine: combined,
  });

  const data = useMemo(() => {
    if (base.answers === undefined) return undefined;
    const whole = read(base.answers);
    const [first] = detail.answers ?? [];
    if (first === undefined || detail.answers === undefined) return whole;
    return withDetail(whole, read(detail.answers), first.range);
  }, [base.answers, detail.answers, read]);

  const [kept, setKept] = useState({ answers: base.answers, data, kind });
  if (base.answers !== undefined && base.answers !== kept.answers) setKept({ answers: base.answers, data, kind });
  return {
    data: data ?? (kept.kind === kind ? kept.data : undefined),
    isStale: data === undefined,
    error: data === undefined ? base.error : null,
    /** The bucket of the visible part. */
    bucket: isDetailed && detail.answers?.[0] !== undefined ? zoomBucket : bucket,
    /**
     * Whether the buckets are coarser than they could be: the user chose them, and the visible part has space for finer ones.
     */
    isCoarse: canBeFiner && chosenBucket !== undefined,
    /** Whether any device has any reading in the range, of any quantity. */
    hasReadings: base.answers?.some(({ rows }) => rows.length > 0) ?? true,
  };
}

const refreshMs = 60_000;

/** A line has about as many points as a wide screen has pixels for it. */
export const maxPoints = 1500;

/** The buckets of one device, with the requested range. */
export interface SeriesAnswer {
  deviceId: string;
  range: TimeRange;
  /** Days are those of the device's site, so they may extend beyond the range of the page. */
  isCalendar: boolean;
  bucket: Bucket;
  rows: BucketedRow[];
}

const bucketedRows = z.array(bucketedRow);

interface AskedDevice {
  /** The API that the readings come from. */
  api: string;
  deviceId: string;
}

async function fetchSeries(
  { api, deviceId }: AskedDevice,
  range: TimeRange,
  wire: WireRange,
  bucket: Bucket,
  signal: AbortSignal,
): Promise<SeriesAnswer> {
  const query = { deviceId, ...wire, bucket };
  return {
    deviceId,
    range,
    isCalendar: 'fromDate' in wire,
    bucket,
    rows: await fetchJson(`${api}/measurements`, bucketedRows, { query, signal }),
  };
}

/**
 * `GET /api/measurements` for the range as it is at the time of the request. Without a bucket, the portal chooses one by the
 * length of the range.
 */
export const seriesQuery = (
  device: AskedDevice,
  search: TimeRangeSearch,
  timeZone: string,
  bucket: Bucket | undefined,
  isLive: boolean,
) =>
  queryOptions({
    queryKey: ['measurements', 'series', device.api, device.deviceId, bucket ?? 'auto', ...rangeKey(search, timeZone)],
    queryFn: ({ signal }) => {
      const range = resolveTimeRange(search, timeZone, Date.now());
      return fetchSeries(device, range, wireRange(range, timeZone), bucket ?? autoBucket(range, maxPoints), signal);
    },
    refetchInterval: isLive ? refreshMs : false,
  });

/** With more lines than this, a chart is unreadable. */
export const maxCharted = 6;

/** The devices that the page shows: those of the URL, otherwise those that were shown last, otherwise all. */
export function shownDevices(api: string, search: MeasurementsSearch, all: readonly DeviceWithSite[]): ChosenDevices {
  const shown = chosenDevices(search.devices ?? keptMeasured(api), all);
  return shown.devices.length === 0 && search.devices === undefined ? chosenDevices(undefined, all) : shown;
}

/** Requests the lines of the chart while the page is still drawn for the first time. */
export async function beginMeasurements(client: QueryClient, search: MeasurementsSearch): Promise<void> {
  const [user, devices] = await Promise.all([
    client.ensureQueryData(currentUserQuery),
    client.ensureQueryData(devicesQuery),
  ]);
  const timeZone = search.tz ?? user?.displayTimeZone;
  if (timeZone === undefined || isEnergy(search.quantity ?? defaultQuantity)) return;
  const bucket = search.bucket === 'month' ? undefined : search.bucket;
  for (const { id } of shownDevices(ownApi, search, devices).devices.slice(0, maxCharted))
    void client.prefetchQuery(seriesQuery({ api: ownApi, deviceId: id }, search, timeZone, bucket, false));
}

/** The buckets of the part that is zoomed. */
export const seriesDetailQuery = (device: AskedDevice, window: TimeRange, bucket: Bucket) =>
  queryOptions({
    queryKey: ['measurements', 'series-detail', device, bucket, window.fromMs, window.toMs],
    queryFn: ({ signal }) => fetchSeries(device, window, wireInstants(window), bucket, signal),
    staleTime: refreshMs,
    placeholderData: keepPreviousData,
  });

/** The devices; an empty list means all. */
export interface AskedDevices {
  /** The API that the readings come from. */
  api: string;
  deviceIds: readonly string[];
}

/** Which raw readings are requested. */
export interface RawFilter extends AskedDevices {
  range: WireRange;
  /** The end of the range. For a range that is running: the moment at which the list was opened. */
  toMs: number;
}

export const rawPageSize = 200;

const fetchRaw = (
  { api, deviceIds, range }: Omit<RawFilter, 'toMs'>,
  limit: number,
  offset: number,
  signal: AbortSignal,
) =>
  fetchJson(`${api}/measurements/raw`, rawMeasurementsPage, {
    query: { deviceIds: deviceIds.join(','), ...range, limit, offset },
    signal,
  });

/** One page of `GET /api/measurements/raw`, newest first; pages count from 0. */
export const rawPageQuery = (filter: RawFilter, page: number) =>
  queryOptions({
    queryKey: [
      'measurements',
      'raw',
      filter.api,
      filter.deviceIds.join(),
      ...Object.values(filter.range),
      filter.toMs,
      page,
    ],
    queryFn: ({ signal }) => fetchRaw(filter, rawPageSize, page * rawPageSize, signal),
    staleTime: Infinity,
  });

/** `GET /api/measurements/intervals`, newest first, page by page. */
export const intervalsQuery = ({ api, deviceIds }: AskedDevices, range: WireRange) =>
  infiniteQueryOptions({
    queryKey: ['measurements', 'intervals', api, deviceIds.join(), ...Object.values(range)],
    queryFn: ({ signal, pageParam }) =>
      fetchJson(`${api}/measurements/intervals`, rawIntervalsPage, {
        query: { deviceIds: deviceIds.join(','), ...range, limit: rawPageSize, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount, offset, rows }) =>
      offset + rows.length < totalCount && rows.length > 0 ? offset + rows.length : undefined,
    select: ({ pages }) => ({
      totalCount: pages[0]?.totalCount ?? 0,
      rows: pages.flatMap(({ rows }) => rows),
    }),
  });

/**
 * The number of readings that are newer than the instant, up to `toMs`. This is the position of the first reading that is not
 * newer.
 */
export const newerCountQuery = ({ api, deviceIds }: AskedDevices, toMs: number, atMs: number) =>
  queryOptions({
    queryKey: ['measurements', 'newer', api, deviceIds.join(), toMs, atMs],
    queryFn: async ({ signal }) => {
      const range = wireInstants({ fromMs: atMs + 1, toMs });
      return atMs + 1 >= toMs ? 0 : (await fetchRaw({ api, deviceIds, range }, 1, 0, signal)).totalCount;
    },
  });

// Readings are from 2000 up to a day ahead.
const earliest = Date.UTC(2000, 0, 1);
const aheadMs = dayMs;

/** The newest reading of the devices in any range, ms; null if there is none. */
export const lastReadingQuery = ({ api, deviceIds }: AskedDevices) =>
  queryOptions({
    queryKey: ['measurements', 'last', api, deviceIds.join()],
    queryFn: async ({ signal }) => {
      const filter = { api, deviceIds, range: wireInstants({ fromMs: earliest, toMs: Date.now() + aheadMs }) };
      const [newest] = (await fetchRaw(filter, 1, 0, signal)).rows;
      return newest === undefined ? null : Date.parse(newest.time);
    },
  });
