import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { readSpan, spanText, type TimeRange } from '../../lib/time-range.ts';
import { fitWindow } from './zoom-window.ts';

/** A hand that zooms is still moving while it rests for less than this. */
const settledAfterMs = 250;

/** Where a zoom is kept beyond the chart: in the address, as a text. */
export interface KeptZoom {
  text: string | undefined;
  keep: (text: string | undefined) => void;
}

/**
 * The zoom of a chart over a range: gone when `rangeKey` changes, kept while a live range moves on. `settled` follows once
 * the reader has stopped moving; ask for more detail by it, and it is what the address keeps.
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

/** The window with half of it more on each side, so that moving a little shows detail at once; on round multiples of `stepMs`. */
export function paddedWindow(window: TimeRange, range: TimeRange, stepMs: number): TimeRange {
  const padding = (window.toMs - window.fromMs) / 2;
  return {
    fromMs: Math.max(range.fromMs, Math.floor((window.fromMs - padding) / stepMs) * stepMs),
    toMs: Math.min(range.toMs, Math.ceil((window.toMs + padding) / stepMs) * stepMs),
  };
}
