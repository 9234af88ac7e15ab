import type { BarSeriesOption } from 'echarts/charts';
import type { BarData } from './bars.ts';
import type { ChartColors } from './drawing.ts';
import { hoveredIndex, labelSize, tooltipFrame, type GridChartOption } from './grid-chart.ts';

export interface BarsOptionParts {
  data: BarData;
  colors: ChartColors;
  colorOf: ReadonlyMap<string, string>;
  font: string;
  unit: string;
  axisLabel: (group: string) => string;
  axisValue: (value: number) => string;
  /** The content of the tooltip of a bar; null shows none. */
  tooltip: (index: number) => HTMLElement | null;
}

/** Laid over the bar that is pointed at: it must shine through. */
const pointed = 'rgba(128, 128, 128, 0.16)';

/** Stacked bars over named groups; what is negative is stacked below zero. */
export function barsOption(parts: BarsOptionParts): GridChartOption {
  const { data, colors, colorOf, font, unit, axisLabel, axisValue } = parts;
  const isBelowZero = data.series.some(({ values }) => values.some((value) => value !== null && value < 0));
  const edges = { left: 2, right: 6, top: 26, bottom: 5 };
  return {
    animation: false,
    textStyle: { fontFamily: font },
    grid: { ...edges, outerBoundsMode: 'same', outerBounds: edges, outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: [...data.groups],
      axisLine: { lineStyle: { color: colors.lineStrong } },
      axisTick: { show: false },
      axisPointer: { type: 'shadow', shadowStyle: { color: pointed } },
      axisLabel: { color: colors.dimmed, fontSize: labelSize, hideOverlap: true, formatter: axisLabel },
    },
    yAxis: {
      type: 'value',
      name: unit,
      nameGap: 10,
      nameTextStyle: { color: colors.dimmed, fontSize: labelSize, align: 'left' },
      splitNumber: 3,
      // A small credit must not open a whole step of the axis below zero.
      min: ({ min }: { min: number }) => Math.min(0, min * 1.04),
      axisLine: { show: false },
      axisTick: { show: false },
      axisPointer: { show: false },
      axisLabel: { color: colors.dimmed, fontSize: labelSize, showMinLabel: !isBelowZero, formatter: axisValue },
      splitLine: { lineStyle: { color: colors.line } },
    },
    tooltip: {
      ...tooltipFrame,
      trigger: 'axis',
      formatter: (hovered) => parts.tooltip(hoveredIndex(hovered)) ?? '',
    },
    series: data.series.map(({ id, values }): BarSeriesOption => {
      const color = colorOf.get(id) ?? colors.text;
      return {
        type: 'bar',
        id,
        stack: 'all',
        silent: true,
        animation: false,
        barMaxWidth: 64,
        barCategoryGap: data.groups.length > 60 ? '12%' : '24%',
        color,
        emphasis: { disabled: true },
        data: values.map((value) => value ?? '-'),
      };
    }),
  };
}
