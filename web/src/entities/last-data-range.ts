import { calendarSpan, type TimeRange } from '../lib/time-range.ts';
import { add, startOf } from '../../../shared/time.ts';

/**
 * A range with the length of `range` that ends with the last reading. If `range` consists of whole days, months or years, so
 * does the result.
 */
export function rangeOfLastData(range: TimeRange, lastMs: number, timeZone: string): TimeRange {
  const span = calendarSpan(range, timeZone);
  if (span === null) {
    const toMs = Math.floor(lastMs / 60_000) * 60_000 + 60_000;
    return { fromMs: toMs - (range.toMs - range.fromMs), toMs };
  }
  const { count, unit } = span;
  const toMs = startOf(unit, add(1, unit, startOf(unit, lastMs, timeZone), timeZone), timeZone);
  return { fromMs: startOf(unit, add(-count, unit, toMs, timeZone), timeZone), toMs };
}
