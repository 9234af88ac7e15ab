import type { ReportedPeriod } from '../../shared/report-subscriptions.ts';
import type { CalendarDates } from '../base/ranges.ts';

/** Readings may arrive up to this much later than they were measured. */
const settledMs = 6 * 3_600_000;

const units = { week: { weeks: 1 }, month: { months: 1 }, year: { years: 1 } } as const;

/** The last period that ended at least six hours ago in a time zone. */
export function lastFinished(period: ReportedPeriod, nowMs: number, timeZone: string): CalendarDates {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs - settledMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const end =
    period === 'week'
      ? today.subtract({ days: today.dayOfWeek - 1 })
      : today.with(period === 'month' ? { day: 1 } : { day: 1, month: 1 });
  return { fromDate: end.subtract(units[period]).toString(), toDate: end.toString() };
}

/** Whether a period ended at least six hours ago at every site; `endMicros` is its last end. */
export const isSettled = (endMicros: number, nowMs: number): boolean => endMicros / 1000 + settledMs <= nowMs;

/** The period before. */
export const previousOf = (period: ReportedPeriod, { fromDate }: CalendarDates): CalendarDates => ({
  fromDate: Temporal.PlainDate.from(fromDate).subtract(units[period]).toString(),
  toDate: fromDate,
});

/** The same month of the previous year. */
export function yearBefore({ fromDate, toDate }: CalendarDates): CalendarDates {
  const move = (date: string) => Temporal.PlainDate.from(date).subtract({ years: 1 }).toString();
  return { fromDate: move(fromDate), toDate: move(toDate) };
}
