import type { TimeRange } from '../time.ts';
import type { DrawnBars, DrawnLine, DrawnPoint, DrawnShape } from './drawing.ts';

/** Converts an instant and a value to px. */
export interface PlotScales {
  x: (atMs: number) => number;
  y: (value: number) => number;
}

/** A tenth of a pixel is finer than any screen. */
const px = (value: number): number => Math.round(value * 10) / 10;

/** The points in the window, and one more beyond each end, so that lines continue to the edge. */
export function pointsIn(points: readonly DrawnPoint[], { fromMs, toMs }: TimeRange): readonly DrawnPoint[] {
  let first = points.findIndex(({ atMs }) => atMs >= fromMs);
  if (first === -1) first = points.length;
  let last = points.findIndex(({ atMs }) => atMs > toMs);
  if (last === -1) last = points.length;
  return points.slice(Math.max(0, first - 1), last + 1);
}

/** Minimum and maximum of the drawn values in the window; null without values. */
export function extentIn(shapes: readonly DrawnShape[], window: TimeRange): { lowest: number; highest: number } | null {
  let [lowest, highest] = [Infinity, -Infinity];
  const include = (value: number) => {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  };
  for (const shape of shapes) {
    if (shape.kind === 'bars') {
      for (const { fromMs, toMs, base, value } of shape.bars) {
        if (toMs <= window.fromMs || fromMs >= window.toMs) continue;
        include(base);
        include(value);
      }
      continue;
    }
    for (const { atMs, value, base } of shape.points) {
      if (value === null || atMs < window.fromMs || atMs > window.toMs) continue;
      include(value);
      if (base !== undefined) include(base);
    }
  }
  return lowest <= highest ? { lowest, highest } : null;
}

/** The parts of a line between its breaks. */
function* runsOf(points: readonly DrawnPoint[]): Generator<(DrawnPoint & { value: number })[]> {
  let run: (DrawnPoint & { value: number })[] = [];
  for (const point of points) {
    const { value } = point;
    if (value !== null) run.push({ ...point, value });
    else if (run.length > 0) {
      yield run;
      run = [];
    }
  }
  if (run.length > 0) yield run;
}

/** The path through the values of a line. */
export function linePath(points: readonly DrawnPoint[], { x, y }: PlotScales): string {
  let path = '';
  for (const run of runsOf(points)) {
    if (run.length < 2) continue;
    path += run.map(({ atMs, value }, index) => `${index === 0 ? 'M' : 'L'}${px(x(atMs))} ${px(y(value))}`).join('');
  }
  return path;
}

/** The path around the area between the values of a line and their bases. */
export function areaPath(points: readonly DrawnPoint[], { x, y }: PlotScales): string {
  let path = '';
  for (const run of runsOf(points)) {
    if (run.length < 2) continue;
    const there = run.map(({ atMs, value }) => `${px(x(atMs))} ${px(y(value))}`);
    const back = run.map(({ atMs, base = 0 }) => `${px(x(atMs))} ${px(y(base))}`).toReversed();
    path += `M${[...there, ...back].join('L')}Z`;
  }
  return path;
}

/** The path of the dots for values that no line reaches. Draw it with round ends. */
export function dotsPath({ points }: Pick<DrawnLine, 'points'>, { x, y }: PlotScales): string {
  return points
    .flatMap(({ atMs, value, isAlone }) =>
      isAlone === true && value !== null ? [`M${px(x(atMs))} ${px(y(value))}h0`] : [],
    )
    .join('');
}

/** The share of a bucket's width that stays free beside its bars. */
const freeShare = 0.16;
const widestBar = 64;

/** The path of the bars in the window. */
export function barsPath({ bars, slot, slots }: DrawnBars, window: TimeRange, { x, y }: PlotScales): string {
  let path = '';
  for (const { fromMs, toMs, base, value } of bars) {
    if (toMs <= window.fromMs || fromMs >= window.toMs) continue;
    const [left, right] = [x(fromMs), x(toMs)];
    const width = Math.min(widestBar, ((right - left) * (1 - freeShare)) / slots);
    const start = (left + right) / 2 + (slot - slots / 2) * width;
    path += barPath(start, width, y(base), y(value));
  }
  return path;
}

/** The path of one upright bar, px. `fromY` and `toY` may be in any order. */
export const barPath = (left: number, width: number, fromY: number, toY: number): string =>
  `M${px(left)} ${px(Math.min(fromY, toY))}h${px(width)}v${px(Math.abs(toY - fromY))}h${px(-width)}Z`;

/** The path of one cell with round corners, px. */
export function cellPath(left: number, top: number, width: number, height: number, radius: number): string {
  if (radius === 0) return `M${px(left)} ${px(top)}h${px(width)}v${px(height)}h${px(-width)}Z`;
  const [r, across, down] = [radius, width - 2 * radius, height - 2 * radius];
  const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return (
    `M${px(left + r)} ${px(top)}h${px(across)}${corner(r, r)}v${px(down)}${corner(-r, r)}` +
    `h${px(-across)}${corner(-r, -r)}v${px(-down)}${corner(r, -r)}Z`
  );
}
