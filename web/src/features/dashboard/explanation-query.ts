import { queryOptions } from '@tanstack/react-query';
import { costBreakdown, type CostBreakdown, type CostGroup } from '../../../../shared/costs.ts';
import { fetchJson } from '../../lib/http.ts';
import { rangeKey } from '../../lib/range-key.ts';
import { resolveTimeRange, wireRange, type TimeRangeSearch } from '../../lib/time-range.ts';

const refreshMs = 30_000;

export interface ExplainedCost {
  periods: CostBreakdown;
  months: CostBreakdown;
}

/** `GET /api/dashboard/cost-breakdown` as a whole and by month, of one and the same range: their days must add up. */
export const explanationQuery = (search: TimeRangeSearch, timeZone: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['dashboard', 'explanation', ...rangeKey(search, timeZone)],
    queryFn: async ({ signal }): Promise<ExplainedCost> => {
      const range = wireRange(resolveTimeRange(search, timeZone, Date.now()), timeZone);
      const get = (group: CostGroup) =>
        fetchJson('/api/dashboard/cost-breakdown', costBreakdown, { query: { ...range, group }, signal });
      const [periods, months] = await Promise.all([get('period'), get('month')]);
      return { periods, months };
    },
    refetchInterval: isLive ? refreshMs : false,
  });
