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

/** `GET /api/fleet/customers/{id}/detail`. */
export const detailQuery = (id: string) =>
  queryOptions({
    queryKey: ['fleet', id],
    queryFn: ({ signal }) => fetchJson(`${customerApi(id)}/detail`, customerDetail, { signal }),
    refetchInterval: refreshMs,
  });

export const costExportPath = (id: string) => `${customerApi(id)}/cost/export.xlsx`;
