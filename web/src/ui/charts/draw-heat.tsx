import type { CategoryDrawing } from './CategoryPlot.tsx';
import { spacedLabels } from './axes.ts';
import { heatColor, hoursOfDay, type HeatData, type HeatScale } from './heatmap.ts';
import { cellPath } from './paths.ts';
import classes from './plot.module.css';
import { labelSize, textWidth } from './text-width.ts';

interface HeatParts {
  data: HeatData;
  scale: HeatScale;
  isHoursAcross: boolean;
  /** Hours between two that are named. */
  namedHours: number;
  hourLabel: (hour: number) => string;
  rowLabel: (row: string) => string;
  /** px */
  height: number;
}

/** More rows than this have no room between their cells. */
const maxPartedRows = 120;

/** A field of colored cells, hours by days; an item is `row * 24 + hour`. */
export const drawHeat =
  ({ data: { rows, cells }, scale, isHoursAcross, namedHours, hourLabel, rowLabel, height }: HeatParts) =>
  (width: number): CategoryDrawing => {
    const hours = Array.from({ length: hoursOfDay }, (_, hour) => (hour % namedHours === 0 ? hourLabel(hour) : ''));
    const days = rows.map((row) => rowLabel(row));
    const [across, down] = isHoursAcross ? [hours, days] : [days, hours];
    const left = 10 + down.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);
    const box = { left, right: Math.max(left + 1, width - 6), top: 4, bottom: height - 24 };
    const [cellWidth, cellHeight] = [
      (box.right - box.left) / Math.max(1, across.length),
      (box.bottom - box.top) / Math.max(1, down.length),
    ];
    const gap = rows.length > maxPartedRows ? 0 : 1;
    const placeOf = (row: number, hour: number) => {
      const [column, line] = isHoursAcross ? [hour, row] : [row, hour];
      return { x: box.left + column * cellWidth, y: box.top + line * cellHeight, width: cellWidth, height: cellHeight };
    };
    // One path a color: a year has 8,760 cells.
    const paths = new Map<string, string[]>();
    for (const { row, hour, value } of cells) {
      const { x, y } = placeOf(row, hour);
      const color = heatColor(value, scale);
      const path = paths.get(color) ?? [];
      path.push(cellPath(x + gap / 2, y + gap / 2, cellWidth - gap, cellHeight - gap, gap * 2));
      paths.set(color, path);
    }
    const named = (texts: readonly string[], size: number, from: number) =>
      texts.flatMap((text, index) => (text === '' ? [] : [{ at: from + (index + 0.5) * size, text }]));
    return {
      mark: 'outline',
      shapes: (
        <>
          {[...paths].map(([color, path]) => (
            <path key={color} fill={color} d={path.join('')} shapeRendering={gap === 0 ? 'crispEdges' : undefined} />
          ))}
          {spacedLabels(named(down, cellHeight, box.top), () => labelSize, 0, height).map(({ at, text }) => (
            <text key={at} x={box.left - 8} y={at} dy="0.35em" textAnchor="end" className={classes.label}>
              {text}
            </text>
          ))}
          {spacedLabels(named(across, cellWidth, box.left), ({ text }) => textWidth(text), 0, width).map(
            ({ at, text }) => (
              <text key={at} x={at} y={box.bottom + 17} textAnchor="middle" className={classes.label}>
                {text}
              </text>
            ),
          )}
        </>
      ),
      itemAt: (x, y) => {
        if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) return -1;
        const [column, line] = [Math.floor((x - box.left) / cellWidth), Math.floor((y - box.top) / cellHeight)];
        return isHoursAcross ? line * hoursOfDay + column : column * hoursOfDay + line;
      },
      boxOf: (index) => placeOf(Math.floor(index / hoursOfDay), index % hoursOfDay),
    };
  };
