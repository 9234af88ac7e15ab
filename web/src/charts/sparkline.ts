/** A reading of a small line: `at` and `value` in any unit. */
export interface SparkPoint {
  at: number;
  value: number;
}

export interface SparkShape {
  /** SVG path data of the line and of the area between it and zero; breaks where readings are further apart than `bridge`. */
  line: string;
  area: string;
  /** The position of the last reading; null without readings. */
  last: { x: number; y: number } | null;
}

/** Counts by hour as points. The last hour is left out because it is incomplete: a steady line would seem to fall. */
export const pointsOfWholeHours = (countsByHour: readonly number[]): SparkPoint[] =>
  countsByHour.slice(0, -1).map((value, at) => ({ at, value }));

interface Box {
  width: number;
  height: number;
  /** Space above and below, so that strokes are not cut off. */
  padding: number;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/**
 * The shape of the points between `from` and `to`; the points ascend. The scale always includes zero, so that small changes
 * look small.
 */
export function sparkShape(
  points: readonly SparkPoint[],
  { from, to, bridge }: { from: number; to: number; bridge: number },
  { width, height, padding }: Box,
): SparkShape {
  const shown = points.filter(({ at }) => at >= from && at <= to);
  const bottom = Math.min(0, ...shown.map(({ value }) => value));
  // If all values are zero, the line is at the bottom.
  const top = Math.max(bottom === 0 ? Number.MIN_VALUE : 0, ...shown.map(({ value }) => value));
  const span = top - bottom;
  const x = (at: number) => rounded(((at - from) / (to - from)) * width);
  const y = (value: number) => rounded(padding + ((top - value) / span) * (height - 2 * padding));
  const zero = y(0);
  let line = '';
  let area = '';
  let start: SparkPoint | null = null;
  shown.forEach((point, index) => {
    const previous = shown[index - 1];
    const next = shown[index + 1];
    if (previous === undefined || start === null || point.at - previous.at > bridge) {
      start = point;
      line += `M${x(point.at)} ${y(point.value)}`;
      area += `M${x(point.at)} ${zero}`;
    } else {
      line += `L${x(point.at)} ${y(point.value)}`;
    }
    area += `L${x(point.at)} ${y(point.value)}`;
    if (next === undefined || next.at - point.at > bridge) area += `L${x(point.at)} ${zero}Z`;
  });
  const end = shown.at(-1);
  return { line, area, last: end === undefined ? null : { x: x(end.at), y: y(end.value) } };
}
