import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { comparison } from '../../../../shared/comparison.ts';
import { comparedWith } from '../../lib/compared-ranges.ts';
import { wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { wirePart } from '../../lib/time-range.ts';
import { compareBucket } from './compared-data.ts';
import { sidesOf, type CompareSearch } from './search.ts';

const asOther = (query: object) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      `other${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      String(value),
    ]),
  );

/** The curve, the same by day, or the cost: of a range that still runs as far as it has come, and of the other one as far. */
export type AskedPart = 'curve' | 'days' | 'cost';

/** What both sides mean now, in the query of the API. */
export function compareWire(
  search: CompareSearch,
  timeZone: string,
  nowMs: number,
  part: AskedPart = 'curve',
): Record<string, string> {
  const { choice, otherChoice, range, otherRange } = sidesOf(search, timeZone, nowMs);
  const { current, previous } =
    part === 'cost' ? comparedWith(range, otherRange, timeZone, nowMs) : { current: range, previous: otherRange };
  return {
    ...wirePart(range, current, timeZone),
    ...wireChoice(choice),
    ...asOther(wirePart(otherRange, previous, timeZone)),
    ...asOther(wireChoice(otherChoice)),
    bucket: part === 'curve' ? compareBucket(range, otherRange) : 'day',
    timeZone,
    ...(search.align === undefined ? {} : { align: search.align }),
  };
}

/** `GET /api/dashboard/comparison` of what the address means at the time of asking; by day each site has its own days. */
export const compareQuery = ({ zoom: _zoom, ...search }: CompareSearch, timeZone: string, part: AskedPart = 'curve') =>
  queryOptions({
    queryKey: ['compare', JSON.stringify(search), timeZone, part],
    queryFn: ({ signal }) =>
      fetchJson('/api/dashboard/comparison', comparison, {
        query: compareWire(search, timeZone, Date.now(), part),
        signal,
      }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });
