import { SankeyChart, type SankeySeriesOption } from 'echarts/charts';
import { TooltipComponent, type TooltipComponentOption } from 'echarts/components';
import { type ComposeOption, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import classes from './TimeChart.module.css';

// Apart from the other charts: only who has a tree of meters loads it.
use([SankeyChart, TooltipComponent, CanvasRenderer]);

export type SankeyOption = ComposeOption<SankeySeriesOption | TooltipComponentOption>;

/** The canvas of a Sankey diagram, with ECharts in it: load it lazily. */
export function SankeyCanvas({ option, height, label }: { option: SankeyOption; height: number; label: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const chart = init(element, null, { renderer: 'canvas' });
    chart.setOption(option);
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [option]);
  return <div ref={container} className={classes.still} style={{ height }} role="img" aria-label={label} />;
}
