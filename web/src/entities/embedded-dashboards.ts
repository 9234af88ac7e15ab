import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { dashboardToolStatus, embeddedDashboards } from '../../../shared/embedded-dashboards.ts';
import { fetchJson } from '../lib/http.ts';

export const embeddedDashboardsPath = '/api/embedded-dashboards';

/** `GET /api/embedded-dashboards`, in the order of the menu. */
export const embeddedDashboardsQuery = queryOptions({
  queryKey: ['embedded-dashboards'],
  queryFn: ({ signal }) => fetchJson(embeddedDashboardsPath, embeddedDashboards, { signal }),
});

const existingDashboard = z.object({ name: z.string(), title: z.string(), description: z.string().optional() });
export type ExistingDashboard = z.infer<typeof existingDashboard>;

/**
 * `GET <prefix>/api/dashboards`: the dashboards of our own tool. Fails while the tool is unavailable, and if another tool is
 * used.
 */
export const existingDashboardsQuery = (prefix: string) =>
  queryOptions({
    queryKey: ['existing-dashboards', prefix],
    queryFn: ({ signal }) => fetchJson(`${prefix}/api/dashboards`, z.array(existingDashboard), { signal }),
    retry: false,
  });

/**
 * Asked often while the tool is unavailable. Later it is asked from time to time, which also keeps the session alive while
 * someone watches dashboards.
 */
const watchMs = { coming: 2_000, there: 60_000 } as const;

/** `GET /api/embedded-dashboards/status`. */
export const dashboardToolQuery = queryOptions({
  queryKey: ['embedded-dashboards', 'status'],
  queryFn: ({ signal }) => fetchJson(`${embeddedDashboardsPath}/status`, dashboardToolStatus, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.state === 'running' || data?.state === 'off' ? watchMs.there : watchMs.coming,
});
