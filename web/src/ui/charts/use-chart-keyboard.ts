import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { TimeRange } from '../../lib/time-range.ts';
import { panBy, zoomBy } from './zoom-window.ts';

export interface Walk {
  range: TimeRange;
  onZoom: (zoom: TimeRange | null) => void;
  /** The middle of the bucket `by` buckets from that at `atMs` (or from the start); null where there is none. */
  step: (atMs: number | null, by: number) => number | null;
  /** The values at an instant as a sentence. */
  readOut: (atMs: number) => string;
}

interface Keyboard extends Walk {
  container: RefObject<HTMLElement | null>;
  visible: TimeRange;
  /** Points at an instant, or at nothing. */
  onPoint: (atMs: number | null) => void;
}

const zoomStep = 0.6;
const wideStep = 10;

/** Arrow keys walk from bucket to bucket and read it out, plus and minus zoom, Escape shows all again. Answers what is read out. */
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
    // The nearest bucket may lie just outside of what is shown.
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
