import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { deviceWithSite } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { ownApi } from './readings-api.ts';

/** `GET /api/sites/devices`: every device with its site, flat. */
export const devicesQueryOf = (api: string) =>
  queryOptions({
    queryKey: ['devices', api],
    queryFn: ({ signal }) => fetchJson(`${api}/sites/devices`, z.array(deviceWithSite), { signal }),
    staleTime: 60_000,
  });

export const devicesQuery = devicesQueryOf(ownApi);
