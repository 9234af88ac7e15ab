import { queryOptions } from '@tanstack/react-query';
import { costBreakdown, type CostBreakdown, type CostGroup } from '../../../../shared/dashboard.ts';
import { wireSoFar } from '../../lib/compared-ranges.ts';
import { viewKey, wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { resolveTimeRange } from '../../lib/time-range.ts';
import type { DashboardSearch } from './search.ts';

const refreshMs = 30_000;

export interface ExplainedCost {
  periods: CostBreakdown;
  months: CostBreakdown;
}

/** `GET /api/dashboard/cost-breakdown` as a whole and by month, of one and the same range: their days must add up. */
export const explanationQuery = (search: DashboardSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'explanation', ...viewKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<ExplainedCost> => {
      const nowMs = Date.now();
      const range = wireSoFar(resolveTimeRange(search, timeZone, nowMs), timeZone, nowMs);
      const get = (group: CostGroup) =>
        fetchJson('/api/dashboard/cost-breakdown', costBreakdown, {
          query: { ...range, ...wireChoice(search), group },
          signal,
        });
      const [periods, months] = await Promise.all([get('period'), get('month')]);
      return { periods, months };
    },
    refetchInterval: isLive ? refreshMs : false,
  });
