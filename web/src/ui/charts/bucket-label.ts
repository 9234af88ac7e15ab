import type { Format } from '../../lib/format.ts';
import { startOf } from '../../lib/time.ts';

/** A bucket in words: its day, or its day and the times between which it lies. */
export function bucketLabel(startMs: number, endMs: number, timeZone: string, format: Format): string {
  const isDay = endMs - startMs > 20 * 3_600_000;
  if (isDay && startOf('day', startMs, timeZone) === startMs) return format.weekday(startMs, timeZone);
  return format.dateTimeSpan(startMs, endMs, timeZone);
}
