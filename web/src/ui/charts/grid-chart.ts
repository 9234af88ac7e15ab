import type { BarSeriesOption, HeatmapSeriesOption } from 'echarts/charts';
import type { GridComponentOption, TooltipComponentOption, VisualMapComponentOption } from 'echarts/components';
import type { ComposeOption } from 'echarts/core';

/** Charts over categories: bars by day, hours by day. */
export type GridChartOption = ComposeOption<
  BarSeriesOption | HeatmapSeriesOption | GridComponentOption | TooltipComponentOption | VisualMapComponentOption
>;

export const labelSize = 11;

/** The tooltip of all charts: its content brings its own surface. */
export const tooltipFrame = {
  confine: true,
  transitionDuration: 0,
  padding: 0,
  borderWidth: 0,
  backgroundColor: 'transparent',
  extraCssText: 'box-shadow:none;',
} as const satisfies TooltipComponentOption;

/** Position of what is hovered, from the parameters of a tooltip; -1 where there is none. */
export function hoveredIndex(hovered: unknown): number {
  const first: unknown = Array.isArray(hovered) ? hovered[0] : hovered;
  if (typeof first !== 'object' || first === null || !('dataIndex' in first)) return -1;
  return typeof first.dataIndex === 'number' ? first.dataIndex : -1;
}
