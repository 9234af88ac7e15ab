import type { ChartColors } from './drawing.ts';
import { hoveredIndex, labelSize, tooltipFrame, type GridChartOption } from './grid-chart.ts';
import { hoursOfDay, type HeatData, type HeatScale } from './heatmap.ts';

export interface HeatmapOptionParts {
  data: HeatData;
  scale: HeatScale;
  isHoursAcross: boolean;
  /** Hours between two that are named. */
  namedHours: number;
  colors: ChartColors;
  font: string;
  hourLabel: (hour: number) => string;
  rowLabel: (row: string) => string;
  /** The content of the tooltip of the cell at a position of `data.cells`; null shows none. */
  tooltip: (index: number) => HTMLElement | null;
}

/** A field of colored cells, hours by days. */
export function heatmapOption(parts: HeatmapOptionParts): GridChartOption {
  const { data, scale, isHoursAcross, namedHours, colors, font, hourLabel, rowLabel } = parts;
  const edges = { left: 2, right: 6, top: 4, bottom: 5 };
  const shared = {
    type: 'category',
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
  } as const;
  const label = { color: colors.dimmed, fontSize: labelSize, hideOverlap: true } as const;
  const hours = {
    ...shared,
    data: Array.from({ length: hoursOfDay }, (_, hour) => String(hour)),
    axisLabel: {
      ...label,
      interval: (_: number, value: string) => Number(value) % namedHours === 0,
      formatter: (value: string) => hourLabel(Number(value)),
    },
  };
  const rows = { ...shared, data: [...data.rows], axisLabel: { ...label, formatter: rowLabel } };
  const border = data.rows.length > 120 ? 0 : 1;
  return {
    animation: false,
    textStyle: { fontFamily: font },
    grid: { ...edges, outerBoundsMode: 'same', outerBounds: edges, outerBoundsContain: 'axisLabel' },
    xAxis: isHoursAcross ? hours : rows,
    yAxis: { ...(isHoursAcross ? rows : hours), inverse: true },
    visualMap: {
      type: 'continuous',
      show: false,
      min: scale.min,
      max: scale.max,
      dimension: 2,
      inRange: { color: scale.colors },
    },
    tooltip: {
      ...tooltipFrame,
      trigger: 'item',
      formatter: (hovered) => parts.tooltip(hoveredIndex(hovered)) ?? '',
    },
    series: [
      {
        type: 'heatmap',
        animation: false,
        progressive: 0,
        itemStyle: { borderWidth: border, borderColor: colors.surface, borderRadius: border * 2 },
        emphasis: { itemStyle: { borderColor: colors.text, borderWidth: 1 } },
        data: data.cells.map(({ hour, row, value }) => (isHoursAcross ? [hour, row, value] : [row, hour, value])),
      },
    ],
  };
}
