import { scaleOf, spacedLabels, valueAxis } from './axes.ts';
import type { BarData } from './bars.ts';
import type { CategoryDrawing } from './CategoryPlot.tsx';
import { stackOn } from './drawing.ts';
import { barPath } from './paths.ts';
import classes from './plot.module.css';
import { textWidth } from './text-width.ts';
import { ValueLines, valueLabelsWidth } from './ValueLines.tsx';

interface BarsParts {
  data: BarData;
  colorOf: ReadonlyMap<string, string>;
  unit: string;
  axisLabel: (group: string) => string;
  axisValue: (value: number) => string;
  /** px */
  height: number;
}

const valueSteps = 3;
const widestBar = 64;
/** Many bars stand closer. */
const freeShare = (count: number): number => (count > 60 ? 0.12 : 0.24);

/** Stacked bars over named groups; what is negative is stacked below zero. */
export const drawBars =
  ({ data: { groups, series }, colorOf, unit, axisLabel, axisValue, height }: BarsParts) =>
  (width: number): CategoryDrawing => {
    const stacked = stackOn(groups.length);
    const parts = series.map(({ id, values }) => ({
      id,
      ends: values.map((value, index) => (value === null ? null : stacked(index, value))),
    }));
    const values = parts.flatMap(({ ends }) => ends.flatMap((one) => (one === null ? [] : [one.value])));
    const highest = values.reduce((most, value) => Math.max(most, value), 0);
    const lowest = values.reduce((least, value) => Math.min(least, value), 0);
    const axis = valueAxis({ lowest, highest }, true, valueSteps);
    const left = valueLabelsWidth(axis, axisValue);
    const box = { left, right: Math.max(left + 1, width - 6), top: 26, bottom: height - 24 };
    const y = scaleOf(axis.min, axis.max, box.bottom, box.top);
    const band = (box.right - box.left) / Math.max(1, groups.length);
    const thick = Math.min(widestBar, band * (1 - freeShare(groups.length)));
    const middleOf = (index: number) => box.left + (index + 0.5) * band;
    const labels = groups.map((group, index) => ({ at: middleOf(index), text: axisLabel(group) }));
    return {
      mark: 'shade',
      shapes: (
        <>
          <ValueLines axis={axis} box={box} unit={unit} label={axisValue} />
          {parts.map(({ id, ends }) => (
            <path
              key={id}
              fill={colorOf.get(id)}
              d={ends
                .map((one, index) =>
                  one === null ? '' : barPath(middleOf(index) - thick / 2, thick, y(one.base), y(one.value)),
                )
                .join('')}
            />
          ))}
          <line x1={box.left} x2={box.right} y1={y(0)} y2={y(0)} className={classes.axis} />
          {spacedLabels(labels, ({ text }) => textWidth(text), 0, width).map(({ at, text }) => (
            <text key={at} x={at} y={box.bottom + 17} textAnchor="middle" className={classes.label}>
              {text}
            </text>
          ))}
        </>
      ),
      itemAt: (x, at) =>
        x < box.left || x >= box.right || at < box.top || at > box.bottom ? -1 : Math.floor((x - box.left) / band),
      boxOf: (index) => ({
        x: box.left + index * band,
        y: box.top,
        width: band,
        height: box.bottom - box.top,
      }),
    };
  };
