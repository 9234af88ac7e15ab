import { queryOptions } from '@tanstack/react-query';
import { dataQuality } from '../../../shared/data-quality.ts';
import { fetchJson } from './http.ts';
import { rangeKey } from './range-key.ts';
import { resolveTimeRange, wireRange, type TimeRangeSearch } from './time-range.ts';

const refreshMs = 60_000;

/** `GET /api/data-quality` of what the range means at the time of asking; no ids are all devices. */
export const dataQualityQuery = (
  deviceIds: readonly string[],
  search: TimeRangeSearch,
  timeZone: string,
  isLive: boolean,
) =>
  queryOptions({
    queryKey: ['data-quality', deviceIds.join(), ...rangeKey(search, timeZone)],
    queryFn: ({ signal }) => {
      const range = wireRange(resolveTimeRange(search, timeZone, Date.now()), timeZone);
      // Of all devices only the counts are shown.
      const query =
        deviceIds.length === 0 ? { ...range, flagLimit: '0' } : { ...range, deviceIds: deviceIds.join(',') };
      return fetchJson('/api/data-quality', dataQuality, { query, signal });
    },
    refetchInterval: isLive ? refreshMs : false,
  });
