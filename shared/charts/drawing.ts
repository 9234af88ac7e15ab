import { hasValues, middle, othersId, type ChartData } from './chart-data.ts';
import { linePoints } from './gaps.ts';

/** The colors of one scheme, mixed in advance. */
export interface ChartColors {
  series: readonly string[];
  /** The color of the series that adds up those without a color of their own. */
  others: string;
  text: string;
  dimmed: string;
  surface: string;
}

interface Colored {
  id: string;
  colorNumber?: number;
  tone?: 'others' | 'dimmed';
}

/**
 * The color of each series by id. A site, device or tariff period has the palette color of its number, and keeps it everywhere.
 * If several series in one chart have the same color, the one with the lowest number keeps it, and each of the others takes the
 * next free color. Then come series without a number, in their order. Colors repeat if there are more series than colors.
 */
export function colorsById(series: readonly Colored[], colors: ChartColors): Map<string, string> {
  const { series: palette } = colors;
  const byId = new Map(series.map(({ id, tone }) => [id, tone === undefined ? colors.others : colors[tone]]));
  const ordered = series
    .filter(({ id, tone }) => id !== othersId && tone === undefined)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  let free = new Set<number>();
  for (const { id, colorNumber = 0 } of ordered) {
    if (free.size === 0) free = new Set(palette.keys());
    let place = colorNumber % palette.length;
    while (!free.has(place)) place = (place + 1) % palette.length;
    free.delete(place);
    byId.set(id, palette[place] ?? colors.text);
  }
  return byId;
}

const rankOf = ({ colorNumber = Number.MAX_SAFE_INTEGER }: Colored): number => colorNumber;

/**
 * A number for the color of something that only has a name, such as a tariff period. The same name gives the same color
 * everywhere.
 */
export function nameNumber(name: string): number {
  // With these factors, common names of periods in one tariff get different colors in palettes of eight to ten.
  let number = 1;
  for (const letter of name.trim().toLowerCase()) number = (number * 151 + (letter.codePointAt(0) ?? 0)) % 99_991;
  return number;
}

/** Charges of a bill are gray, beside the colors of tariff periods. */
export const toneOfCharge: Readonly<Record<string, 'others' | 'dimmed' | undefined>> = {
  fixedCharge: 'dimmed',
  vat: 'others',
};

/** The series with the numbers of their sites or devices. */
export const withColorNumbers = (data: ChartData, numberOf: (id: string) => number | undefined): ChartData => ({
  ...data,
  series: data.series.map((one) => {
    const colorNumber = numberOf(one.id);
    return colorNumber === undefined ? one : { ...one, colorNumber };
  }),
});

/** A point of a line or an area. */
export interface DrawnPoint {
  atMs: number;
  /** Null breaks the line there. */
  value: number | null;
  /** The other edge of an area; 0 if the edge is the axis. */
  base?: number;
  /** No line reaches this point. It is drawn as a dot, because it would be invisible otherwise. */
  isAlone?: boolean;
}

/** A line, an area, or both. */
export interface DrawnLine {
  kind: 'line';
  id: string;
  color: string;
  /** px; 0 draws no line. */
  width: number;
  dash?: 'dashed' | 'dotted';
  /** The opacity of the fill between the values and their bases, 0 to 1; no fill without it. */
  fill?: number;
  points: readonly DrawnPoint[];
}

/** One bar per bucket. The bars of a bucket share its width. */
export interface DrawnBars {
  kind: 'bars';
  id: string;
  color: string;
  /** The position of the bar in its bucket, from 0 to `slots` - 1. */
  slot: number;
  slots: number;
  bars: readonly { fromMs: number; toMs: number; base: number; value: number }[];
}

export type DrawnShape = DrawnLine | DrawnBars;

type Known = number | null | undefined;

const fallbackColor = '#808080';

/**
 * Stacked areas of data with bridged gaps: import above zero, export below. The two sides are separate stacks. So a series that
 * changes its sign does not draw a slanted wedge through the others.
 */
