import { dayMs, startOf } from '../../../shared/time.ts';
import { format } from './reader.ts';
import { zone } from './zone.ts';

const longestWithTimes = 6 * dayMs;

/**
 * The label of an instant on an axis with steps of this many milliseconds. Charts put marks at midnights of the browser's zone.
 * Such a mark gets the label of the nearest midnight in the portal's zone.
 */
export function axisLabel(rangeMs: number): (instant: number) => string {
  return (instant) => {
    const day = instant + dayMs / 2 - 1;
    if (rangeMs > 700 * dayMs) return format.monthYear(day, zone());
    if (rangeMs > longestWithTimes) return format.dayMonth(day, zone());
    if (rangeMs > 2 * dayMs) return format.clock(instant, zone());
    return format.time(instant, zone());
  };
}

/**
 * Whether the start of an axis has a label, as a midnight has. Any other time may be so close to the round times of the axis that
 * both labels read as one, and a label with a date alone would name a midnight outside.
 */
export const hasStartLabel = (fromMs: number): boolean => startOf('day', fromMs, zone()) === fromMs;

/** The label of a point if the next point follows after this many milliseconds. */
export function pointLabel(atMs: number, stepMs: number): string {
  if (stepMs < dayMs) return format.dateTime(atMs, zone());
  return stepMs > 7 * dayMs ? format.month(atMs, zone()) : format.weekday(atMs, zone());
}
