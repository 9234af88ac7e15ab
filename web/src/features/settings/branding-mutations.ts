import { useMutation, useQueryClient } from '@tanstack/react-query';
import { branding, type Branding, type BrandingUpdate } from '../../../../shared/branding.ts';
import { brandingQuery } from '../../lib/branding.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';

/** Hands a new branding to the whole page, which changes at once. */
function useShow(): (answer: Branding) => void {
  const client = useQueryClient();
  return (answer) => client.setQueryData(brandingQuery.queryKey, answer);
}

/** `PUT /api/branding`; a blank field falls back to its setting. */
export function useSaveBranding() {
  return useMutation({
    mutationFn: (json: BrandingUpdate) => fetchJson('/api/branding', branding, { method: 'PUT', json }),
    onSuccess: useShow(),
  });
}

/** `POST /api/branding/logo`. */
export function useUploadLogo() {
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set('logo', file);
      return fetchJson('/api/branding/logo', branding, { method: 'POST', form });
    },
    onSuccess: useShow(),
  });
}

/** `DELETE /api/branding/logo`, then what is shown instead. */
export function useRemoveLogo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await fetchNothing('/api/branding/logo', { method: 'DELETE' });
      return client.fetchQuery({ ...brandingQuery, staleTime: 0 });
    },
  });
}
