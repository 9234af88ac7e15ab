import { queryOptions } from '@tanstack/react-query';
import { dataQuality } from '../../../shared/data-quality.ts';
import { viewKey, wireChoice, type DeviceChoice } from '../lib/device-choice.ts';
import { fetchJson } from '../lib/http.ts';
import { resolveTimeRange, wireRange, type TimeRangeSearch } from '../lib/time-range.ts';

const refreshMs = 60_000;

/** `GET /api/data-quality` for the range as it is at the time of the request. With the flags, or only with their numbers. */
export const dataQualityQuery = (
  search: TimeRangeSearch & DeviceChoice,
  timeZone: string,
  { isLive, hasFlags = false }: { isLive: boolean; hasFlags?: boolean },
) =>
  queryOptions({
    queryKey: ['data-quality', hasFlags, ...viewKey(search, timeZone)],
    queryFn: ({ signal }) => {
      const range = wireRange(resolveTimeRange(search, timeZone, Date.now()), timeZone);
      const query = { ...range, ...wireChoice(search), ...(hasFlags ? {} : { flagLimit: '0' }) };
      return fetchJson('/api/data-quality', dataQuality, { query, signal });
    },
    refetchInterval: isLive ? refreshMs : false,
  });
