import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { fleetSite, namedCustomer, registeredCustomer } from '../../../shared/fleet.ts';
import { fetchJson } from '../lib/http.ts';

export const customersPath = '/api/admin/customers';

/** `GET /api/admin/customers`, refreshed from time to time, because customers keep pushing. */
export const customersQuery = queryOptions({
  queryKey: ['customers'],
  queryFn: ({ signal }) => fetchJson(customersPath, z.array(registeredCustomer), { signal }),
  refetchInterval: 30_000,
});

/** `GET /api/fleet/customers`: those whose readings the reader may see. */
export const namedCustomersQuery = queryOptions({
  queryKey: ['fleet-customers'],
  queryFn: ({ signal }) => fetchJson('/api/fleet/customers', z.array(namedCustomer), { signal }),
  staleTime: 60_000,
});

/** `GET /api/fleet/sites`: of those customers. */
export const fleetSitesQuery = queryOptions({
  queryKey: ['fleet-sites'],
  queryFn: ({ signal }) => fetchJson('/api/fleet/sites', z.array(fleetSite), { signal }),
  staleTime: 60_000,
});
