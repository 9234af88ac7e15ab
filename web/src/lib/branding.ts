import { queryOptions, useQuery } from '@tanstack/react-query';
import { branding, type Branding } from '../../../shared/app.ts';
import { fetchJson } from './http.ts';

/** What the page shows until the portal has sent its own branding. */
export const neutralBranding: Branding = {
  applicationName: 'Power monitoring',
  logoUrl: '',
  primaryColor: '#0b7285',
  secondaryColor: '#495057',
  accentColor: '#f08c00',
  footerText: '',
};

/** `GET /api/branding`. Writing it: `queryClient.setQueryData(brandingQuery.queryKey, answer)` re-colors the page at once. */
export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }) => fetchJson('/api/branding', branding, { signal }),
  staleTime: 5 * 60_000,
  gcTime: Infinity,
});

export function useBranding(): Branding {
  return useQuery(brandingQuery).data ?? neutralBranding;
}
