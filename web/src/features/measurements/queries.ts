import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import type { Bucket } from '../../../../shared/buckets.ts';
import { bucketedRow, rawMeasurementsPage, type BucketedRow } from '../../../../shared/measurements.ts';
import { fetchJson } from '../../lib/http.ts';
import { rangeKey } from '../../lib/range-key.ts';
import {
  resolveTimeRange,
  wireInstants,
  wireRange,
  type TimeRange,
  type TimeRangeSearch,
  type WireRange,
} from '../../lib/time-range.ts';
import { dayMs } from '../../lib/time.ts';
import { autoBucket } from '../../ui/charts/buckets.ts';

const refreshMs = 60_000;

/** A line has about as many points as a wide screen has pixels for it. */
export const maxPoints = 1500;

/** The buckets of one device, with the range that was asked for. */
export interface SeriesAnswer {
  deviceId: string;
  range: TimeRange;
  /** The days are those of the device's site, which may reach beyond the range of the page. */
  isCalendar: boolean;
  bucket: Bucket;
  rows: BucketedRow[];
}

const bucketedRows = z.array(bucketedRow);

interface AskedDevice {
  /** Where readings are asked for. */
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

/** `GET /api/measurements` of what the range means at the time of asking; no bucket chooses one by its length. */
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

/** The buckets of the part that is zoomed. */
export const seriesDetailQuery = (device: AskedDevice, window: TimeRange, bucket: Bucket) =>
  queryOptions({
    queryKey: ['measurements', 'series-detail', device, bucket, window.fromMs, window.toMs],
    queryFn: ({ signal }) => fetchSeries(device, window, wireInstants(window), bucket, signal),
    staleTime: refreshMs,
    placeholderData: keepPreviousData,
  });

/** Which devices; no ids are all. */
export interface AskedDevices {
  /** Where readings are asked for. */
  api: string;
  deviceIds: readonly string[];
}

/** Which raw readings. */
export interface RawFilter extends AskedDevices {
  range: WireRange;
  /** The end of the range, or the moment at which a list that goes on was opened. */
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

/** How many readings up to `toMs` are newer than the instant: the position of the first one that is not. */
export const newerCountQuery = ({ api, deviceIds }: AskedDevices, toMs: number, atMs: number) =>
  queryOptions({
    queryKey: ['measurements', 'newer', api, deviceIds.join(), toMs, atMs],
    queryFn: async ({ signal }) => {
      const range = wireInstants({ fromMs: atMs + 1, toMs });
      return atMs + 1 >= toMs ? 0 : (await fetchRaw({ api, deviceIds, range }, 1, 0, signal)).totalCount;
    },
  });

// Readings lie between 2000 and a day ahead.
const earliest = Date.UTC(2000, 0, 1);
const aheadMs = dayMs;

/** The newest reading of the devices at all, ms; null where there is none. */
export const lastReadingQuery = ({ api, deviceIds }: AskedDevices) =>
  queryOptions({
    queryKey: ['measurements', 'last', api, deviceIds.join()],
    queryFn: async ({ signal }) => {
      const filter = { api, deviceIds, range: wireInstants({ fromMs: earliest, toMs: Date.now() + aheadMs }) };
      const [newest] = (await fetchRaw(filter, 1, 0, signal)).rows;
      return newest === undefined ? null : Date.parse(newest.time);
    },
  });
