import { LineChart } from 'echarts/charts';
import { DataZoomSliderComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// No more than the charts of the portal use: each part is weight on the way to the reader.
use([LineChart, GridComponent, TooltipComponent, DataZoomSliderComponent, CanvasRenderer]);

export { init };
