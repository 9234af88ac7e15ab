import { middle, type ChartData } from './chart-data.ts';

/** One point of a line; null breaks the line there. */
export interface LinePoint {
  atMs: number;
  value: number | null;
  index: number;
  /** No neighbour is near enough for a line, so only a dot can show this point. */
  isAlone: boolean;
}

/** The share of intervals between readings that counts as usual. The remaining ones may be outages. */
const usualShare = 0.8;
/** A reading that is later than this many usual intervals is missing. */
const patience = 1.5;

/**
 * The longest distance over which two known values are connected, by length of the buckets. A meter that sends every
 * quarter-hour has no gaps, although two of three 5-minute buckets are empty. If a meter usually sends more often, such a gap
 * is shown.
 */
function bridges(data: ChartData, known: readonly number[]): Map<number, number> {
  const distances = new Map<number, number[]>();
  for (let position = 1; position < known.length; position += 1) {
    const [index, previous] = [known[position] ?? 0, known[position - 1] ?? 0];
    const length = lengthOf(data, index);
    if (lengthOf(data, previous) !== length) continue;
    const own = distances.get(length) ?? [];
    own.push(middle(data, index) - middle(data, previous));
    distances.set(length, own);
  }
  const limits = new Map<number, number>();
  for (const [length, own] of distances) {
    own.sort((a, b) => a - b);
    limits.set(length, patience * Math.max(length, own[Math.floor((own.length - 1) * usualShare)] ?? 0));
  }
  return limits;
}

const lengthOf = (data: ChartData, index: number): number => (data.endsMs[index] ?? 0) - (data.startsMs[index] ?? 0);

const knownIndexes = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, index) => (value === null ? [] : [index]));

function belongTogether(data: ChartData, limits: Map<number, number>, one: number, other: number): boolean {
  const limit = (index: number) => limits.get(lengthOf(data, index)) ?? patience * lengthOf(data, index);
  return middle(data, other) - middle(data, one) <= Math.max(limit(one), limit(other));
}

/** The known values as points at the middle of their buckets, with a break in each gap. */
export function linePoints(data: ChartData, values: readonly (number | null)[]): LinePoint[] {
  const known = knownIndexes(values);
  const limits = bridges(data, known);
  const points: LinePoint[] = [];
  known.forEach((index, position) => {
    const previous = known[position - 1];
    const next = known[position + 1];
    const isJoined = previous !== undefined && belongTogether(data, limits, previous, index);
    const isJoining = next !== undefined && belongTogether(data, limits, index, next);
    if (previous !== undefined && !isJoined) {
      points.push({ atMs: (middle(data, previous) + middle(data, index)) / 2, value: null, index: -1, isAlone: false });
    }
    points.push({ atMs: middle(data, index), value: values[index] ?? null, index, isAlone: !isJoined && !isJoining });
  });
  return points;
}

/**
 * One value for each bucket, as stacking needs them. Empty buckets between connected values are interpolated linearly; gaps
 * stay null. Use the result only for drawing: a displayed value must be labelled as interpolated.
 */
export function bridged(data: ChartData, values: readonly (number | null)[]): (number | null)[] {
  const filled = [...values];
  const known = knownIndexes(values);
  const limits = bridges(data, known);
  for (let position = 1; position < known.length; position += 1) {
    const [from, to] = [known[position - 1] ?? 0, known[position] ?? 0];
    if (to - from < 2 || !belongTogether(data, limits, from, to)) continue;
    const [start, end] = [values[from] ?? 0, values[to] ?? 0];
    const [startMs, span] = [middle(data, from), middle(data, to) - middle(data, from)];
    for (let index = from + 1; index < to; index += 1) {
      filled[index] = start + ((end - start) * (middle(data, index) - startMs)) / span;
    }
  }
  return filled;
}

/** The data with all its series {@link bridged}. */
export const bridgedData = (data: ChartData): ChartData => ({
  ...data,
  series: data.series.map((one) => ({ ...one, values: bridged(data, one.values) })),
});
