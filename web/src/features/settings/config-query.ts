import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { configEntry } from '../../../../shared/app.ts';
import { fetchJson } from '../../lib/http.ts';

/** `GET /api/config`: changes only with a restart of the portal. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => fetchJson('/api/config', z.array(configEntry), { signal }),
  staleTime: 5 * 60_000,
});
