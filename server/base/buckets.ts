import { type AskedRange, type CalendarDates, daysIn, lengthOf, type SiteRanges } from './ranges.ts';
import { message, refuse } from './errors.ts';
import { dayMicros, dayStarts, microsPerSecond, steadyIntervals } from './instants.ts';

export type BucketSize = 'minute' | '5min' | '15min' | 'hour' | 'day';

const seconds = { minute: 60, '5min': 300, '15min': 900, hour: 3600, day: 86_400 } as const satisfies Record<
  BucketSize,
  number
>;
const coarser = { minute: '5min', '5min': '15min', '15min': 'hour', hour: 'day', day: null } as const satisfies Record<
  BucketSize,
  BucketSize | null
>;

/**
 * The approximate number of buckets in a range of this length. It is exact, except for `hour` and `day` near a clock change.
 */
export function countBuckets(lengthMicros: number, size: BucketSize): number {
  return Math.ceil(lengthMicros / (seconds[size] * microsPerSecond));
}

/**
 * Rejects a range with more buckets than decisions.md 4 allows or, with several series, with more values in total than is
 * reasonable to send. Names the next coarser bucket.
 */
export function refuseTooManyBuckets(
  size: BucketSize,
  range: AskedRange,
  limits: { bucketsMax: number; seriesValuesMax: number },
  seriesCount = 1,
): void {
  const count = countBuckets(lengthOf(range), size);
  if (count <= limits.bucketsMax && count * seriesCount <= limits.seriesValuesMax) return;
  const next = coarser[size];
  const advice = next === null ? message('chooseShorterRange') : message('chooseBucket', { bucket: next });
  throw count > limits.bucketsMax
    ? refuse('tooManyBuckets', { count, bucket: size, max: limits.bucketsMax, advice })
    : refuse('tooManyValues', { count, bucket: size, series: seriesCount, max: limits.seriesValuesMax, advice });
}

/**
 * The starts of all buckets that a range touches, ascending, and the end of the last one, in epoch microseconds.
 * `hour` and `day` are full local hours and days of the zone: a spring day has 23 hours, an autumn day 25, and an hour of a
 * half-hour zone starts at half past in UTC. A clock change by a fraction of an hour starts a bucket of its own.
 */
export function bucketEdges(fromMicros: number, toMicros: number, size: BucketSize, timeZone: string): number[] {
  if (size === 'day') return dayStarts({ fromMicros, toMicros }, timeZone).map(({ micros }) => micros);
  if (size === 'hour') return hourEdges(fromMicros, toMicros, timeZone);
  const step = seconds[size] * microsPerSecond;
  const edges: number[] = [];
  let edge = Math.floor(fromMicros / step) * step;
  for (; edge < toMicros; edge += step) edges.push(edge);
  edges.push(edge);
  return edges;
}

/**
 * The edges of the buckets of a query, for devices in a time zone. All zones share the edges of `sharedZone`, except for days
 * of local dates. Then each site has days of its own, one for each date (an empty one if the zone skipped the date), so that
 * the buckets of all sites correspond.
 */
export function siteEdges(ranges: SiteRanges, size: BucketSize, sharedZone: string): (timeZone: string) => number[] {
  const { all, dates } = ranges;
  if (size !== 'day' || dates === null) {
    const edges = bucketEdges(all.fromMicros, all.toMicros, size, sharedZone);
    return () => edges;
  }
  const known = new Map<string, number[]>();
  return (timeZone) => known.getOrInsertComputed(timeZone, () => dateEdges(dates, timeZone));
}

/** The starts of the dates and the end of the last one; a date that the zone skipped begins where the next one does. */
function dateEdges(dates: CalendarDates, timeZone: string): number[] {
  const inUtc = daysIn(dates, 'UTC');
  const starts = dayStarts(daysIn(dates, timeZone), timeZone);
  const edges: number[] = [];
  let at = 0;
  for (let day = inUtc.fromMicros / dayMicros; day <= inUtc.toMicros / dayMicros; day += 1) {
    while ((starts[at]?.dayNumber ?? day) < day) at += 1;
    edges.push(starts[at]?.micros ?? NaN);
  }
  return edges;
}

/** The positions of the buckets that have begun by now in the zone of at least one device, and that end after `untilMicros`. */
export function bucketsBeyond(
  ranges: SiteRanges,
  size: BucketSize,
  sharedZone: string,
  timeZones: readonly string[],
  untilMicros: number,
  nowMicros: number,
): Set<number> {
  const edgesOf = siteEdges(ranges, size, sharedZone);
  return new Set(
    timeZones.flatMap((timeZone) => {
      if (untilMicros >= ranges.of(timeZone).toMicros) return [];
      return edgesOf(timeZone).flatMap((edge, next, edges) =>
        edge > untilMicros && next > 0 && (edges[next - 1] ?? 0) <= nowMicros ? [next - 1] : [],
      );
    }),
  );
}

function hourEdges(fromMicros: number, toMicros: number, timeZone: string): number[] {
  const step = seconds.hour * microsPerSecond;
  const edges: number[] = [];
  // Between two changes of the offset, local hours have equal lengths. The search starts far enough outside the range to
  // include the edges around it.
  for (const steady of steadyIntervals(fromMicros - 2 * step, toMicros + 2 * step, timeZone)) {
    const { fromMicros: start, toMicros: end, offsetMicros } = steady;
    edges.push(start);
    const hour = Math.floor((start + offsetMicros) / step) * step - offsetMicros;
    for (let edge = hour + step; edge < end; edge += step) edges.push(edge);
  }
  const first = edges.findLastIndex((edge) => edge <= fromMicros);
  return edges.slice(first, edges.findIndex((edge) => edge >= toMicros) + 1);
}
