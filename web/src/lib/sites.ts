import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { site } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { browserTimeZone } from './time.ts';

/** `GET /api/sites`. */
export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => fetchJson('/api/sites', z.array(site), { signal }),
  staleTime: 60_000,
});

/** The zone in which ranges over several sites are meant: the sites' own where they share one, else the browser's. */
export function useSitesTimeZone(): string {
  const { data } = useQuery(sitesQuery);
  const zones = new Set(data?.map(({ timeZone }) => timeZone));
  const [only] = zones;
  return zones.size === 1 && only !== undefined ? only : browserTimeZone();
}
