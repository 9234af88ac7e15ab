import type { Bucket } from '../primitives.ts';
import type { TimeRange } from '../time.ts';
import { bucketEnd } from './buckets.ts';

/** One named quantity over the buckets of a {@link ChartData}; null if nothing is known. */
export interface ChartSeries {
  id: string;
  name: string;
  values: readonly (number | null)[];
  /** Lowest and highest reading of each bucket, if the quantity has them. */
  lows?: readonly (number | null)[];
  highs?: readonly (number | null)[];
  /** The number that determines its color: that of a site or device, or {@link nameNumber}. */
  colorNumber?: number;
  /** Drawn without a color of the palette. */
  tone?: 'dimmed';
  /** A dashed line below the other lines. If both were equal, it would cover the other line. */
  isBehind?: true;
}

/** The data of charts, their tables and their descriptions. Buckets ascend and do not overlap; their lengths may differ. */
export interface ChartData {
  startsMs: readonly number[];
  endsMs: readonly number[];
  series: readonly ChartSeries[];
}

export const emptyChartData: ChartData = { startsMs: [], endsMs: [], series: [] };

/** Buckets of one size, from the instants of the API. Buckets that the range cuts count only with their part inside. */
export function chartData(
  times: readonly string[],
  bucket: Bucket,
  timeZone: string,
  { fromMs, toMs }: TimeRange,
  series: readonly ChartSeries[],
): ChartData {
  const startsMs = times.map((time) => Date.parse(time));
  const endsMs = startsMs.map((start) => Math.min(toMs, bucketEnd(start, bucket, timeZone)));
  return { startsMs: startsMs.map((start) => Math.max(fromMs, start)), endsMs, series };
}

/** The middle of a bucket, where its average is drawn. */
export const middle = (data: ChartData, index: number): number =>
  ((data.startsMs[index] ?? NaN) + (data.endsMs[index] ?? NaN)) / 2;

/** Position of the bucket whose middle is nearest to the instant; -1 without buckets. */
export function nearestIndex(data: ChartData, atMs: number): number {
  let low = 0;
  let high = data.startsMs.length - 1;
  if (high < 0) return -1;
  while (low < high) {
    const between = (low + high) >> 1;
    if (middle(data, between) < atMs) low = between + 1;
    else high = between;
  }
  return low > 0 && atMs - middle(data, low - 1) < middle(data, low) - atMs ? low - 1 : low;
}

type Known = number | null;

/**
 * `base` with the buckets inside `window` replaced by those of `detail`, so that a zoomed chart has more detail in view and keeps
 * the rest for the slider. Series are matched by id; a series that is missing from the detail is empty there.
 */
export function withDetail(base: ChartData, detail: ChartData, window: TimeRange): ChartData {
  const before: number[] = [];
  const after: number[] = [];
  base.startsMs.forEach((start, index) => {
    if ((base.endsMs[index] ?? start) <= window.fromMs) before.push(index);
    else if (start >= window.toMs) after.push(index);
  });
  const inside = detail.startsMs.flatMap((start, index) =>
    start < window.toMs && (detail.endsMs[index] ?? start) > window.fromMs ? [index] : [],
  );
  const join = <Value>(from: readonly Value[], detailed: readonly Value[] | undefined, missing: Value): Value[] => [
    ...before.map((index) => from[index] ?? missing),
    ...inside.map((index) => detailed?.[index] ?? missing),
    ...after.map((index) => from[index] ?? missing),
  ];
  return {
    startsMs: join(base.startsMs, detail.startsMs, NaN),
    endsMs: join(base.endsMs, detail.endsMs, NaN),
    series: base.series.map((one) => {
      const own = detail.series.find(({ id }) => id === one.id);
      return {
        ...one,
        values: join<Known>(one.values, own?.values, null),
        ...(one.lows === undefined ? {} : { lows: join<Known>(one.lows, own?.lows, null) }),
        ...(one.highs === undefined ? {} : { highs: join<Known>(one.highs, own?.highs, null) }),
      };
    }),
  };
}

/** The data without the buckets for which `isLeftOut` is true. */
export function withoutBuckets(data: ChartData, isLeftOut: (startMs: number, index: number) => boolean): ChartData {
  const kept = data.startsMs.flatMap((start, index) => (isLeftOut(start, index) ? [] : [index]));
  if (kept.length === data.startsMs.length) return data;
  const pick = <Value>(values: readonly Value[], missing: Value) => kept.map((index) => values[index] ?? missing);
  return {
    startsMs: pick(data.startsMs, NaN),
    endsMs: pick(data.endsMs, NaN),
    series: data.series.map((one) => ({
      ...one,
      values: pick<Known>(one.values, null),
      ...(one.lows === undefined ? {} : { lows: pick<Known>(one.lows, null) }),
      ...(one.highs === undefined ? {} : { highs: pick<Known>(one.highs, null) }),
    })),
  };
}

/** The `count` series with the largest mean size, in their order, and the sum of all others, if there are any. */
export function largestSeries(data: ChartData, count: number, nameOthers: (count: number) => string): ChartData {
  if (data.series.length <= count) return data;
  const sized = data.series.map((one) => ({
    one,
    size: one.values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0),
  }));
  const largest = sized.toSorted((a, b) => b.size - a.size).slice(0, count - 1);
  const kept = new Set(largest.map(({ one }) => one));
  const others = data.series.filter((one) => !kept.has(one));
  const sums = data.startsMs.map((_, index) => sumOf(others, index));
  return {
    ...data,
    series: [
      ...data.series.filter((one) => kept.has(one)),
      { id: othersId, name: nameOthers(others.length), values: sums },
    ],
  };
}

/** Id of the series of {@link largestSeries} that adds up the others. */
export const othersId = 'others';

/** The sum of all series in one bucket; null if none is known. */
export function sumOf(series: readonly ChartSeries[], index: number): number | null {
  let sum: number | null = null;
  for (const { values } of series) {
    const value = values[index];
    if (value !== null && value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}

export interface ChartExtremes {
  highest: number;
  highestIndex: number;
  lowest: number;
  lowestIndex: number;
}

/** Highest and lowest value of the sum of all series (`stack`) or of any of them; null if nothing is known. */
export function extremesOf({ startsMs, series }: ChartData, isStack: boolean): ChartExtremes | null {
  let found: ChartExtremes | null = null;
  const look = (value: Known | undefined, index: number) => {
    if (value === null || value === undefined) return;
    found ??= { highest: value, highestIndex: index, lowest: value, lowestIndex: index };
    if (value > found.highest) found = { ...found, highest: value, highestIndex: index };
    if (value < found.lowest) found = { ...found, lowest: value, lowestIndex: index };
  };
  startsMs.forEach((_, index) => {
    if (isStack) look(sumOf(series, index), index);
    else for (const { values } of series) look(values[index], index);
  });
  return found;
}

/** Whether any value of any series is known. */
export const hasValues = ({ series }: ChartData): boolean =>
  series.some(({ values }) => values.some((value) => value !== null));
