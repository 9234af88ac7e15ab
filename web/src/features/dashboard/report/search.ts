import { reportPeriod } from '../../../../../shared/reports.ts';
import type { Language } from '../../../../../shared/messages.ts';
import { isLanguage } from '../../../lib/i18n/language.ts';
import { readDeviceChoice, type DeviceChoice } from '../../../lib/device-choice.ts';
import {
  calendarSpan,
  presetRange,
  readTimeRangeSearch,
  unknownRange,
  type TimeRange,
} from '../../../lib/time-range.ts';
import { toLocalText } from '../../../../../shared/time.ts';
import { daysInMonth } from '../explain/explained-amounts.ts';
import type { DashboardSearch } from '../search.ts';

/** The search parameters of the report. */
export interface ReportSearch extends DeviceChoice {
  /**
   * A local month (`YYYY-MM`), or a year. A year is a number, because a URL puts quotes around a text of digits. If it is
   * absent or invalid (`unknownRange`), the last completed month is shown.
   */
  month?: string | number;
  /** IANA name, if the user chose a zone other than that of the sites. */
  tz?: string;
  /** The language of the report. If absent, the language of the page. */
  lang?: Language;
}

export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const { month, lang } = search;
  const period = month === undefined ? undefined : (reportPeriod.safeParse(String(month)).data ?? unknownRange);
  const { tz } = readTimeRangeSearch(search);
  return {
    ...(period === undefined ? {} : { month: isYear(period) ? Number(period) : period }),
    ...readDeviceChoice(search),
    ...(tz === undefined ? {} : { tz }),
    ...(isLanguage(lang) ? { lang } : {}),
  };
}

export const isYear = (month: string): boolean => month.length === 4;

/** The range and devices of a report, as the panels of the Overview accept them. */
export function reportedSearch(search: ReportSearch, month: string): DashboardSearch {
  const [from, to] = isYear(month)
    ? [`${month}-01-01`, `${month}-12-31`]
    : [`${month}-01`, `${month}-${daysInMonth(month)}`];
  return { ...readTimeRangeSearch({ from, to, tz: search.tz }), ...readDeviceChoice({ ...search }) };
}

const monthAt = (atMs: number, timeZone: string) => toLocalText(atMs, timeZone).slice(0, 'YYYY-MM'.length);

/** The month or year in the URL. */
export const monthOf = ({ month }: ReportSearch, timeZone: string, nowMs: number): string =>
  month === undefined || month === unknownRange ? lastMonth(timeZone, nowMs) : String(month);

/** The last completed month. */
export const lastMonth = (timeZone: string, nowMs: number): string =>
  monthAt(presetRange('last-month', timeZone, nowMs).fromMs, timeZone);

/** The report for a range: a year or a month. Undefined if the range is only a part of one that is not over. */
export function reportOf(range: TimeRange, timeZone: string, nowMs: number): ReportSearch {
  const span = calendarSpan(range, timeZone);
  const month = monthAt(range.fromMs, timeZone);
  if (span?.unit === 'year' && span.count === 1) return readReportSearch({ month: month.slice(0, 4) });
  const isWhole = span?.unit === 'month' && span.count === 1;
  return isWhole || month < monthAt(nowMs, timeZone) ? readReportSearch({ month }) : {};
}

/** The month or year before (-1) or after (+1). */
export function shiftMonth(month: string, by: -1 | 1): string {
  const year = Number(month.slice(0, 4));
  if (isYear(month)) return String(year + by);
  return new Date(Date.UTC(year, Number(month.slice(5)) - 1 + by, 1)).toISOString().slice(0, 7);
}

const listedMonths = 36;
const listedYears = 5;

/** The months and years to choose from, newest first, and the chosen one. */
export function choices(chosen: string, timeZone: string, nowMs: number): { months: string[]; years: string[] } {
  const newest = monthAt(nowMs, timeZone);
  const before = (first: string, count: number) => {
    const found = [first];
    while (found.length < count) found.push(shiftMonth(found.at(-1) ?? first, -1));
    return found;
  };
  const withChosen = (list: string[], isOfKind: boolean) =>
    isOfKind && !list.includes(chosen) ? [...list, chosen].toSorted().toReversed() : list;
  return {
    months: withChosen(before(newest, listedMonths), !isYear(chosen)),
    years: withChosen(before(newest.slice(0, 4), listedYears), isYear(chosen)),
  };
}
