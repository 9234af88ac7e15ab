import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import { hasValues, middle, othersId, type ChartData, type ChartSeries } from './chart-data.ts';
import { linePoints } from './gaps.ts';

type Line = LineSeriesOption;
type LineDatum = NonNullable<Line['data']>[number];

/** The colors of one scheme as the canvas needs them: no variables, no mixes. */
export interface ChartColors {
  series: readonly string[];
  /** For the series that sums up what has no color of its own. */
  others: string;
  text: string;
  dimmed: string;
  line: string;
  lineStrong: string;
  surface: string;
  sunken: string;
}

/** The color of each series by id; they repeat where there are more series than colors. */
export function colorsById(series: readonly ChartSeries[], colors: ChartColors): Map<string, string> {
  return new Map(
    series.map(({ id }, index) => [
      id,
      id === othersId ? colors.others : (colors.series[index % colors.series.length] ?? colors.text),
    ]),
  );
}

type Known = number | null;

const fallbackColor = '#808080';

const base = {
  type: 'line',
  symbol: 'none',
  silent: true,
  animation: false,
  emphasis: { disabled: true },
} as const satisfies Line;

const dot = { symbol: 'circle', symbolSize: 5 } as const;

/** A value that no line reaches is drawn as a dot, or it would not be seen. */
const datum = (atMs: number, value: number | null, isAlone: boolean): LineDatum =>
  isAlone ? { value: [atMs, value], ...dot } : [atMs, value];

/**
 * Areas that lie on each other, of data that is bridged already: what is imported above zero, what is exported below, each side a stack of its own, so that a
 * series which changes sign leaves no slanted wedge through the others.
 */
export function stackedAreas(data: ChartData, colors: ReadonlyMap<string, string>): Line[] {
  const isSingle = data.series.length === 1;
  return (['import', 'export'] as const).flatMap((side) =>
    data.series.flatMap((series): Line[] => {
      const filled = series.values;
      const onSide = (value: Known | undefined): boolean =>
        value !== null && value !== undefined && (side === 'import' ? value > 0 : value < 0);
      // A line along the border of another area would give it a false color: nothing is drawn where nothing flows.
      const isDrawn = (index: number): boolean =>
        onSide(filled[index]) ||
        (!isNothing(filled[index]) &&
          (onSide(filled[index - 1]) || onSide(filled[index + 1]) || (isSingle && side === 'import')));
      const drawn = filled.map((_, index) => isDrawn(index));
      if (!drawn.includes(true)) return [];
      const color = colors.get(series.id) ?? fallbackColor;
      return [
        {
          ...base,
          id: `${series.id} ${side}`,
          stack: side,
          // Not 'all': with it a series would have nothing to stand on where the one below it has a gap.
          stackStrategy: side === 'import' ? 'positive' : 'negative',
          color,
          // Where series lie upon each other a border says too much: that of a tiny one would color a whole large one.
          lineStyle: { width: isSingle ? 1.5 : 0.5, color },
          areaStyle: { color, opacity: isSingle ? 0.2 : 0.58 },
          data: filled.map((value, index) =>
            datum(
              middle(data, index),
              drawn[index] === true ? (onSide(value) ? value : 0) : null,
              drawn[index] === true && drawn[index - 1] !== true && drawn[index + 1] !== true,
            ),
          ),
        },
      ];
    }),
  );
}

const isNothing = (value: Known | undefined): boolean => value === null || value === undefined;

/** Lines, each with the band between the lowest and the highest reading of its buckets where it has them. */
export function linesWithBands(data: ChartData, colors: ReadonlyMap<string, string>): Line[] {
  return data.series.flatMap((series): Line[] => {
    const color = colors.get(series.id) ?? fallbackColor;
    const points = linePoints(data, series.values);
    return [
      ...band(series, points, color),
      {
        ...base,
        id: series.id,
        color,
        lineStyle: { width: 1.5, color, join: 'round' },
        data: points.map(({ atMs, value, isAlone }) => datum(atMs, value, isAlone)),
      },
    ];
  });
}

/** Two invisible lines: the lows, and the distance to the highs stacked upon them; the area of the second is the band. */
function band({ id, lows, highs }: ChartSeries, points: ReturnType<typeof linePoints>, color: string): Line[] {
  if (lows === undefined || highs === undefined) return [];
  const low = points.map(({ index }) => lows[index] ?? null);
  const distance = points.map(({ index }, position) => {
    const [from, to] = [low[position] ?? null, highs[index] ?? null];
    return from === null || to === null ? null : to - from;
  });
  const hidden = { ...base, stack: `${id} band`, stackStrategy: 'all', lineStyle: { opacity: 0 } } as const;
  return [
    { ...hidden, id: `${id} low`, color, data: points.map(({ atMs }, index) => [atMs, low[index] ?? null]) },
    {
      ...hidden,
      id: `${id} high`,
      color,
      areaStyle: { color, opacity: 0.2 },
      data: points.map(({ atMs }, index) => [atMs, distance[index] ?? null]),
    },
  ];
}

/** Areas upon each other, whose sum means something; lines; or a bar a bucket, upon each other or side by side. */
export type ChartKind = 'stack' | 'lines' | 'bars' | 'sideBySide';

/** Whether the values of a bucket may be added up. */
export const isSummed = (kind: ChartKind): boolean => kind === 'stack' || kind === 'bars';

function bars(data: ChartData, isStacked: boolean, colors: ReadonlyMap<string, string>): BarSeriesOption[] {
  return data.series.map(({ id, values }) => ({
    type: 'bar',
    id,
    ...(isStacked ? { stack: 'all' } : {}),
    silent: true,
    animation: false,
    barMaxWidth: 64,
    barCategoryGap: '16%',
    color: colors.get(id) ?? fallbackColor,
    emphasis: { disabled: true },
    data: values.map((value, index) => [middle(data, index), value]),
  }));
}

/** What a chart of the kind draws. */
export function drawnSeries(
  data: ChartData,
  kind: ChartKind,
  colors: ReadonlyMap<string, string>,
): (LineSeriesOption | BarSeriesOption)[] {
  if (!hasValues(data)) return [];
  if (kind === 'bars' || kind === 'sideBySide') return bars(data, kind === 'bars', colors);
  return kind === 'stack' ? stackedAreas(data, colors) : linesWithBands(data, colors);
}
