import type { EChartsType } from 'echarts/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { init } from './echarts.ts';
import type { GridChartOption } from './grid-chart.ts';
import classes from './TimeChart.module.css';
import { useChart, useDrawingKey, usePaintedOnPaper } from './use-chart.ts';

export interface GridCanvasProps {
  option: GridChartOption;
  height: number;
  /** What the chart shows, for those who do not see it. */
  label: string;
  /** How many items the keys walk over. */
  count: number;
  /** Where a key leads from the item at a position (null before the first); null leaves it where it is. */
  step: (index: number | null, key: string) => number | null;
  /** The place of an item on the two axes. */
  pointOf: (index: number) => [number, number];
  /** An item as a sentence. */
  readOut: (index: number) => string;
  /** Told the place on the two axes that was clicked, or where Enter was pressed. */
  onPick?: (point: [number, number]) => void;
}

/** The canvas of charts over categories, with ECharts in it: load it lazily. Arrow keys walk over the items and read them out. */
export function GridCanvas(props: GridCanvasProps) {
  return <Drawing key={useDrawingKey()} {...props} />;
}

function Drawing({ option, height, label, count, step, pointOf, readOut, onPick }: GridCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  useChart(container, chart, init);
  const [walkedTo, setAt] = useState<number | null>(null);
  // Another range may have fewer items than the one that was walked over.
  const at = walkedTo !== null && walkedTo < count ? walkedTo : null;

  const onClick = useEffectEvent((x: number, y: number) => {
    if (chart.current?.containPixel({ gridIndex: 0 }, [x, y]) !== true) return;
    const place: unknown = chart.current.convertFromPixel({ gridIndex: 0 }, [x, y]);
    if (Array.isArray(place)) onPick?.([Number(place[0]), Number(place[1])]);
  });
  const canPick = onPick !== undefined;
  useEffect(() => {
    const made = chart.current;
    if (made === null || !canPick) return;
    const listener = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => onClick(offsetX, offsetY);
    made.getZr().on('click', listener);
    return () => made.getZr()?.off('click', listener);
  }, [canPick]);

  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);
  usePaintedOnPaper(chart);

  const hide = useEffectEvent(() => {
    setAt(null);
    chart.current?.dispatchAction({ type: 'hideTip' });
    chart.current?.dispatchAction({ type: 'updateAxisPointer', currTrigger: 'leave' });
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && at !== null) {
      event.preventDefault();
      hide();
      return;
    }
    if (event.key === 'Enter' && at !== null) {
      onPick?.(pointOf(at));
      return;
    }
    const next = step(at, event.key);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    const pixel: unknown = chart.current?.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, pointOf(next));
    if (Array.isArray(pixel)) {
      chart.current?.dispatchAction({ type: 'showTip', x: Number(pixel[0]), y: Number(pixel[1]) });
    }
  });

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    element.addEventListener('blur', () => hide(), { signal });
    return () => listening.abort();
  }, []);

  return (
    <>
      <div
        ref={container}
        className={classes.still}
        data-pick={onPick !== undefined || undefined}
        style={{ height }}
        role="img"
        aria-label={label}
        tabIndex={0}
      />
      <span className="visually-hidden" role="status">
        {at === null ? '' : readOut(at)}
      </span>
    </>
  );
}
