import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type { DataZoomComponentOption, GridComponentOption, TooltipComponentOption } from 'echarts/components';
import type { ComposeOption } from 'echarts/core';
import type { Format } from '../../lib/format.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import type { ChartColors } from './drawing.ts';
import { tickLabel, timeTicks } from './time-ticks.ts';

export type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption | DataZoomComponentOption
>;

export interface ChartOptionParts {
  series: (LineSeriesOption | BarSeriesOption)[];
  range: TimeRange;
  unit: string;
  /** How many of the unit of the values this unit is. */
  unitSize: number;
  /** The value axis holds zero; without it the axis follows the values (voltage, frequency). */
  hasZero: boolean;
  /** Some values are negative, so that the value axis ends at no round value. */
  isBelowZero: boolean;
  colors: ChartColors;
  font: string;
  format: Format;
  /** The content of the tooltip at an instant; null shows none. */
  tooltip: (atMs: number) => HTMLElement | null;
  /** On paper there is nothing to slide. */
  isPrinting: boolean;
}

const labelSize = 11;

/** The whole chart but for its time marks, which depend on the width and the zoom: {@link timeAxisOption}. */
export function chartOption(parts: ChartOptionParts): ChartOption {
  const { series, range, unit, unitSize, hasZero, isBelowZero, colors, font, format, isPrinting } = parts;
  const edges = { left: 2, right: 10, top: 26, bottom: isPrinting ? 22 : 44 };
  return {
    animation: false,
    textStyle: { fontFamily: font },
    grid: {
      ...edges,
      outerBoundsMode: 'same',
      outerBounds: edges,
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      min: range.fromMs,
      max: range.toMs,
      axisLine: { lineStyle: { color: colors.lineStrong } },
      axisPointer: { lineStyle: { color: colors.dimmed, type: 'solid', width: 1 } },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      name: unit,
      nameGap: 10,
      nameTextStyle: { color: colors.dimmed, fontSize: labelSize, align: 'left' },
      scale: !hasZero,
      // A little export must not open a whole step of the axis below zero.
      ...(hasZero ? { min: ({ min }: { min: number }) => Math.min(0, min * 1.04) } : {}),
      splitNumber: 4,
      axisLine: { show: false },
      axisTick: { show: false },
      axisPointer: { show: false },
      axisLabel: {
        color: colors.dimmed,
        fontSize: labelSize,
        showMinLabel: !isBelowZero,
        formatter: (value: number) => format.axis(value / unitSize),
      },
      splitLine: { lineStyle: { color: colors.line } },
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      padding: 0,
      borderWidth: 0,
      backgroundColor: 'transparent',
      extraCssText: 'box-shadow:none;',
      axisPointer: { type: 'line', snap: true },
      formatter: (hovered) => {
        const [first] = Array.isArray(hovered) ? hovered : [hovered];
        const at = first !== undefined && 'axisValue' in first ? Number(first.axisValue) : NaN;
        return (Number.isNaN(at) ? null : parts.tooltip(at)) ?? '';
      },
    },
    dataZoom: [
      {
        id: 'slider',
        type: 'slider',
        show: !isPrinting,
        filterMode: 'filter',
        height: 20,
        bottom: 4,
        left: 8,
        right: 8,
        brushSelect: false,
        showDetail: false,
        showDataShadow: false,
        borderColor: 'transparent',
        backgroundColor: colors.line,
        fillerColor: `${colors.lineStrong}4d`,
        handleSize: '110%',
        handleStyle: { color: colors.surface, borderColor: colors.dimmed, borderWidth: 1 },
        moveHandleSize: 0,
        emphasis: { handleStyle: { color: colors.surface, borderColor: colors.text } },
      },
    ],
    series,
  };
}

/** Pixels that a mark of the time axis needs, with the room between two. */
const tickRoom = 70;

/** Marks at round local times of the zone for the visible window; ECharts by itself knows only UTC and the browser's zone. */
export function timeAxisOption(
  window: TimeRange,
  timeZone: string,
  widthPx: number,
  colors: ChartColors,
  format: Format,
): ChartOption {
  const ticks = timeTicks(window.fromMs, window.toMs, timeZone, Math.max(2, Math.floor(widthPx / tickRoom)));
  const byInstant = new Map(ticks.map((tick) => [tick.atMs, tick]));
  const hasTimes = ticks.some(({ unit }) => unit === 'time');
  const hasMonths = ticks.some(({ unit }) => unit === 'month');
  const customValues = ticks.map(({ atMs }) => atMs);
  return {
    xAxis: {
      axisTick: { customValues, length: 4, lineStyle: { color: colors.lineStrong } },
      axisLabel: {
        customValues,
        color: colors.dimmed,
        fontSize: labelSize,
        hideOverlap: true,
        showMinLabel: true,
        showMaxLabel: true,
        formatter: (value: number) => {
          const tick = byInstant.get(value);
          if (tick === undefined) return '';
          const isTurn = (tick.unit === 'day' && hasTimes) || (tick.unit === 'year' && hasMonths);
          const text = tickLabel(tick, timeZone, format);
          return isTurn ? `{turn|${text}}` : text;
        },
        rich: { turn: { color: colors.text, fontSize: labelSize, fontWeight: 600 } },
      },
    },
  };
}
