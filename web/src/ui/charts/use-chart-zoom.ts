import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { TimeRange } from '../../lib/time-range.ts';
import { fitWindow } from './zoom-window.ts';

/** A hand that zooms is still moving while it rests for less than this. */
const settledAfterMs = 250;

/**
 * The zoom of a chart over a range: gone when `rangeKey` changes, kept while a live range moves on. `settled` follows once
 * the reader has stopped moving; ask for more detail by it.
 */
export function useChartZoom(range: TimeRange, rangeKey: string) {
  const [chosen, setChosen] = useState<{ rangeKey: string; zoom: TimeRange | null }>({ rangeKey, zoom: null });
  const { fromMs, toMs } = range;
  const zoom = useMemo(
    () => (chosen.rangeKey === rangeKey && chosen.zoom !== null ? fitWindow(chosen.zoom, { fromMs, toMs }) : null),
    [chosen, rangeKey, fromMs, toMs],
  );
  const [settled] = useDebouncedValue(zoom, settledAfterMs);
  return {
    zoom,
    settled: zoom === null ? null : settled,
    setZoom: (next: TimeRange | null) => setChosen({ rangeKey, zoom: next }),
  };
}

/** The window with half of it more on each side, so that moving a little shows detail at once; on round multiples of `stepMs`. */
export function paddedWindow(window: TimeRange, range: TimeRange, stepMs: number): TimeRange {
  const padding = (window.toMs - window.fromMs) / 2;
  return {
    fromMs: Math.max(range.fromMs, Math.floor((window.fromMs - padding) / stepMs) * stepMs),
    toMs: Math.min(range.toMs, Math.ceil((window.toMs + padding) / stepMs) * stepMs),
  };
}
