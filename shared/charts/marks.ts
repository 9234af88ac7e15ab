import type { Format } from '../format.ts';
import type { TimeRange } from '../time.ts';
import { scaleOf, spacedLabels, valueAxis, type AxisLabel, type PlotBox, type ValueAxis } from './axes.ts';
import { groupLabel, type BarData } from './bars.ts';
import { stackOn, type DrawnShape } from './drawing.ts';
import { areaPath, barPath, barsPath, dotsPath, extentIn, linePath, pointsIn, type PlotScales } from './paths.ts';
import { tickLabel, timeTicks } from './time-ticks.ts';

/** A stroke with round ends and joins where it is not straight. */
interface Stroke {
  color: string;
  /** px */
  width: number;
  /** Lengths of dashes and gaps, px. */
  dash?: readonly number[];
  isRound?: true;
}

/**
 * The parts of a chart. The page draws them as SVG; reports draw them as pictures and in PDF. So they look the same everywhere.
 * The one who draws decides the colors of lines and labels.
 */
export type Mark =
  | { kind: 'path'; d: string; fill?: string; fillOpacity?: number; stroke?: Stroke }
  | { kind: 'line'; x1: number; x2: number; y1: number; y2: number; tone: 'line' | 'axis' }
  | { kind: 'text'; x: number; y: number; text: string; anchor: 'start' | 'middle' | 'end'; isStrong?: boolean };

/** The width of a label, px. */
export type TextWidth = (text: string, options?: { isStrong?: boolean }) => number;

/** Space between the labels of the value axis and the plot, px. */
export const labelSize = 11;
/** px between the labels of the value axis and the plot. */
const labelGap = 8;
/** px from the middle of a label to its baseline. */
const toBaseline = 0.35 * labelSize;
/** px from the plot down to the baseline of the labels below it. */
const belowPlot = 17;

/** Width that the labels of a value axis take at the left edge, px. */
export const valueLabelsWidth = (axis: ValueAxis, label: (value: number) => string, textWidth: TextWidth): number =>
  2 + labelGap + axis.ticks.reduce((widest, tick) => Math.max(widest, textWidth(label(tick))), 0);

interface ValueLines {
  axis: ValueAxis;
  box: PlotBox;
  unit: string;
  label: (value: number) => string;
}

/** The value axis: a line and a label for each round value, and the unit above them. */
export function valueLineMarks({ axis, box, unit, label }: ValueLines): Mark[] {
  const y = scaleOf(axis.min, axis.max, box.bottom, box.top);
  return [
    { kind: 'text', x: 2, y: box.top - 14, text: unit, anchor: 'start' },
    ...axis.ticks.flatMap((tick): Mark[] => [
      { kind: 'line', x1: box.left, x2: box.right, y1: y(tick), y2: y(tick), tone: 'line' },
      { kind: 'text', x: box.left - labelGap, y: y(tick) + toBaseline, text: label(tick), anchor: 'end' },
    ]),
  ];
}

const dashes = { dashed: [5, 4], dotted: [1.5, 3] } as const;

/** Lines, areas and bars over time. */
export const shapeMarks = (shapes: readonly DrawnShape[], visible: TimeRange, scales: PlotScales): Mark[] =>
  shapes.flatMap((shape): Mark[] => {
    const { color } = shape;
    if (shape.kind === 'bars') return [{ kind: 'path', d: barsPath(shape, visible, scales), fill: color }];
    const { width, dash, fill } = shape;
    const points = pointsIn(shape.points, visible);
    const stroke: Stroke = { color, width, ...(dash === undefined ? {} : { dash: dashes[dash] }) };
    const dots: Stroke = { color, width: 5, isRound: true };
    return [
      ...(fill === undefined
        ? []
        : [{ kind: 'path' as const, d: areaPath(points, scales), fill: color, fillOpacity: fill }]),
      ...(width > 0 ? [{ kind: 'path' as const, d: linePath(points, scales), stroke }] : []),
      { kind: 'path', d: dotsPath({ points }, scales), stroke: dots },
    ];
  });

/** Width that a label of the time axis needs, including the space to the next label, px. */
const tickRoom = 70;

interface TimeAxis {
  visible: TimeRange;
  timeZone: string;
  box: PlotBox;
  /** Size of the whole chart, px. */
  width: number;
}

const labelsBelow = (labels: readonly AxisLabel[], box: PlotBox, width: number, textWidth: TextWidth): Mark[] =>
  spacedLabels(labels, ({ text, isStrong = false }) => textWidth(text, { isStrong }), 0, width).map(
    ({ at, text, isStrong = false }) => ({
      kind: 'text',
      x: at,
      y: box.bottom + belowPlot,
      text,
      anchor: 'middle',
      isStrong,
    }),
  );

