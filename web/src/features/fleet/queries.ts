import { queryOptions } from '@tanstack/react-query';
import { customerDetail, fleetDashboard } from '../../../../shared/fleet.ts';
import { fetchJson } from '../../lib/http.ts';
import { customerApi } from '../../lib/readings-api.ts';

const refreshMs = 30_000;

/** `GET /api/fleet/dashboard`. */
export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: ({ signal }) => fetchJson('/api/fleet/dashboard', fleetDashboard, { signal }),
  refetchInterval: refreshMs,
});

/** `GET /api/fleet/customers/{id}/detail`; only its first page is kept up to date. */
export const detailQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: ['fleet', id, page],
    queryFn: ({ signal }) => fetchJson(`${customerApi(id)}/detail`, customerDetail, { query: { page }, signal }),
    ...(page === 1 ? { refetchInterval: refreshMs } : { staleTime: Infinity }),
  });

export const costExportPath = (id: string) => `${customerApi(id)}/cost/export.xlsx`;
