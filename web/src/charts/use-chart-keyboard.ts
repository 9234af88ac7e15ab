import { useEffect, useEffectEvent, useState, type RefObject, useRef } from 'react';
import type { TimeRange } from '../lib/time-range.ts';
import { panBy, zoomBy, fitWindow } from './use-chart-zoom.ts';

interface Gestures {
  container: RefObject<HTMLElement | null>;
  range: TimeRange;
  visible: TimeRange;
  onZoom: (zoom: TimeRange | null) => void;
  /** Instant at a horizontal position in the container, px. */
  timeAt: (x: number) => number;
  isInGrid: (x: number, y: number) => boolean;
}

/** Shorter drags are clicks. */
const shortestDragPx = 8;
const wheelSpeed = 0.0025;

/**
 * Zooming with pointers: a mouse selects a part, two fingers pinch, one finger moves the zoomed part, and Ctrl with the wheel (or
 * a pinch on a touchpad) zooms; otherwise the page scrolls. Returns the part being selected, px.
 */
export function useChartGestures({ container, range, visible, onZoom, timeAt, isInGrid }: Gestures) {
  const [selection, setSelection] = useState<{ left: number; width: number } | null>(null);
  const dragStart = useRef<number | null>(null);
  const fingers = useRef(new Map<number, number>());

  const position = useEffectEvent((event: PointerEvent | WheelEvent) => {
    const box = container.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  });

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const { x, y } = position(event);
    if (!isInGrid(x, y)) return;
    event.preventDefault();
    const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * wheelSpeed * (event.deltaMode === 0 ? 1 : 20));
    onZoom(zoomBy(visible, factor, timeAt(x), range));
  });

  const onDown = useEffectEvent((event: PointerEvent) => {
    const { x, y } = position(event);
    if (!isInGrid(x, y)) return;
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, x);
    else if (event.button === 0) dragStart.current = x;
  });

  const moveFinger = (id: number, x: number) => {
    const before = fingers.current.get(id);
    if (before === undefined) return;
    const other = [...fingers.current].find(([otherId]) => otherId !== id)?.[1];
    fingers.current.set(id, x);
    const perPx = timeAt(1) - timeAt(0);
    if (other === undefined) {
      if (visible.toMs - visible.fromMs < range.toMs - range.fromMs)
        onZoom(panBy(visible, (before - x) * perPx, range));
    } else if (Math.abs(x - other) > shortestDragPx) {
      onZoom(zoomBy(visible, Math.abs(before - other) / Math.abs(x - other), timeAt(other), range));
    }
  };

  const onMove = useEffectEvent((event: PointerEvent) => {
    const { x } = position(event);
    if (event.pointerType === 'touch') moveFinger(event.pointerId, x);
    else if (dragStart.current !== null) {
      const [left, width] = [Math.min(x, dragStart.current), Math.abs(x - dragStart.current)];
      setSelection(width < shortestDragPx ? null : { left, width });
    }
  });

  const onUp = useEffectEvent((event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const start = dragStart.current;
    if (start === null || event.pointerType === 'touch') return;
    dragStart.current = null;
    setSelection(null);
    const { x } = position(event);
    if (event.type === 'pointercancel' || Math.abs(x - start) < shortestDragPx) return;
    const [one, other] = [timeAt(start), timeAt(x)];
    onZoom(
      fitWindow(
        { fromMs: Math.max(visible.fromMs, Math.min(one, other)), toMs: Math.min(visible.toMs, Math.max(one, other)) },
        range,
      ),
    );
  });

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('wheel', (event) => onWheel(event), { signal, passive: false });
    element.addEventListener('pointerdown', (event) => onDown(event), { signal });
    // A drag may end anywhere.
    window.addEventListener('pointermove', (event) => onMove(event), { signal });
    window.addEventListener('pointerup', (event) => onUp(event), { signal });
    window.addEventListener('pointercancel', (event) => onUp(event), { signal });
    return () => listening.abort();
  }, [container]);

  return selection;
}

export interface Walk {
  range: TimeRange;
  onZoom: (zoom: TimeRange | null) => void;
  /** The middle of the bucket `by` buckets after the one at `atMs` (or from the start); null if there is none. */
  step: (atMs: number | null, by: number) => number | null;
  /** The values at an instant as a sentence. */
  readOut: (atMs: number) => string;
}

interface Keyboard extends Walk {
  container: RefObject<HTMLElement | null>;
  visible: TimeRange;
  /** Shows the values at an instant; null shows nothing. */
  onPoint: (atMs: number | null) => void;
}

const zoomStep = 0.6;
const wideStep = 10;

/**
 * Arrow keys move from bucket to bucket and announce it, plus and minus zoom, Escape resets. Returns the announced
 * bucket.
 */
export function useChartKeyboard({ container, range, visible, onZoom, step, readOut, onPoint }: Keyboard) {
  const [atMs, setAtMs] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');

  const walk = (to: number | null) => {
    if (to === null) return;
    setAtMs(to);
    setAnnouncement(readOut(to));
    onPoint(to);
    if (to < visible.fromMs) onZoom(panBy(visible, to - visible.fromMs - (visible.toMs - visible.fromMs) / 2, range));
    if (to > visible.toMs) onZoom(panBy(visible, to - visible.toMs + (visible.toMs - visible.fromMs) / 2, range));
  };

  const hide = useEffectEvent(() => {
    setAtMs(null);
    setAnnouncement('');
    onPoint(null);
  });

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isInView = atMs !== null && atMs >= visible.fromMs && atMs <= visible.toMs;
    const from = isInView ? atMs : event.key === 'ArrowLeft' ? visible.toMs : visible.fromMs;
    const anchor = isInView ? atMs : (visible.fromMs + visible.toMs) / 2;
    const by = event.shiftKey ? wideStep : 1;
    // The nearest bucket may be just outside the window.
    const enter = (edgeMs: number, inwards: 1 | -1) => {
      const to = step(edgeMs, 0);
      return to !== null && (edgeMs - to) * inwards > 0 ? (step(edgeMs, inwards) ?? to) : to;
    };
    const actions: Record<string, () => void> = {
      ArrowRight: () => walk(isInView ? step(from, by) : enter(from, 1)),
      ArrowLeft: () => walk(isInView ? step(from, -by) : enter(from, -1)),
      Home: () => walk(enter(visible.fromMs, 1)),
      End: () => walk(enter(visible.toMs, -1)),
      '+': () => onZoom(zoomBy(visible, zoomStep, anchor, range)),
      '=': () => onZoom(zoomBy(visible, zoomStep, anchor, range)),
      '-': () => onZoom(zoomBy(visible, 1 / zoomStep, anchor, range)),
      Escape: () => (atMs === null ? onZoom(null) : hide()),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    element.addEventListener('blur', () => hide(), { signal });
    return () => listening.abort();
  }, [container]);

  return announcement;
}
