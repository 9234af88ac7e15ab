import type { TimeRange } from '../../lib/time-range.ts';

/** Nobody needs to look closer than this. */
export const shortestZoomMs = 5 * 60_000;

const length = ({ fromMs, toMs }: TimeRange): number => toMs - fromMs;

/** The window inside the range, moved rather than cut where it is shorter; null where it is (nearly) all of the range. */
export function fitWindow(window: TimeRange, range: TimeRange): TimeRange | null {
  const full = length(range);
  const wanted = Math.max(length(window), Math.min(shortestZoomMs, full));
  if (wanted >= full * 0.995) return null;
  const centre = (window.fromMs + window.toMs) / 2;
  const fromMs = Math.min(Math.max(centre - wanted / 2, range.fromMs), range.toMs - wanted);
  return { fromMs, toMs: fromMs + wanted };
}

/** The window `factor` times as long, with `anchorMs` staying where it is in it. */
export function zoomBy(window: TimeRange, factor: number, anchorMs: number, range: TimeRange): TimeRange | null {
  const wanted = Math.max(length(window) * factor, Math.min(shortestZoomMs, length(range)));
  const share = (anchorMs - window.fromMs) / length(window);
  const fromMs = anchorMs - share * wanted;
  return fitWindow({ fromMs, toMs: fromMs + wanted }, range);
}

/** The window moved by `byMs`, not beyond the range. */
export function panBy(window: TimeRange, byMs: number, range: TimeRange): TimeRange | null {
  return fitWindow({ fromMs: window.fromMs + byMs, toMs: window.toMs + byMs }, range);
}
