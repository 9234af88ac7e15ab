import type { BucketedRow } from '../../../../shared/measurements.ts';
import { bucketEnd } from '../../ui/charts/buckets.ts';
import { emptyChartData, type ChartData, type ChartSeries } from '../../ui/charts/chart-data.ts';
import type { SeriesAnswer } from './queries.ts';
import type { AveragedQuantity } from './search.ts';

/** With more lines their bands only cover each other. */
const maxBands = 2;

/**
 * The answers of several devices on one time axis: the union of their buckets, null where a device has none. Series without
 * any value of the quantity are left out. Active power has the band of its lowest and highest readings.
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
