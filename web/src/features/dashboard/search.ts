import { readTimeRangeSearch, type TimeRangeSearch } from '../../lib/time-range.ts';

/** The search parameters of the Dashboard. */
export type DashboardSearch = TimeRangeSearch;

export function readDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  return readTimeRangeSearch(search);
}
