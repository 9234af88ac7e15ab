import { useRef, type PointerEvent } from 'react';
import type { TimeRange } from '../lib/time-range.ts';
import { scaleOf } from '../../../shared/charts/axes.ts';
import classes from './plot.module.css';
import { fitWindow, panBy, shortestZoomMs } from './use-chart-zoom.ts';

interface RangeSliderProps {
  range: TimeRange;
  visible: TimeRange;
  onZoom: (zoom: TimeRange | null) => void;
  /** px */
  left: number;
  right: number;
  top: number;
}

type Part = 'from' | 'to' | 'window';

export const sliderHeight = 20;
const handleWidth = 8;
/** The handle is narrower than the area that reacts to touch. */
const gripWidth = 32;

/** The part of the range that a chart shows. Users move the whole part, or one of its ends. */
export function RangeSlider({ range, visible, onZoom, left, right, top }: RangeSliderProps) {
  const x = scaleOf(range.fromMs, range.toMs, left, right);
  const perPx = (range.toMs - range.fromMs) / (right - left);
  const held = useRef<{ part: Part; clientX: number; window: TimeRange } | null>(null);

  const hold = (part: Part) => (event: PointerEvent<SVGElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { part, clientX: event.clientX, window: visible };
  };
  const move = (event: PointerEvent<SVGElement>) => {
    if (held.current !== null) onZoom(movedWindow(held.current, (event.clientX - held.current.clientX) * perPx, range));
  };
  const letGo = () => {
    held.current = null;
  };
  const handlers = (part: Part) => ({
    onPointerDown: hold(part),
    onPointerMove: move,
    onPointerUp: letGo,
    onPointerCancel: letGo,
  });
  const jump = (event: PointerEvent<SVGElement>) => {
    if (event.button !== 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const atMs = range.fromMs + ((event.clientX - box.left) / box.width) * (range.toMs - range.fromMs);
    onZoom(panBy(visible, atMs - (visible.fromMs + visible.toMs) / 2, range));
  };

  const [from, to] = [x(visible.fromMs), x(visible.toMs)];
  return (
    <g className={classes.slider}>
      <rect
        x={left}
        y={top}
        width={right - left}
        height={sliderHeight}
        className={classes.track}
        onPointerDown={jump}
      />
      <rect
        x={from}
        y={top}
        width={to - from}
        height={sliderHeight}
        className={classes.window}
        {...handlers('window')}
      />
      {(['from', 'to'] as const).map((part) => {
        const at = part === 'from' ? from : to;
        return (
          <g key={part}>
            <rect
              x={at - gripWidth / 2}
              y={top - 4}
              width={gripWidth}
              height={sliderHeight + 8}
              className={classes.grip}
              {...handlers(part)}
            />
            <rect
              x={at - handleWidth / 2}
              y={top - 1}
              width={handleWidth}
              height={sliderHeight + 2}
              rx={3}
              className={classes.handle}
              pointerEvents="none"
            />
          </g>
        );
      })}
    </g>
  );
}

/** The window after a part of it was moved by `byMs`; null is the whole range. */
export function movedWindow(
  { part, window }: { part: Part; window: TimeRange },
  byMs: number,
  range: TimeRange,
): TimeRange | null {
  if (part === 'window') return panBy(window, byMs, range);
  const shortest = Math.min(shortestZoomMs, range.toMs - range.fromMs);
  const { fromMs, toMs } = window;
  return fitWindow(
    part === 'from'
      ? { fromMs: Math.max(range.fromMs, Math.min(fromMs + byMs, toMs - shortest)), toMs }
      : { fromMs, toMs: Math.min(range.toMs, Math.max(toMs + byMs, fromMs + shortest)) },
    range,
  );
}
