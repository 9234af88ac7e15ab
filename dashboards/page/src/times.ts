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

/** Whether the ends of an axis can have labels. A label with a date alone names the nearest midnight, which may lie outside. */
export function labelledEnds(fromMs: number, toMs: number) {
  const hasTimes = toMs - fromMs <= longestWithTimes;
  return { showMinLabel: hasTimes || startOf('day', fromMs, zone()) === fromMs, showMaxLabel: hasTimes };
}

/** The label of a point if the next point follows after this many milliseconds. */
export function pointLabel(atMs: number, stepMs: number): string {
  if (stepMs < dayMs) return format.dateTime(atMs, zone());
  return stepMs > 7 * dayMs ? format.month(atMs, zone()) : format.weekday(atMs, zone());
}
