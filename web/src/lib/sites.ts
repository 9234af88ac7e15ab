import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { mainTimeZone, site } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { ownApi } from './readings-api.ts';
import { browserTimeZone } from './time.ts';

/** `GET /api/sites`. */
export const sitesQueryOf = (api: string) =>
  queryOptions({
    queryKey: ['sites', api],
    queryFn: ({ signal }) => fetchJson(`${api}/sites`, z.array(site), { signal }),
    staleTime: 60_000,
  });

export const sitesQuery = sitesQueryOf(ownApi);

/** Whether all days are those of one clock. */
export function useSharesTimeZone(api = ownApi): boolean {
  const { data = [] } = useQuery(sitesQueryOf(api));
  return new Set(data.map(({ timeZone }) => timeZone)).size <= 1;
}

/** The zone of times that belong to several sites, and by which the day of today is meant. */
export function useSitesTimeZone(api = ownApi): string {
  const { data } = useQuery(sitesQueryOf(api));
  return mainTimeZone(data ?? []) ?? browserTimeZone();
}
