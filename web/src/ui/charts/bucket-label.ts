import type { Format } from '../../lib/format.ts';
import { startOf } from '../../lib/time.ts';

/** A bucket in words: its month, its day, or its day and the times between which it lies. */
export function bucketLabel(startMs: number, endMs: number, timeZone: string, format: Format): string {
  const hours = (endMs - startMs) / 3_600_000;
  if (hours > 27 * 24) {
    const isMonth = [startMs, endMs].every((atMs) => startOf('month', atMs, timeZone) === atMs);
    return isMonth ? format.month(startMs, timeZone) : format.dateSpan(startMs, endMs - 1, timeZone);
  }
  const isDay = hours > 20 && hours < 28;
  if (isDay && startOf('day', startMs, timeZone) === startMs) return format.weekday(startMs, timeZone);
  return format.dateTimeSpan(startMs, endMs, timeZone);
}
