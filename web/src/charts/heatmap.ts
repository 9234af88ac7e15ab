import { parseHex, toHex } from '../../../shared/colors.ts';
import { tint } from '../../../shared/palette.ts';
import type { ChartColors } from '../../../shared/charts/drawing.ts';

/** One known cell: its column is the hour, its row the day (or month), both by position. */
export interface HeatCell {
  hour: number;
  row: number;
  value: number;
  /** The number of hours that it represents: 2 for a repeated hour, more if a row is a month. */
  count: number;
  /** From the start of its first hour to the end of its last one, ms. */
  fromMs: number;
  toMs: number;
}

/** Hours of the day by rows. A cell that is missing has no known value. */
export interface HeatData {
  /** Local dates (`YYYY-MM-DD`) or months (`YYYY-MM`), ascending. */
  rows: readonly string[];
  cells: readonly HeatCell[];
}

export const hoursOfDay = 24;

/** With more days than this, each day is a column, so that everything stays visible. With fewer, each day is a row. */
const maxRowsBelow = 45;

export interface HeatLayout {
  /** True if hours run to the right and days run down. Otherwise days run to the right and hours run down. */
  isHoursAcross: boolean;
  /** px, with the labels. */
  height: number;
  /** px; a field that is larger than its container scrolls. */
  minWidth: number;
}

/** px per row on paper if there are many days, so that a month fits below another panel. */
const printedCell = 11;

/** The layout of a heatmap with this many rows. It is known before the data arrives, so nothing moves then. */
export function heatLayout(rowCount: number, isPrinting = false): HeatLayout {
  const labels = 30;
  if (rowCount > maxRowsBelow) {
    return { isHoursAcross: false, height: hoursOfDay * 13 + labels, minWidth: rowCount * 2 + 50 };
  }
  const cell = rowCount <= 1 ? 44 : rowCount <= 8 ? 28 : rowCount <= 16 ? 20 : isPrinting ? printedCell : 14;
  return { isHoursAcross: true, height: Math.max(1, rowCount) * cell + labels, minWidth: 0 };
}

export interface HeatScale {
  min: number;
  max: number;
  /** From `min` to `max`. */
  colors: string[];
}

/** Colors for import from zero up and, if there is any export, for export below zero. */
export function heatScale(cells: readonly Pick<HeatCell, 'value'>[], colors: ChartColors): HeatScale {
  const highest = cells.reduce((max, { value }) => Math.max(max, value), 0);
  const lowest = cells.reduce((min, { value }) => Math.min(min, value), 0);
  const [imported = colors.text, exported = colors.dimmed] = [colors.series[0], colors.series[2]];
  const nearNothing = tint(imported, colors.surface, 0.07);
  const shades = (color: string) => [tint(color, colors.surface, 0.45), color, tint(color, colors.text, 0.55)];
  // A scale of length zero would have no colors.
  const size = Math.max(highest, -lowest) || 1;
  if (lowest >= 0) return { min: 0, max: size, colors: [nearNothing, ...shades(imported)] };
  return { min: -size, max: size, colors: [...shades(exported).toReversed(), nearNothing, ...shades(imported)] };
}

/** More colors than the eye can distinguish, but so few that cells share colors. */
const colorSteps = 96;

/** The color of a value: a mix of two colors of the scale, with this many steps over the whole scale. */
export function heatColor(value: number, { min, max, colors }: HeatScale): string {
  const share = Math.min(1, Math.max(0, (value - min) / (max - min)));
  const at = (Math.round(share * colorSteps) / colorSteps) * (colors.length - 1);
  const below = Math.min(colors.length - 2, Math.floor(at));
  const [from, to] = [parseHex(colors[below] ?? ''), parseHex(colors[below + 1] ?? '')];
  if (from === null || to === null) return colors[0] ?? '';
  const mixed = (part: 'r' | 'g' | 'b') => from[part] + (to[part] - from[part]) * (at - below);
  return toHex({ r: mixed('r'), g: mixed('g'), b: mixed('b') });
}

/** The cell at an hour of a row by `row * 24 + hour`. */
export function cellsByPlace({ cells }: HeatData): Map<number, HeatCell> {
  return new Map(cells.map((cell) => [cell.row * hoursOfDay + cell.hour, cell]));
}

/** The cell to which an arrow key leads, by `row * 24 + hour`. Null for other keys. */
export function heatStep(place: number | null, key: string, rowCount: number, isHoursAcross: boolean): number | null {
  const last = rowCount * hoursOfDay - 1;
  const [across, down] = isHoursAcross ? [1, hoursOfDay] : [hoursOfDay, 1];
  const moves: Record<string, number> = {
    ArrowRight: across,
    ArrowLeft: -across,
    ArrowDown: down,
    ArrowUp: -down,
    Home: -last,
    End: last,
  };
  const move = moves[key];
  if (move === undefined) return null;
  if (place === null) return key === 'End' || key === 'ArrowLeft' || key === 'ArrowUp' ? last : 0;
  if (Math.abs(move) === last) return move > 0 ? last : 0;
  const next = place + move;
  return next < 0 || next > last ? place : next;
}
