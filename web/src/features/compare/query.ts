import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { comparison } from '../../../../shared/comparison.ts';
import { wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { wireRange } from '../../lib/time-range.ts';
import { compareBucket } from './compared-data.ts';
import { sidesOf, type CompareSearch } from './search.ts';

const asOther = (query: object) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      `other${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      String(value),
    ]),
  );

/** What both sides mean now, in the query of the API. */
export function compareWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  isByDay = false,
): Record<string, string> {
  const { choice, otherChoice, range, otherRange } = sidesOf(search, timeZone, nowMs);
  return {
    ...wireRange(range, timeZone),
    ...wireChoice(choice),
    ...asOther(wireRange(otherRange, timeZone)),
    ...asOther(wireChoice(otherChoice)),
    bucket: isByDay ? 'day' : compareBucket(range, otherRange),
    ...(search.align === undefined ? {} : { align: search.align }),
  };
}

/** `GET /api/dashboard/comparison` of what the address means at the time of asking; by day each site has its own days. */
export const compareQuery = (search: CompareSearch, timeZone: string, isByDay = false) =>
  queryOptions({
    queryKey: ['compare', JSON.stringify(search), timeZone, isByDay],
    queryFn: ({ signal }) =>
      fetchJson('/api/dashboard/comparison', comparison, {
        query: compareWire(search, timeZone, Date.now(), isByDay),
        signal,
      }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });
