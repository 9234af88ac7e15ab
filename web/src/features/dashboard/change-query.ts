import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { costComparison } from '../../../../shared/comparison.ts';
import { asOther, comparedWith } from '../../lib/compared-ranges.ts';
import { viewKey, wireChoice } from '../../lib/device-choice.ts';
import { fetchJson } from '../../lib/http.ts';
import { rangeKey } from '../../lib/range-key.ts';
import { resolveTimeRange, shiftRange, wirePart, type TimeRangeSearch } from '../../lib/time-range.ts';
import { arrivalOf } from './queries.ts';
import type { DashboardSearch } from './search.ts';

const refreshMs = 30_000;

/** `GET /api/dashboard/cost-comparison` with another range: that before, where none was chosen. */
export const changeQuery = (
  search: DashboardSearch,
  other: TimeRangeSearch | null,
  timeZone: string,
  isLive: boolean,
) =>
  queryOptions({
    queryKey: [
      'dashboard',
      'cost-comparison',
      ...viewKey(search, timeZone),
      ...(other === null ? [] : rangeKey(other, timeZone)),
    ],
    queryFn: async ({ client, signal }) => {
      const nowMs = Date.now();
      const range = resolveTimeRange(search, timeZone, nowMs);
      const whole = other === null ? shiftRange(range, -1, timeZone) : resolveTimeRange(other, timeZone, nowMs);
      const { untilMs, endMs } = await arrivalOf(client, search, timeZone, range, nowMs);
      // Where nothing has arrived yet, what is said is that there is nothing.
      const ranges = comparedWith(range, whole, timeZone, untilMs > range.fromMs ? untilMs : nowMs, endMs);
      const query = {
        ...wirePart(range, ranges.current, timeZone),
        ...asOther(wirePart(whole, ranges.previous, timeZone)),
        ...wireChoice(search),
      };
      return { ranges, compared: await fetchJson('/api/dashboard/cost-comparison', costComparison, { query, signal }) };
    },
    refetchInterval: isLive ? refreshMs : false,
    placeholderData: keepPreviousData,
  });
