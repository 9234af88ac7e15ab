import type { BucketedRow } from '../../../../shared/measurements.ts';
import { bucketEnd, bucketLength, type ChartBucket } from '../../../../shared/charts/buckets.ts';
import { emptyChartData, type ChartData, type ChartSeries } from '../../../../shared/charts/chart-data.ts';
import type { SeriesAnswer } from './queries.ts';
import type { AveragedQuantity, EnergyQuantity } from './search.ts';
import { fromLocal, startOf, toLocal } from '../../../../shared/time.ts';
import type { TimeRange } from '../../lib/time-range.ts';

/** The buckets of energy; a month is made of days. */
const energyBuckets = ['15min', 'hour', 'day', 'month'] as const satisfies readonly ChartBucket[];
type EnergyBucket = (typeof energyBuckets)[number];

/** The number of bars that can be distinguished on a wide screen, and the maximum number of bars. */
const readableBars = 200;
const drawnBars = 3_000;

const countBars = ({ fromMs, toMs }: TimeRange, bucket: EnergyBucket) => (toMs - fromMs) / bucketLength(bucket);

/** The finest bucket whose bars are distinguishable. */
export const autoEnergyBucket = (range: TimeRange): EnergyBucket =>
  energyBuckets.find((bucket) => countBars(range, bucket) <= readableBars) ?? 'month';

/** The buckets whose bars can be drawn over the range. */
export const possibleEnergyBuckets = (range: TimeRange): readonly EnergyBucket[] =>
  energyBuckets.filter((bucket) => bucket === 'month' || countBars(range, bucket) <= drawnBars);

interface EnergyParts {
  quantity: EnergyQuantity;
  bucket: EnergyBucket;
  /** The clock of the page. */
  timeZone: string;
  /** The time zone of a device's site. Its days and months are in this zone, and are shown at their date. */
  zoneOf: (deviceId: string) => string;
  nameOf: (deviceId: string) => string;
}

/**
 * The energy of several devices by bucket, on one axis. Null if nothing is known. Exported energy is shown as a positive
 * number.
 */
export function energyData(
  answers: readonly SeriesAnswer[],
  { quantity, bucket, timeZone, zoneOf, nameOf }: EnergyParts,
): ChartData {
  const range = answers[0]?.range ?? { fromMs: 0, toMs: 0 };
  const isCalendar = answers[0]?.isCalendar ?? false;
  const sums = answers.map(({ deviceId, rows }) => {
    const startOfBucket = (row: BucketedRow): number => {
      const atMs = Date.parse(row.time);
      if (bucket === '15min' || bucket === 'hour') return atMs;
      const { year, month, day } = toLocal(atMs, zoneOf(deviceId));
      const noon = fromLocal({ year, month, day, hour: 12, minute: 0, second: 0 }, timeZone);
      return startOf(bucket, noon, timeZone);
    };
    const byStart = new Map<number, number>();
    for (const row of rows) {
      const startMs = startOfBucket(row);
      byStart.set(startMs, (byStart.get(startMs) ?? 0) + row[`${quantity}Kwh`]);
    }
    return { deviceId, byStart };
  });
  const known = sums.filter(({ byStart }) => byStart.values().some((kwh) => kwh !== 0));
  const starts = [...new Set(known.flatMap(({ byStart }) => [...byStart.keys()]))].toSorted((a, b) => a - b);
  const cut = isCalendar ? { fromMs: -Infinity, toMs: Infinity } : range;
  return {
    startsMs: starts.map((start) => Math.max(cut.fromMs, start)),
    endsMs: starts.map((start) => Math.min(cut.toMs, bucketEnd(start, bucket, timeZone))),
    series: known.map(({ deviceId, byStart }) => ({
      id: deviceId,
      name: nameOf(deviceId),
      values: starts.map((start) => byStart.get(start) ?? null),
    })),
  };
}

/** The devices that are sub-meters, at any level, of another of the devices. `parentOf` knows all devices. */
export function partsOfOthers(ids: readonly string[], parentOf: ReadonlyMap<string, string | null>): Set<string> {
  const isPart = (id: string) => {
    const above = new Set<string>();
    for (let at = parentOf.get(id) ?? null; at !== null && !above.has(at); at = parentOf.get(at) ?? null) above.add(at);
    return ids.some((other) => other !== id && above.has(other));
  };
  return new Set(ids.filter(isPart));
}

/** The sum of the bars of some devices. Sub-meters are left out if their main meter is shown, too. */
export const totalOf = ({ series }: ChartData, isCounted: (deviceId: string) => boolean): number =>
  series
    .filter(({ id }) => isCounted(id))
    .reduce((sum, { values }) => values.reduce<number>((own, kwh) => own + (kwh ?? 0), sum), 0);

/** With more lines than this, the bands only cover each other. */
const maxBands = 2;

/**
 * The answers for several devices on one time axis with all their buckets. A device without a bucket is null there. Series
 * without any value of the quantity are left out. Active power has the band of its lowest and highest readings.
 */
export function seriesData(
  answers: readonly SeriesAnswer[],
  quantity: AveragedQuantity,
  timeZone: string,
  nameOf: (deviceId: string) => string,
): ChartData {
  const [first] = answers;
  if (first === undefined) return emptyChartData;
  const known = answers.filter(({ rows }) => rows.some((row) => row[quantity] !== null));
  const times = [...new Set(known.flatMap(({ rows }) => rows.map(({ time }) => time)))].toSorted();
  const { bucket } = first;
  const range = first.isCalendar ? { fromMs: -Infinity, toMs: Infinity } : first.range;
  const starts = times.map((time) => Date.parse(time));
  const hasBands = quantity === 'activePowerKw' && known.length <= maxBands;
  return {
    startsMs: starts.map((start) => Math.max(range.fromMs, start)),
    endsMs: starts.map((start) => Math.min(range.toMs, bucketEnd(start, bucket, timeZone))),
    series: known.map(({ deviceId, rows }): ChartSeries => {
      const byTime = new Map(rows.map((row) => [row.time, row]));
      const pick = (read: (row: BucketedRow) => number | null) =>
        times.map((time) => {
          const row = byTime.get(time);
          return row === undefined ? null : read(row);
        });
      return {
        id: deviceId,
        name: nameOf(deviceId),
        values: pick((row) => row[quantity]),
        ...(hasBands ? { lows: pick((row) => row.activePowerKwMin), highs: pick((row) => row.activePowerKwMax) } : {}),
      };
    }),
  };
}
