import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { site } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { ownApi } from './readings-api.ts';

/** `GET /api/sites`. */
export const sitesQueryOf = (api: string) =>
  queryOptions({
    queryKey: ['sites', api],
    queryFn: ({ signal }) => fetchJson(`${api}/sites`, z.array(site), { signal }),
    staleTime: 60_000,
  });

export const sitesQuery = sitesQueryOf(ownApi);

/** Whether the days of all sites are those of the zone. */
export function useHasDaysOf(timeZone: string, api = ownApi): boolean {
  const { data = [] } = useQuery(sitesQueryOf(api));
  return data.every((one) => one.timeZone === timeZone);
}
