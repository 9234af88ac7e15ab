import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { readSpan, spanText, type TimeRange } from '../lib/time-range.ts';

/** The shortest window, because nobody needs more detail. */
export const shortestZoomMs = 5 * 60_000;

const length = ({ fromMs, toMs }: TimeRange): number => toMs - fromMs;

/**
 * The window inside the range. If it reaches beyond the range, it is moved, not cut. Null if it is (nearly) the whole range.
 */
export function fitWindow(window: TimeRange, range: TimeRange): TimeRange | null {
  const full = length(range);
  const wanted = Math.max(length(window), Math.min(shortestZoomMs, full));
  if (wanted >= full * 0.995) return null;
  const centre = (window.fromMs + window.toMs) / 2;
  const fromMs = Math.min(Math.max(centre - wanted / 2, range.fromMs), range.toMs - wanted);
  return { fromMs, toMs: fromMs + wanted };
}

/** The window `factor` times as long; `anchorMs` keeps its place in it. */
export function zoomBy(window: TimeRange, factor: number, anchorMs: number, range: TimeRange): TimeRange | null {
  const wanted = Math.max(length(window) * factor, Math.min(shortestZoomMs, length(range)));
  const share = (anchorMs - window.fromMs) / length(window);
  const fromMs = anchorMs - share * wanted;
  return fitWindow({ fromMs, toMs: fromMs + wanted }, range);
}

/** The window moved by `byMs`, but not beyond the range. */
export function panBy(window: TimeRange, byMs: number, range: TimeRange): TimeRange | null {
  return fitWindow({ fromMs: window.fromMs + byMs, toMs: window.toMs + byMs }, range);
}

/** A pause shorter than this is still part of a zoom gesture. */
const settledAfterMs = 250;

/** Stores the zoom outside the chart: in the URL, as a text. */
export interface KeptZoom {
  text: string | undefined;
  keep: (text: string | undefined) => void;
}

/**
 * The zoom of a chart over a range. It is reset when `rangeKey` changes, and kept while a live range moves on. `settled`
 * follows once the reader has stopped moving. Use it to request more detail; the URL stores it.
 */
export function useChartZoom(range: TimeRange, rangeKey: string, { text, keep }: KeptZoom) {
  const key = `${rangeKey} ${text ?? ''}`;
  const [own, setOwn] = useState<{ key: string; zoom: TimeRange | null } | null>(null);
  const isOwn = own?.key === key;
  const { fromMs, toMs } = range;
  const zoom = useMemo(() => {
    const wanted = isOwn ? own.zoom : readSpan(text);
    return wanted === null ? null : fitWindow(wanted, { fromMs, toMs });
  }, [isOwn, own, text, fromMs, toMs]);
  const [debounced] = useDebouncedValue(zoom, settledAfterMs);
  const settled = zoom === null ? null : debounced;
  const settle = useEffectEvent((shown: TimeRange | null, at: TimeRange | null) => {
    const next = at === null ? undefined : spanText(at);
    if (isOwn && at === shown && next !== text) keep(next);
  });
  useEffect(() => settle(zoom, settled), [zoom, settled]);
  return { zoom, settled, setZoom: (next: TimeRange | null) => setOwn({ key, zoom: next }) };
}

/**
 * The window, extended by half of its length on each side and rounded to multiples of `stepMs`. So a small move shows detail at
 * once.
 */
export function paddedWindow(window: TimeRange, range: TimeRange, stepMs: number): TimeRange {
  const padding = (window.toMs - window.fromMs) / 2;
  return {
    fromMs: Math.max(range.fromMs, Math.floor((window.fromMs - padding) / stepMs) * stepMs),
    toMs: Math.min(range.toMs, Math.ceil((window.toMs + padding) / stepMs) * stepMs),
  };
}
