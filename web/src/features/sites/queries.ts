import { queryOptions } from '@tanstack/react-query';
import { dashboardSummary } from '../../../../shared/dashboard.ts';
import { rawMeasurementsPage } from '../../../../shared/measurements.ts';
import { siteWithDevices } from '../../../../shared/sites.ts';
import { fetchJson } from '../../lib/http.ts';
import { dayMs, toInstant } from '../../lib/time.ts';

const refreshMs = 30_000;

/** `GET /api/sites/{id}`: a site with its devices. */
export const siteQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['sites', siteId],
    queryFn: ({ signal }) => fetchJson(`/api/sites/${encodeURIComponent(siteId)}`, siteWithDevices, { signal }),
    refetchInterval: refreshMs,
  });

/** `GET /api/dashboard/summary` of the last 24 hours: what each device measures now, and when it last did. */
export const liveQuery = queryOptions({
  queryKey: ['sites', 'live'],
  queryFn: ({ signal }) => {
    const now = Date.now();
    const query = { from: toInstant(now - dayMs), to: toInstant(now) };
    return fetchJson('/api/dashboard/summary', dashboardSummary, { query, signal });
  },
  refetchInterval: refreshMs,
});

/** How many readings a device has of all times; those of the future too, as far as they are taken. */
export const readingCountQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['measurements', 'count', deviceId],
    queryFn: async ({ signal }) => {
      const query = {
        deviceIds: deviceId,
        from: '2000-01-01T00:00:00Z',
        to: toInstant(Date.now() + 2 * dayMs),
        limit: 1,
      };
      return (await fetchJson('/api/measurements/raw', rawMeasurementsPage, { query, signal })).totalCount;
    },
    staleTime: 0,
  });
