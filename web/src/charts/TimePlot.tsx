import { memo, useCallback, useId, useMemo, useRef, useState, type PointerEvent } from 'react';
import type { TimeRange } from '../lib/time-range.ts';
import { useFormat } from '../lib/use-format.ts';
import { scaleOf, spacedLabels, valueAxis, type PlotBox, type ValueAxis } from '../../../shared/charts/axes.ts';
import { ChartTooltip, type TooltipContent } from './ChartTooltip.tsx';
import type { DrawnLine, DrawnShape } from '../../../shared/charts/drawing.ts';
import {
  areaPath,
  barsPath,
  dotsPath,
  extentIn,
  linePath,
  pointsIn,
  type PlotScales,
} from '../../../shared/charts/paths.ts';
import classes from './plot.module.css';
import { RangeSlider, sliderHeight } from './RangeSlider.tsx';
import { tickLabel, timeTicks } from '../../../shared/charts/time-ticks.ts';
import chart from './TimeChart.module.css';
import { useChartKeyboard, type Walk, useChartGestures } from './use-chart-keyboard.ts';
import { useChartWidth, textWidth } from './use-chart-width.ts';
import { ValueLines, valueLabelsWidth } from './ValueLines.tsx';

interface TimePlotProps extends Walk {
  shapes: readonly DrawnShape[];
  /** The part of the range that is shown; null shows all of it. */
  zoom: TimeRange | null;
  timeZone: string;
  unit: string;
  /** The factor of this unit: 1,000 for values in kWh on an axis in MWh. */
  unitSize: number;
  /** The value axis includes zero; otherwise it follows the values (voltage, frequency). */
  hasZero: boolean;
  height: number;
  /** A description of the chart for screen readers. */
  label: string;
  /** The details of an instant; null shows nothing. */
  tooltip: (atMs: number) => TooltipContent | null;
}

const valueSteps = 4;
/** px that a label of the time axis needs, including the space to the next one. */
const tickRoom = 70;
const top = 26;
/** px below the plot: the time axis and, on the screen, the slider. */
const axisRoom = 22;
const sliderRoom = sliderHeight + 6;
/** The element that the keys move over has no height. */
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
  const labelsWidth = useMemo(() => valueLabelsWidth(axis, valueLabel), [axis, valueLabel]);
  const box = useMemo(
    (): PlotBox => ({
      left: labelsWidth,
      right: Math.max(labelsWidth + 1, width - 10),
      top,
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
  // Touch fires pointerleave on lift; keep the tooltip.
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
            <ValueLines axis={axis} box={box} unit={unit} label={valueLabel} />
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
          style={{ insetInlineStart: selection.left, width: selection.width, top, height: box.bottom - top }}
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
        {shapes.map((shape) =>
          shape.kind === 'bars' ? (
            <path key={shape.id} d={barsPath(shape, visible, scales)} fill={shape.color} />
          ) : (
            <Line key={shape.id} line={shape} visible={visible} scales={scales} />
          ),
        )}
      </g>
    </>
  );
});

const dashes = { dashed: '5 4', dotted: '1.5 3' };

function Line({ line, visible, scales }: { line: DrawnLine; visible: TimeRange; scales: PlotScales }) {
  const { color, width, dash, fill } = line;
  const points = pointsIn(line.points, visible);
  return (
    <>
      {fill !== undefined && <path d={areaPath(points, scales)} fill={color} fillOpacity={fill} />}
      {width > 0 && (
        <path
          d={linePath(points, scales)}
          fill="none"
          stroke={color}
          strokeWidth={width}
          strokeLinejoin="round"
          strokeDasharray={dash && dashes[dash]}
        />
      )}
      <path d={dotsPath({ points }, scales)} fill="none" stroke={color} strokeWidth={5} strokeLinecap="round" />
    </>
  );
}

interface TimeAxisProps {
  visible: TimeRange;
  timeZone: string;
  box: PlotBox;
  /** px of the whole chart. */
  width: number;
}

/** Labels at round local times of the zone. If they show hours, days stand out; if they show months, years do. */
const TimeAxis = memo(function TimeAxis({ visible, timeZone, box, width }: TimeAxisProps) {
  const format = useFormat();
  const x = scaleOf(visible.fromMs, visible.toMs, box.left, box.right);
  const ticks = timeTicks(visible.fromMs, visible.toMs, timeZone, Math.max(2, Math.floor(width / tickRoom)));
  const [hasTimes, hasMonths] = (['time', 'month'] as const).map((unit) => ticks.some((tick) => tick.unit === unit));
  const labels = ticks.map((tick) => ({
    at: x(tick.atMs),
    text: tickLabel(tick, timeZone, format),
    isStrong: (tick.unit === 'day' && hasTimes === true) || (tick.unit === 'year' && hasMonths === true),
  }));
  return (
    <g>
      <line x1={box.left} x2={box.right} y1={box.bottom} y2={box.bottom} className={classes.axis} />
      {labels.map(({ at }) => (
        <line key={at} x1={at} x2={at} y1={box.bottom} y2={box.bottom + 4} className={classes.axis} />
      ))}
      {spacedLabels(labels, ({ text, isStrong }) => textWidth(text, { isStrong }), 0, width).map(
        ({ at, text, isStrong }) => (
          <text
            key={at}
            x={at}
            y={box.bottom + 17}
            textAnchor="middle"
            className={classes.label}
            data-strong={isStrong || undefined}
          >
            {text}
          </text>
        ),
      )}
    </g>
  );
});