export function stackedAreas(data: ChartData, colors: ReadonlyMap<string, string>): DrawnLine[] {
  const isSingle = data.series.length === 1;
  return (['import', 'export'] as const).flatMap((side) => {
    const height = data.startsMs.map(() => 0);
    return data.series.flatMap(({ id, values }): DrawnLine[] => {
      const onSide = (value: Known): boolean => !isNothing(value) && (side === 'import' ? value > 0 : value < 0);
      // Zero values are not drawn, because a line along the border of another area would give it a wrong color.
      const isDrawn = (index: number): boolean =>
        onSide(values[index]) ||
        (!isNothing(values[index]) &&
          (onSide(values[index - 1]) || onSide(values[index + 1]) || (isSingle && side === 'import')));
      const drawn = values.map((_, index) => isDrawn(index));
      if (!drawn.includes(true)) return [];
      const points = values.map((value, index): DrawnPoint => {
        const atMs = middle(data, index);
        if (drawn[index] !== true) return { atMs, value: null };
        const base = height[index] ?? 0;
        const top = base + (onSide(value) ? (value ?? 0) : 0);
        height[index] = top;
        return { atMs, value: top, base, isAlone: drawn[index - 1] !== true && drawn[index + 1] !== true };
      });
      return [
        {
          kind: 'line',
          id: `${id} ${side}`,
          color: colors.get(id) ?? fallbackColor,
          // Stacked series have no border, because the border of a tiny series would cover a large one.
          width: isSingle ? 1.5 : 0.5,
          fill: isSingle ? 0.2 : 0.58,
          points,
        },
      ];
    });
  });
}

const isNothing = (value: Known): value is null | undefined => value === null || value === undefined;

/** Lines. If a series has lowest and highest readings, its line gets the band between them. */
export function linesWithBands(data: ChartData, colors: ReadonlyMap<string, string>): DrawnLine[] {
  const inOrder = data.series.toSorted((a, b) => Number(b.isBehind ?? false) - Number(a.isBehind ?? false));
  return inOrder.flatMap(({ id, values, lows, highs, isBehind = false }): DrawnLine[] => {
    const color = colors.get(id) ?? fallbackColor;
    const points = linePoints(data, values);
    const dash = isBehind ? { dash: 'dashed' as const } : {};
    const line: DrawnLine = { kind: 'line', id, color, width: 1.5, ...dash, points };
    if (lows === undefined || highs === undefined) return [line];
    const band = points.map(({ atMs, index }): DrawnPoint => {
      const [base, value] = [lows[index] ?? null, highs[index] ?? null];
      return base === null ? { atMs, value: null } : { atMs, value, base };
    });
    return [{ kind: 'line', id: `${id} band`, color, width: 0, fill: 0.2, points: band }, line];
  });
}

/** Stacked areas, if the sum means something; lines; or bars, stacked or side by side. */
export type ChartKind = 'stack' | 'lines' | 'bars' | 'sideBySide';

/** Whether the values of a bucket may be added up. */
export const isSummed = (kind: ChartKind): boolean => kind === 'stack' || kind === 'bars';

function bars({ startsMs, endsMs, series }: ChartData, isStacked: boolean, colors: ReadonlyMap<string, string>) {
  const stacked = stackOn(startsMs.length);
  return series.map(({ id, values }, position): DrawnBars => ({
    kind: 'bars',
    id,
    color: colors.get(id) ?? fallbackColor,
    slot: isStacked ? 0 : position,
    slots: isStacked ? 1 : series.length,
    bars: values.flatMap((value, index) => {
      if (value === null) return [];
      const ends = isStacked ? stacked(index, value) : { base: 0, value };
      return [{ fromMs: startsMs[index] ?? NaN, toMs: endsMs[index] ?? NaN, ...ends }];
    }),
  }));
}

/** Stacks each value on the values with the same sign, separately for each bucket. */
export function stackOn(count: number): (index: number, value: number) => { base: number; value: number } {
  const heights = { above: new Float64Array(count), below: new Float64Array(count) };
  return (index, value) => {
    const side = value < 0 ? heights.below : heights.above;
    const base = side[index] ?? 0;
    side[index] = base + value;
    return { base, value: base + value };
  };
}

/** The shapes that a chart of the kind draws. */
export function drawnShapes(data: ChartData, kind: ChartKind, colors: ReadonlyMap<string, string>): DrawnShape[] {
  if (!hasValues(data)) return [];
  if (kind === 'bars' || kind === 'sideBySide') return bars(data, kind === 'bars', colors);
  return kind === 'stack' ? stackedAreas(data, colors) : linesWithBands(data, colors);
}