/** Labels at round local times of the zone. If they show hours, days stand out; if they show months, years do. */
export function timeAxisMarks(
  { visible, timeZone, box, width }: TimeAxis,
  { format, textWidth }: { format: Format; textWidth: TextWidth },
): Mark[] {
  const x = scaleOf(visible.fromMs, visible.toMs, box.left, box.right);
  const ticks = timeTicks(visible.fromMs, visible.toMs, timeZone, Math.max(2, Math.floor(width / tickRoom)));
  const [hasTimes, hasMonths] = (['time', 'month'] as const).map((unit) => ticks.some((tick) => tick.unit === unit));
  const labels = ticks.map((tick) => ({
    at: x(tick.atMs),
    text: tickLabel(tick, timeZone, format),
    isStrong: (tick.unit === 'day' && hasTimes === true) || (tick.unit === 'year' && hasMonths === true),
  }));
  return [
    { kind: 'line', x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, tone: 'axis' },
    ...labels.map(({ at }): Mark => ({
      kind: 'line',
      x1: at,
      x2: at,
      y1: box.bottom,
      y2: box.bottom + 4,
      tone: 'axis',
    })),
    ...labelsBelow(labels, box, width, textWidth),
  ];
}

/** Height above the plot of a chart, for its unit, px. */
export const plotTop = 26;
/** Height below the plot, for the time axis, px. */
export const axisRoom = 22;
export const valueSteps = 4;

interface Plot {
  shapes: readonly DrawnShape[];
  range: TimeRange;
  timeZone: string;
  unit: string;
  width: number;
  height: number;
}

/** A whole chart over time. */
export function plotMarks(
  { shapes, range, timeZone, unit, width, height }: Plot,
  parts: { format: Format; textWidth: TextWidth },
): Mark[] {
  const { format, textWidth } = parts;
  const axis = valueAxis(extentIn(shapes, range), true, valueSteps);
  const left = valueLabelsWidth(axis, format.axis, textWidth);
  const box = { left, right: Math.max(left + 1, width - 10), top: plotTop, bottom: height - axisRoom };
  const scales = {
    x: scaleOf(range.fromMs, range.toMs, box.left, box.right),
    y: scaleOf(axis.min, axis.max, box.bottom, box.top),
  };
  return [
    ...valueLineMarks({ axis, box, unit, label: format.axis }),
    ...shapeMarks(shapes, range, scales),
    ...timeAxisMarks({ visible: range, timeZone, box, width }, parts),
  ];
}

interface Bars {
  data: BarData;
  colorOf: ReadonlyMap<string, string>;
  unit: string;
  width: number;
  height: number;
}

const barSteps = 3;
const widestBar = 64;
/** If there are more bars than this, they stand closer together. */
const freeShare = (count: number): number => (count > 60 ? 0.12 : 0.24);

/** Bars over named groups, stacked; the plot; and the width of a group. Negative values are stacked below zero. */
export function barMarks(
  { data: { groups, series }, colorOf, unit, width, height }: Bars,
  { format, textWidth }: { format: Format; textWidth: TextWidth },
): { marks: Mark[]; box: PlotBox; band: number } {
  const stacked = stackOn(groups.length);
  const parts = series.map(({ id, values }) => ({
    id,
    ends: values.map((value, index) => (value === null ? null : stacked(index, value))),
  }));
  const values = parts.flatMap(({ ends }) => ends.flatMap((one) => (one === null ? [] : [one.value])));
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  const lowest = values.reduce((least, value) => Math.min(least, value), 0);
  const axis = valueAxis({ lowest, highest }, true, barSteps);
  const left = valueLabelsWidth(axis, format.axis, textWidth);
  const box = { left, right: Math.max(left + 1, width - 6), top: plotTop, bottom: height - 24 };
  const y = scaleOf(axis.min, axis.max, box.bottom, box.top);
  const band = (box.right - box.left) / Math.max(1, groups.length);
  const thick = Math.min(widestBar, band * (1 - freeShare(groups.length)));
  const middleOf = (index: number) => box.left + (index + 0.5) * band;
  const labels = groups.map((group, index) => ({ at: middleOf(index), text: groupLabel(group, groups, format) }));
  const marks: Mark[] = [
    ...valueLineMarks({ axis, box, unit, label: format.axis }),
    ...parts.map(({ id, ends }): Mark => {
      const d = ends
        .map((one, index) =>
          one === null ? '' : barPath(middleOf(index) - thick / 2, thick, y(one.base), y(one.value)),
        )
        .join('');
      const fill = colorOf.get(id);
      return { kind: 'path', d, ...(fill === undefined ? {} : { fill }) };
    }),
    { kind: 'line', x1: box.left, x2: box.right, y1: y(0), y2: y(0), tone: 'axis' },
    ...labelsBelow(labels, box, width, textWidth),
  ];
  return { marks, box, band };
}
