import type { EChartsType } from 'echarts/core';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { TimeRange } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { chartOption, timeAxisOption } from './chart-option.ts';
import { init } from './echarts.ts';
import type { TimeChartCanvasProps } from './time-chart-props.ts';
import classes from './TimeChart.module.css';
import { useChart, useDrawingKey, usePaintedOnPaper } from './use-chart.ts';
import { useChartGestures } from './use-chart-gestures.ts';
import { useChartKeyboard } from './use-chart-keyboard.ts';

/** The chart itself, with ECharts in it: load it lazily. Drag to zoom, pinch, ctrl and wheel, slider, arrow keys. */
export function TimeChartCanvas(props: TimeChartCanvasProps) {
  return <Drawing key={useDrawingKey()} {...props} />;
}

function Drawing(props: TimeChartCanvasProps) {
  const { series, range, zoom, onZoom, timeZone, unit, unitSize } = props;
  const { hasZero, isBelowZero, colors, height, label, tooltip } = props;
  const format = useFormat();
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const { isPrinting, width } = useChart(container, chart, init);
  const visible = zoom ?? range;
  /** What the canvas shows: a slider that is being dragged must not be told what it said. */
  const shown = useRef<{ window: TimeRange; range: TimeRange } | null>(null);

  const showTicks = useCallback(
    (window: TimeRange) => {
      const widthPx = width === 0 ? (container.current?.clientWidth ?? 0) : width;
      if (widthPx > 0) chart.current?.setOption(timeAxisOption(window, timeZone, widthPx, colors, format));
    },
    [width, timeZone, colors, format],
  );

  const onSlide = useEffectEvent((share: { start: number; end: number }) => {
    const length = range.toMs - range.fromMs;
    const window = { fromMs: range.fromMs + share.start * length, toMs: range.fromMs + share.end * length };
    shown.current = { window, range };
    showTicks(window);
    onZoom(share.end - share.start > 0.995 ? null : window);
  });

  useEffect(() => {
    chart.current?.on('datazoom', (event) => {
      const share = slidTo(event);
      // A zoom by our own hand names no share: it is in the properties already.
      if (share !== null) onSlide(share);
    });
  }, []);

  useEffect(() => {
    const font = getComputedStyle(document.body).fontFamily;
    const parts = { series, range, unit, unitSize, hasZero, isBelowZero, colors, font, format, tooltip, isPrinting };
    chart.current?.setOption(chartOption(parts), { replaceMerge: ['series'] });
  }, [series, range, unit, unitSize, hasZero, isBelowZero, colors, format, tooltip, isPrinting]);

  useEffect(() => {
    const window = zoom ?? range;
    if (shown.current?.range !== range || !isSame(shown.current.window, window)) {
      const { fromMs: startValue, toMs: endValue } = window;
      chart.current?.dispatchAction({ type: 'hideTip' });
      chart.current?.dispatchAction({ type: 'dataZoom', dataZoomId: 'slider', startValue, endValue });
      shown.current = { window, range };
    }
    showTicks(window);
  }, [zoom, range, showTicks]);
  usePaintedOnPaper(chart);

  const timeAt = (x: number): number => {
    const at = chart.current?.convertFromPixel({ xAxisIndex: 0 }, x);
    return typeof at === 'number' ? at : NaN;
  };
  const isInGrid = (x: number, y: number): boolean => chart.current?.containPixel({ gridIndex: 0 }, [x, y]) ?? false;
  const selection = useChartGestures({ container, range, visible, onZoom, timeAt, isInGrid });
  const announcement = useChartKeyboard({ ...props, container, visible, chart });

  return (
    <>
      <div ref={container} className={classes.canvas} style={{ height }} role="img" aria-label={label} tabIndex={0} />
      {selection !== null && (
        <div className={classes.selection} style={{ insetInlineStart: selection.left, width: selection.width }} />
      )}
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}

const isSame = (one: TimeRange, other: TimeRange): boolean =>
  Math.abs(one.fromMs - other.fromMs) + Math.abs(one.toMs - other.toMs) < 2;

/** The shares of the range between which a hand on the slider left it; null for any other event. */
function slidTo(event: unknown): { start: number; end: number } | null {
  if (typeof event !== 'object' || event === null || !('start' in event) || !('end' in event)) return null;
  const { start, end } = event;
  return typeof start === 'number' && typeof end === 'number' ? { start: start / 100, end: end / 100 } : null;
}
