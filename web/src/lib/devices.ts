import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { deviceWithSite } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';

/** `GET /api/sites/devices`: every device with its site, flat. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => fetchJson('/api/sites/devices', z.array(deviceWithSite), { signal }),
  staleTime: 60_000,
});
