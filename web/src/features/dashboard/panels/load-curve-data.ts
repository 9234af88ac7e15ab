import type { DashboardSummary, LoadCurve, LoadCurveGroup } from '../../../../../shared/dashboard.ts';
import { calendarDates, type TimeRange } from '../../../lib/time-range.ts';
import { add, startOf, toInstant } from '../../../../../shared/time.ts';
import type { Bucket } from '../../../../../shared/primitives.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import {
  autoBucket,
  bucketLength,
  bucketOfAtLeast,
  coarserOf,
  isFiner,
  isRunning,
} from '../../../../../shared/charts/buckets.ts';
import { chartData, withoutBuckets, type ChartData } from '../../../../../shared/charts/chart-data.ts';
import { paddedWindow } from '../../../charts/use-chart-zoom.ts';

/** The load curve has about as many points as a wide screen can show. */
export const maxPoints = 750;

/**
 * Buckets shorter than this are shown only once they are over. Until then, the sum of a site may lack devices that have not
 * sent yet.
 */
const shownWhileRunningFromMs = 3_600_000;

/** The interval that is assumed for devices without a setting, milliseconds. */
const usualIntervalMs = 900_000;

/**
 * The finest bucket in which each of several devices has a reading. In finer buckets the sum would go up and down: for a meter
 * that sends every quarter-hour, two of three 5-minute buckets are empty.
 */
export function finestBucket(devices: readonly Pick<DeviceWithSite, 'isActive' | 'expectedIntervalSeconds'>[]): Bucket {
  if (devices.length < 2) return 'minute';
  const intervals = devices
    .filter(({ isActive }) => isActive)
    .map(({ expectedIntervalSeconds: seconds }) => (seconds === null ? usualIntervalMs : seconds * 1000));
  return bucketOfAtLeast(Math.max(0, ...intervals));
}

/** A load curve and its range. */
export interface LoadCurveAnswer {
  range: TimeRange;
  curve: LoadCurve;
}

/**
 * The answer to a range of days, in the time zone of the page. A bucket of a day is each site's own day, shown at its date.
 * Shorter buckets belong to the days of sites in the east and west, so they may extend beyond the range.
 */
export function curveOfSites(curve: LoadCurve, range: TimeRange, timeZone: string): LoadCurveAnswer {
  if (calendarDates(range, timeZone) === null) return { range, curve };
  if (curve.bucket === 'day') {
    const times = curve.times.map((_, index) =>
      toInstant(startOf('day', add(index, 'day', range.fromMs, timeZone), timeZone)),
    );
    return { range, curve: { ...curve, times } };
  }
  const starts = curve.times.map((time) => Date.parse(time));
  const drawn = {
    fromMs: Math.min(range.fromMs, ...starts.slice(0, 1)),
    toMs: Math.max(range.toMs, ...starts.slice(-1).map((start) => start + bucketLength(curve.bucket))),
  };
  return { range: drawn, curve };
}

/** Without sub-meters of other devices in the curve, because the curve is stacked. */
export function summedCurve(
  curve: LoadCurve,
  devices: readonly Pick<DashboardSummary['devices'][number], 'deviceId' | 'countedIn'>[],
): LoadCurve {
  const apart = new Set(devices.flatMap(({ deviceId, countedIn }) => (countedIn === null ? [] : [deviceId])));
  return apart.size === 0 ? curve : { ...curve, series: curve.series.filter(({ id }) => !apart.has(id)) };
}

/**
 * The data of the chart for a load curve. Left out are series that are empty in the range, and a short bucket that is still
 * running.
 */
export function loadCurveData(
  curve: LoadCurve,
  timeZone: string,
  range: TimeRange,
  nowMs: number,
  nameOf: (series: LoadCurve['series'][number]) => string,
): ChartData {
  const series = curve.series
    .filter(({ averagePowerKw }) => averagePowerKw.some((value) => value !== null))
    .map((one) => ({ id: one.id, name: nameOf(one), values: one.averagePowerKw }));
  const data = chartData(curve.times, curve.bucket, timeZone, range, series);
  if (bucketLength(curve.bucket) >= shownWhileRunningFromMs) return data;
  const finished = withoutBuckets(data, (startMs) => isRunning(startMs, curve.bucket, nowMs));
  // The first reading of a range is shown at once, because half a bucket is better than an empty chart.
  return finished.series.some(({ values }) => values.some((value) => value !== null)) ? finished : data;
}

/**
 * A curve that is moved by a day or a week, so that local times of a zone coincide. An hour that does not exist on one of the
 * two days is left out.
 */
export function movedOn(
  { times, series }: LoadCurve,
  unit: 'day' | 'week',
  timeZone: string,
): Omit<LoadCurve, 'bucket'> {
  const startsMs = times.map((time) => Date.parse(time));
  const moved = startsMs.map((start) => add(1, unit, start, timeZone));
  const kept = moved.flatMap((atMs, index) => (add(-1, unit, atMs, timeZone) === startsMs[index] ? [index] : []));
  const pick = <Value>(values: readonly Value[], missing: Value) => kept.map((index) => values[index] ?? missing);
  return {
    times: pick(moved, NaN).map(toInstant),
    series: series.map((one) => ({
      ...one,
      averagePowerKw: pick(one.averagePowerKw, null),
      energyImportedKwh: pick(one.energyImportedKwh, null),
    })),
  };
}

/** The range that is requested for a zoomed part: more than is visible, so that the part can be moved. */
export const detailWindow = (zoomed: TimeRange, range: TimeRange, bucket: Bucket): TimeRange =>
  paddedWindow(zoomed, range, bucketLength(bucket));

/**
 * The bucket of a zoomed part: finer than that of the range if there is space for more points, and if the devices have readings
 * for them.
 */
export function detailBucket(
  zoomed: TimeRange | null,
  range: TimeRange,
  bucket: Bucket,
  seriesCount: number,
  finest: Bucket,
): Bucket {
  const wanted = zoomed === null ? bucket : coarserOf(finest, autoBucket(zoomed, maxPoints));
  if (zoomed === null || !isFiner(wanted, bucket)) return bucket;
  // The portal must be able to answer everything at once.
  return coarserOf(wanted, autoBucket(detailWindow(zoomed, range, bucket), Infinity, seriesCount));
}

/** The default grouping: by site if there are several sites, else by device, so that a single one has its name and color. */
export function defaultGroup(siteIds: readonly string[]): LoadCurveGroup {
  if (new Set(siteIds).size > 1) return 'site';
  return siteIds.length > 0 ? 'device' : 'total';
}

/** How many series the curve has with that stacking. */
export function countSeries(
  devices: readonly Pick<DeviceWithSite, 'siteId' | 'endUse'>[],
  group: LoadCurveGroup,
): number {
  if (group === 'total') return 1;
  if (group === 'device') return devices.length;
  return new Set(devices.map(({ siteId, endUse }) => (group === 'site' ? siteId : endUse?.toLowerCase()))).size;
}

/** The series of devices without an end use. */
export const noEndUseId = 'endUse:';
