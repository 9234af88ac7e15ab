import { SankeyChart, type SankeySeriesOption } from 'echarts/charts';
import { TooltipComponent, type TooltipComponentOption } from 'echarts/components';
import { type ComposeOption, type EChartsType, init, use } from 'echarts/core';
import { useEffect, useRef } from 'react';
import classes from './TimeChart.module.css';
import { useChart, useDrawingKey, usePaintedOnPaper } from './use-chart.ts';

// Apart from the other charts: only who has a tree of meters loads it.
use([SankeyChart, TooltipComponent]);

export type SankeyOption = ComposeOption<SankeySeriesOption | TooltipComponentOption>;

interface SankeyProps {
  option: SankeyOption;
  height: number;
  label: string;
}

/** The canvas of a Sankey diagram, with ECharts in it: load it lazily. */
export function SankeyCanvas(props: SankeyProps) {
  return <Drawing key={useDrawingKey()} {...props} />;
}

function Drawing({ option, height, label }: SankeyProps) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  useChart(container, chart, init);
  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);
  usePaintedOnPaper(chart);
  return <div ref={container} className={classes.still} style={{ height }} role="img" aria-label={label} />;
}
