import { queryOptions } from '@tanstack/react-query';
import { reportRemark } from '../../../../../shared/reports.ts';
import {
  baseLoad,
  type BaseLoad,
  costBreakdown,
  type CostBreakdown,
  dashboardSummary,
  type DashboardSummary,
  loadCurve,
  type LoadCurve,
} from '../../../../../shared/dashboard.ts';
import { viewKey, wireChoice, type DeviceChoice } from '../../../lib/device-choice.ts';
import { fetchJson } from '../../../lib/http.ts';
import { add, startOf } from '../../../../../shared/time.ts';
import { calendarSpan, resolveTimeRange, shiftRange, wirePart, type TimeRange } from '../../../lib/time-range.ts';
import { comparedRanges, comparedWith, endOf } from '../../../lib/compared-ranges.ts';
import type { DashboardSearch } from '../search.ts';

/** The figures of one month or year. */
export interface ReportedRange {
  range: TimeRange;
  summary: DashboardSummary;
  baseLoad: BaseLoad;
}

/** All numbers of a report. The charts have queries of their own. */
export interface Report {
  readAtMs: number;
  /** The range up to now, and the range up to the instant at which all readings have arrived. */
  own: ReportedRange;
  isWhole: boolean;
  /** Whether the range has begun, but not all devices that send have sent readings for it yet. */
  isEmpty: boolean;
  /**
   * The previous range and, for a month, the same month of the previous year. Both are cut if the range of the report is not
   * over.
   */
  others: ReportedRange[];
  lines: CostBreakdown;
  /** The energy of each local day, up to the reported instant. */
  days: LoadCurve;
}

interface ReportedPart {
  whole: TimeRange;
  part: TimeRange;
}

/**
 * The ranges of a report: its month or year, the previous one and, for a month, the same month of the previous year. All of
 * them end where the readings of the report have arrived (`arrivedUntilMs`), otherwise now. Null if the month or year has not
 * begun.
 */
export function reportedParts(
  whole: TimeRange,
  timeZone: string,
  nowMs: number,
  arrivedUntilMs: number,
  endMs = whole.toMs,
) {
  const passed = comparedRanges(whole, timeZone, nowMs, endMs);
  if (passed === null) return null;
  const arrived = comparedRanges(whole, timeZone, arrivedUntilMs, endMs);
  const { current, previous, isWhole } = arrived ?? passed;
  const own: ReportedPart = { whole, part: current };
  const others: ReportedPart[] = [{ whole: shiftRange(whole, -1, timeZone), part: previous }];
  if (calendarSpan(whole, timeZone)?.unit === 'month') {
    const move = (atMs: number) => startOf('month', add(-1, 'year', atMs, timeZone), timeZone);
    const year = { fromMs: move(whole.fromMs), toMs: move(whole.toMs) };
    const untilMs = arrived === null ? nowMs : arrivedUntilMs;
    others.push({ whole: year, part: comparedWith(whole, year, timeZone, untilMs, endMs).previous });
  }
  return { own, others, isWhole, isEmpty: arrived === null };
}

/** The ranges of the report for the search; null if its month or year has not begun. */
export const reportQuery = (search: DashboardSearch, timeZone: string) =>
  queryOptions({
    queryKey: ['report', ...viewKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<Report | null> => {
      const nowMs = Date.now();
      const range = resolveTimeRange(search, timeZone, nowMs);
      if (range.fromMs >= nowMs) return null;
      const ask = (of: TimeRange, part: TimeRange) => ({ ...wirePart(of, part, timeZone), ...wireChoice(search) });
      const fetchSummary = ({ whole, part }: ReportedPart) =>
        fetchJson('/api/dashboard/summary', dashboardSummary, { query: ask(whole, part), signal });
      const read = async (of: ReportedPart, known?: DashboardSummary): Promise<ReportedRange> => {
        const [summary, base] = await Promise.all([
          known ?? fetchSummary(of),
          fetchJson('/api/dashboard/base-load', baseLoad, { query: ask(of.whole, of.whole), signal }),
        ]);
        return { range: of.part, summary, baseLoad: base };
      };
      const all = await fetchSummary({ whole: range, part: range });
      const parts = reportedParts(
        range,
        timeZone,
        nowMs,
        Math.min(nowMs, Date.parse(all.arrivedUntil)),
        endOf(range, all),
      );
      if (parts === null) return null;
      const { isWhole, isEmpty } = parts;
      const asked = ask(range, parts.own.part);
      const [own, lines, days, ...others] = await Promise.all([
        read(parts.own, isWhole ? all : undefined),
        fetchJson('/api/dashboard/cost-breakdown', costBreakdown, { query: { ...asked, group: 'period' }, signal }),
        fetchJson('/api/dashboard/load-curve', loadCurve, {
          query: { ...asked, bucket: 'day', groupBy: 'total' },
          signal,
        }),
        ...parts.others.map((of) => read(of)),
      ]);
      return { readAtMs: nowMs, own, isWhole, isEmpty, others, lines, days };
    },
  });

/** The subject of a remark. */
export interface RemarkedReport {
  /** Month or year. */
  period: string;
  choice: DeviceChoice;
}

export const remarkPath = '/api/report/remark';

/** `GET /api/report/remark`: an administrator's remark in a report. */
export const remarkQuery = ({ period, choice }: RemarkedReport) =>
  queryOptions({
    queryKey: ['report-remark', period, wireChoice(choice)],
    queryFn: ({ signal }) => fetchJson(remarkPath, reportRemark, { query: { period, ...wireChoice(choice) }, signal }),
  });
