import { dayMs, fromLocal, toLocal } from '../../../../shared/time.ts';

/** Local dates as in the API, `YYYY-MM-DD`. Compared as texts, they are in the right order. */

/** The start of the date in UTC, for formats and distances. */
export const utcMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const fromUtcMs = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (date: string, days: number): string => fromUtcMs(utcMs(date) + days * dayMs);

/** The date in the zone. */
export function dateAt(instantMs: number, timeZone: string): string {
  const { year, month, day } = toLocal(instantMs, timeZone);
  return fromUtcMs(Date.UTC(year, month - 1, day));
}

/** The first day of the month that is `months` months after the month of the date. */
export function monthStart(date: string, months = 0): string {
  const at = new Date(utcMs(date));
  return fromUtcMs(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
}

/** The instant at which the date begins in the zone. */
export function startOfDate(date: string, timeZone: string): number {
  const at = new Date(utcMs(date));
  const day = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  return fromLocal({ ...day, hour: 0, minute: 0, second: 0 }, timeZone);
}

/** Whether the text is an existing date, as `<input type="date">` returns it. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(utcMs(text)) && fromUtcMs(utcMs(text)) === text;
