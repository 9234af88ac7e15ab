import { BarChart, HeatmapChart, LineChart } from 'echarts/charts';
import {
  DataZoomSliderComponent,
  GridComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';

// No more than the charts of the portal use: each part is weight on the way to the reader.
use([
  BarChart,
  HeatmapChart,
  LineChart,
  GridComponent,
  TooltipComponent,
  DataZoomSliderComponent,
  VisualMapContinuousComponent,
]);

export { init };
