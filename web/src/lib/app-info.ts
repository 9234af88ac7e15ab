import { queryOptions } from '@tanstack/react-query';
import { appInfo, forgottenPasswordOffer } from '../../../shared/app.ts';
import { fetchJson } from './http.ts';

/** `GET /api/app/info`: read once; it changes only with a restart of the portal. */
export const appInfoQuery = queryOptions({
  queryKey: ['app-info'],
  queryFn: ({ signal }) => fetchJson('/api/app/info', appInfo, { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** `GET /api/auth/forgot-password`: whether the portal sends links by mail; it changes only with a restart of the portal. */
export const mailOfferQuery = queryOptions({
  queryKey: ['mail-offer'],
  queryFn: ({ signal }) => fetchJson('/api/auth/forgot-password', forgottenPasswordOffer, { signal }),
  staleTime: Infinity,
});
