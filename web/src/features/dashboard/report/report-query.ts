import { queryOptions } from '@tanstack/react-query';
import { reportRemark } from '../../../../../shared/report-remarks.ts';
import { baseLoad, type BaseLoad } from '../../../../../shared/base-load.ts';
import { costBreakdown, type CostBreakdown } from '../../../../../shared/costs.ts';
import { dashboardSummary, loadCurve, type DashboardSummary, type LoadCurve } from '../../../../../shared/dashboard.ts';
import { viewKey, wireChoice, type DeviceChoice } from '../../../lib/device-choice.ts';
import { fetchJson } from '../../../lib/http.ts';
import { add, startOf } from '../../../lib/time.ts';
import {
  calendarSpan,
  resolveTimeRange,
  shiftRange,
  wirePart,
  wireRange,
  type TimeRange,
} from '../../../lib/time-range.ts';
import { comparedRanges, comparedWith } from '../../../lib/compared-ranges.ts';
import type { DashboardSearch } from '../search.ts';

/** What one month or year took. */
export interface ReportedRange {
  range: TimeRange;
  summary: DashboardSummary;
  baseLoad: BaseLoad;
}

/** Everything that a report says in numbers; what its charts show they ask for themselves. */
export interface Report {
  readAtMs: number;
  /** As far as it is over. */
  own: ReportedRange;
  isWhole: boolean;
  /** The one before, and of a month that of the year before; cut where the own one is not over. */
  others: ReportedRange[];
  lines: CostBreakdown;
  /** The energy of each local day. */
  days: LoadCurve;
}

/** What is reported about the range of the search: null where it has not begun. */
export const reportQuery = (search: DashboardSearch, timeZone: string) =>
  queryOptions({
    queryKey: ['report', ...viewKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<Report | null> => {
      const nowMs = Date.now();
      const whole = resolveTimeRange(search, timeZone, nowMs);
      const ranges = comparedRanges(whole, timeZone, nowMs);
      if (ranges === null) return null;
      const ask = (of: TimeRange, part: TimeRange) => ({ ...wirePart(of, part, timeZone), ...wireChoice(search) });
      const read = async (of: TimeRange, range: TimeRange): Promise<ReportedRange> => {
        const [summary, base] = await Promise.all([
          fetchJson('/api/dashboard/summary', dashboardSummary, { query: ask(of, range), signal }),
          fetchJson('/api/dashboard/base-load', baseLoad, { query: ask(of, of), signal }),
        ]);
        return { range, summary, baseLoad: base };
      };
      const before = shiftRange(whole, -1, timeZone);
      const asked = ask(whole, ranges.current);
      const [own, lines, days, ...others] = await Promise.all([
        read(whole, ranges.current),
        fetchJson('/api/dashboard/cost-breakdown', costBreakdown, { query: { ...asked, group: 'period' }, signal }),
        fetchJson('/api/dashboard/load-curve', loadCurve, {
          query: { ...wireRange(whole, timeZone), ...wireChoice(search), bucket: 'day', groupBy: 'total' },
          signal,
        }),
        read(before, ranges.previous),
        ...(calendarSpan(whole, timeZone)?.unit === 'month' ? [readYearBefore()] : []),
      ]);
      return { readAtMs: nowMs, own, isWhole: ranges.isWhole, others, lines, days };

      function readYearBefore(): Promise<ReportedRange> {
        const move = (atMs: number) => startOf('month', add(-1, 'year', atMs, timeZone), timeZone);
        const year = { fromMs: move(whole.fromMs), toMs: move(whole.toMs) };
        return read(year, comparedWith(whole, year, timeZone, nowMs).previous);
      }
    },
  });

/** What a remark is about. */
export interface RemarkedReport {
  /** Month or year. */
  period: string;
  choice: DeviceChoice;
}

export const remarkPath = '/api/report/remark';

/** `GET /api/report/remark`: what somebody remarks about a report. */
export const remarkQuery = ({ period, choice }: RemarkedReport) =>
  queryOptions({
    queryKey: ['report-remark', period, wireChoice(choice)],
    queryFn: ({ signal }) => fetchJson(remarkPath, reportRemark, { query: { period, ...wireChoice(choice) }, signal }),
  });
