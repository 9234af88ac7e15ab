import type { DashboardSummary, LoadCurve, LoadCurveGroup } from '../../../../../shared/dashboard.ts';
import { calendarDates, type TimeRange } from '../../../lib/time-range.ts';
import { add, startOf, toInstant } from '../../../../../shared/time.ts';
import type { Bucket } from '../../../../../shared/buckets.ts';
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

/** Shorter buckets are shown once they are over: until then a site's sum may lack devices that have not sent yet. */
const shownWhileRunningFromMs = 3_600_000;

/** The assumed interval of a device without a setting, milliseconds. */
const usualIntervalMs = 900_000;

/**
 * The finest bucket in which each of several devices has a reading. In finer ones the sum would alternate between devices: for a
 * meter that sends each quarter-hour, two of three 5-minute buckets are empty.
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
 * The answer to a range of days, in the time zone of the page. A bucket of a day is each site's own day, shown at its
 * date. Shorter buckets in the days of sites to the east and west extend beyond the range.
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

/** Without the sub-meters of other devices of the curve, because it is stacked. */
export function summedCurve(
  curve: LoadCurve,
  devices: readonly Pick<DashboardSummary['devices'][number], 'deviceId' | 'countedIn'>[],
): LoadCurve {
  const apart = new Set(devices.flatMap(({ deviceId, countedIn }) => (countedIn === null ? [] : [deviceId])));
  return apart.size === 0 ? curve : { ...curve, series: curve.series.filter(({ id }) => !apart.has(id)) };
}

/** The chart data of a load curve: without series that are empty in the range, and without a short running bucket. */
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
  // The first reading of a range is shown at once: half a bucket is better than an empty chart.
  return finished.series.some(({ values }) => values.some((value) => value !== null)) ? finished : data;
}

/** A curve moved by a day or a week, at the same local times of a zone. An hour that one of the two days lacks is left out. */
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

/** The requested range when a part is zoomed in: more than is visible, so that the part can be moved. */
export const detailWindow = (zoomed: TimeRange, range: TimeRange, bucket: Bucket): TimeRange =>
  paddedWindow(zoomed, range, bucketLength(bucket));

/** The bucket for zooming in: finer than that of the range if the part has room for it, and the devices have readings. */
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

/** The default stacking: by whatever there is more than one of. */
export function defaultGroup(siteIds: readonly string[]): LoadCurveGroup {
  if (new Set(siteIds).size > 1) return 'site';
  return siteIds.length > 1 ? 'device' : 'total';
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
