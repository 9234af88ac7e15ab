import type { TimeRange } from '../../lib/time-range.ts';
import { add } from '../../lib/time.ts';

const maxYears = 5;

/** What the heatmap shows of the range: the last five years of it that are not still to come. */
export function heatRange(range: TimeRange, timeZone: string, nowMs: number): TimeRange {
  const earliest = (toMs: number) => add(-maxYears, 'year', toMs, timeZone);
  if (range.fromMs >= earliest(range.toMs)) return range;
  const nextHourMs = (Math.floor(nowMs / 3_600_000) + 1) * 3_600_000;
  // A range that begins in years to come has nothing to show anyway.
  const toMs = range.fromMs < nextHourMs ? Math.min(range.toMs, nextHourMs) : range.toMs;
  return { fromMs: Math.max(range.fromMs, earliest(toMs)), toMs };
}
