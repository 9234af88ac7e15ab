import { readTimeRangeSearch, type TimeRangeSearch } from '../../lib/time-range.ts';

/** The search parameters of Measurements: a link reproduces the view. */
export type MeasurementsSearch = TimeRangeSearch;

export function readMeasurementsSearch(search: Record<string, unknown>): MeasurementsSearch {
  return readTimeRangeSearch(search);
}
