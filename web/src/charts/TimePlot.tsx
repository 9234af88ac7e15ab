import { memo, useCallback, useId, useMemo, useRef, useState, type PointerEvent } from 'react';
import type { TimeRange } from '../lib/time-range.ts';
import { useFormat } from '../lib/use-format.ts';
import { scaleOf, valueAxis, type PlotBox, type ValueAxis } from '../../../shared/charts/axes.ts';
import {
  axisRoom,
  plotTop,
  shapeMarks,
  timeAxisMarks,
  valueLabelsWidth,
  valueLineMarks,
  valueSteps,
} from '../../../shared/charts/marks.ts';
import { Marks } from './Marks.tsx';
import { ChartTooltip, type TooltipContent } from './ChartTooltip.tsx';
import type { DrawnShape } from '../../../shared/charts/drawing.ts';
import { extentIn, type PlotScales } from '../../../shared/charts/paths.ts';
import classes from './plot.module.css';
import { RangeSlider, sliderHeight } from './RangeSlider.tsx';
import chart from './TimeChart.module.css';
import { useChartKeyboard, type Walk, useChartGestures } from './use-chart-keyboard.ts';
import { useChartWidth, textWidth } from './use-chart-width.ts';

interface TimePlotProps extends Walk {
  shapes: readonly DrawnShape[];
  /** The part of the range that is shown; null shows all of it. */
  zoom: TimeRange | null;
  timeZone: string;
  unit: string;
  /** The number of units of the values in the unit of the axis: 1,000 for values in kWh on an axis in MWh. */
  unitSize: number;
  /** The value axis includes zero; otherwise it follows the values (voltage, frequency). */
  hasZero: boolean;
  height: number;
  /** A description of the chart for screen readers. */
  label: string;
  /** The details of an instant; null shows nothing. */
  tooltip: (atMs: number) => TooltipContent | null;
}

/** The height of the slider below the time axis on the screen, px. */
const sliderRoom = sliderHeight + 6;
/** The element to which the keys belong has no height. */
const walkedY = 60;

/** Lines, areas and bars over time. Users zoom by dragging, pinching, Ctrl and wheel, slider or keys. */
export function TimePlot(props: TimePlotProps) {
  const { shapes, range, zoom, onZoom, timeZone, unit, unitSize, hasZero, height, label, tooltip, step } = props;
  const format = useFormat();
  const container = useRef<HTMLDivElement>(null);
  const { width, isPrinting } = useChartWidth(container);
  const [pointed, setPointed] = useState<{ atMs: number; y: number } | null>(null);
  const { fromMs, toMs } = zoom ?? range;
  const visible = useMemo(() => ({ fromMs, toMs }), [fromMs, toMs]);

  const valueLabel = useCallback((value: number) => format.axis(value / unitSize), [format, unitSize]);
  const axis = useMemo(() => valueAxis(extentIn(shapes, visible), hasZero, valueSteps), [shapes, visible, hasZero]);
  const labelsWidth = useMemo(() => valueLabelsWidth(axis, valueLabel, textWidth), [axis, valueLabel]);
  const box = useMemo(
    (): PlotBox => ({
      left: labelsWidth,
      right: Math.max(labelsWidth + 1, width - 10),
      top: plotTop,
      bottom: height - axisRoom - (isPrinting ? 0 : sliderRoom),
    }),
    [labelsWidth, width, height, isPrinting],
  );
  const x = useMemo(() => scaleOf(fromMs, toMs, box.left, box.right), [fromMs, toMs, box]);

  const timeAt = (at: number) => scaleOf(box.left, box.right, fromMs, toMs)(at);
  const isInBox = (at: number, y: number) => at >= box.left && at <= box.right && y >= box.top && y <= box.bottom;
  const selection = useChartGestures({ container, range, visible, onZoom, timeAt, isInGrid: isInBox });
  const onPoint = (atMs: number | null) => setPointed(atMs === null ? null : { atMs, y: walkedY });
  const announcement = useChartKeyboard({ ...props, container, visible, onPoint });
  const point = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLDivElement>) => {
    const place = currentTarget.getBoundingClientRect();
    const [at, y] = [clientX - place.left, clientY - place.top];
    const atMs = isInBox(at, y) ? step(timeAt(at), 0) : null;
    setPointed(atMs === null ? null : { atMs, y });
  };
  // A touch screen fires pointerleave when the finger is lifted. The tooltip stays.
  const leave = ({ pointerType }: PointerEvent) => (pointerType === 'touch' ? undefined : setPointed(null));

  const shown = pointed !== null && pointed.atMs >= fromMs && pointed.atMs <= toMs && !isPrinting ? pointed : null;
  const content = shown === null ? null : tooltip(shown.atMs);
  return (
    <>
      <div
        ref={container}
        className={chart.canvas}
        style={{ height }}
        role="img"
        aria-label={label}
        tabIndex={0}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={leave}
      >
        {width > 0 && (
          <svg className={classes.svg} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden>
            <g>
              <Marks marks={valueLineMarks({ axis, box, unit, label: valueLabel })} />
            </g>
            <Shapes shapes={shapes} visible={visible} axis={axis} box={box} />
            <TimeAxis visible={visible} timeZone={timeZone} box={box} width={width} />
            {shown !== null && content !== null && (
              <line x1={x(shown.atMs)} x2={x(shown.atMs)} y1={box.top} y2={box.bottom} className={classes.crosshair} />
            )}
            {!isPrinting && (
              <RangeSlider
                range={range}
                visible={visible}
                onZoom={onZoom}
                left={8}
                right={width - 8}
                top={height - sliderHeight - 4}
              />
            )}
          </svg>
        )}
        {shown !== null && content !== null && (
          <ChartTooltip {...content} x={x(shown.atMs)} y={shown.y} width={width} height={height} />
        )}
      </div>
      {selection !== null && (
        <div
          className={chart.selection}
          style={{
            insetInlineStart: selection.left,
            width: selection.width,
            top: box.top,
            height: box.bottom - box.top,
          }}
        />
      )}
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}

interface ShapesProps {
  shapes: readonly DrawnShape[];
  visible: TimeRange;
  axis: ValueAxis;
  box: PlotBox;
}

/** The plot, without the elements that follow the pointer. */
const Shapes = memo(function Shapes({ shapes, visible, axis, box }: ShapesProps) {
  const clipId = useId();
  const scales: PlotScales = {
    x: scaleOf(visible.fromMs, visible.toMs, box.left, box.right),
    y: scaleOf(axis.min, axis.max, box.bottom, box.top),
  };
  return (
    <>
      <clipPath id={clipId}>
        {/* A line along an edge is as wide as any other. */}
        <rect x={box.left} y={box.top - 2} width={box.right - box.left} height={box.bottom - box.top + 4} />
      </clipPath>
      <g clipPath={`url(#${clipId})`}>
        <Marks marks={shapeMarks(shapes, visible, scales)} />
      </g>
    </>
  );
});

interface TimeAxisProps {
  visible: TimeRange;
  timeZone: string;
  box: PlotBox;
  /** px of the whole chart. */
  width: number;
}

const TimeAxis = memo(function TimeAxis(props: TimeAxisProps) {
  const format = useFormat();
  return (
    <g>
      <Marks marks={timeAxisMarks(props, { format, textWidth })} />
    </g>
  );
});
