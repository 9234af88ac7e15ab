import { queryOptions } from '@tanstack/react-query';
import { appInfo, forgottenPasswordOffer } from '../../../shared/app.ts';
import { fetchJson } from './http.ts';

const demoRefreshMs = 5_000;

/**
 * `GET /api/app/info`. Read only once, because it changes only with a restart of the portal. Repeated while demo data loads.
 */
export const appInfoQuery = queryOptions({
  queryKey: ['app-info'],
  queryFn: ({ signal }) => fetchJson('/api/app/info', appInfo, { signal }),
  refetchInterval: ({ state }) => (state.data?.demoPercent === undefined ? false : demoRefreshMs),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** `GET /api/auth/forgot-password`: whether the portal sends links by mail; it changes only with a restart of the portal. */
export const mailOfferQuery = queryOptions({
  queryKey: ['mail-offer'],
  queryFn: ({ signal }) => fetchJson('/api/auth/forgot-password', forgottenPasswordOffer, { signal }),
  staleTime: Infinity,
});
