import { dayMs } from '../../../web/src/lib/time.ts';
import { format } from './reader.ts';
import { zone } from './zone.ts';

/**
 * In the place of the times of Perses (see `perses-changes.ts`), which has charts show other instants than they have, and then takes
 * what is zoomed for real ones. Here instants stay what they are, and are written by the portal's clock.
 */

/**
 * The label of an instant on an axis of so many milliseconds. Charts mark the midnights of the browser's clock: by that of the portal
 * such a mark stands for the day that begins nearest to it.
 */
export function getFormattedAxisLabel(rangeMs: number): (instant: number) => string {
  return (instant) => {
    const day = instant + dayMs / 2 - 1;
    if (rangeMs > 700 * dayMs) return format.monthYear(day, zone());
    if (rangeMs > 6 * dayMs) return format.dayMonth(day, zone());
    if (rangeMs > 2 * dayMs) return format.clock(instant, zone());
    return format.time(instant, zone());
  };
}

export function getDateAndTime(instant: number | null): { formattedDate: string; formattedTime: string } {
  if (instant === null) return { formattedDate: '', formattedTime: '' };
  return { formattedDate: `${format.weekday(instant, zone())} · `, formattedTime: format.time(instant, zone()) };
}

export const formatWithTimeZone = (date: Date): string => format.dateTime(date.getTime(), zone());

export const dateFormatOptionsWithTimeZone = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions => ({
  ...options,
  timeZone: zone(),
});
