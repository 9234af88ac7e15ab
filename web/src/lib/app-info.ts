import { queryOptions } from '@tanstack/react-query';
import { appInfo } from '../../../shared/app.ts';
import { fetchJson } from './http.ts';

/** `GET /api/app/info`: read once; it changes only with a restart of the portal. */
export const appInfoQuery = queryOptions({
  queryKey: ['app-info'],
  queryFn: ({ signal }) => fetchJson('/api/app/info', appInfo, { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
});
