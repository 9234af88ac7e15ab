import type { Format } from '../../../../shared/format.ts';
import { calendarSpan, type TimeRange } from '../../lib/time-range.ts';

/** The range in words, as short as possible: a day, days, months, years, or two times. */
export function rangeLabel(range: TimeRange, timeZone: string, format: Format): string {
  const last = range.toMs - 1;
  const span = calendarSpan(range, timeZone);
  if (span === null) return format.dateTimeSpan(range.fromMs, range.toMs, timeZone);
  if (span.unit === 'year' && span.count === 1) return format.year(range.fromMs, timeZone);
  if (span.unit !== 'day') return format.monthSpan(range.fromMs, last, timeZone);
  return span.count === 1 ? format.weekday(range.fromMs, timeZone) : format.dateSpan(range.fromMs, last, timeZone);
}
