import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type { TimeRange } from '../../lib/time-range.ts';
import type { ChartColors } from './drawing.ts';

export interface TimeChartCanvasProps {
  series: (LineSeriesOption | BarSeriesOption)[];
  range: TimeRange;
  /** The part of the range that is shown; null shows all of it. */
  zoom: TimeRange | null;
  onZoom: (zoom: TimeRange | null) => void;
  timeZone: string;
  unit: string;
  /** How many of the unit of the values this unit is: 1,000 for values in kWh whose axis tells MWh. */
  unitSize: number;
  hasZero: boolean;
  isBelowZero: boolean;
  colors: ChartColors;
  height: number;
  /** What the chart shows, for those who do not see it. */
  label: string;
  tooltip: (atMs: number) => HTMLElement | null;
  /** The middle of the bucket `by` buckets from that at `atMs` (or from the start); null where there is none. */
  step: (atMs: number | null, by: number) => number | null;
  /** The values at an instant as a sentence. */
  readOut: (atMs: number) => string;
}
