import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { branding, type Branding } from '../../../../../shared/app.ts';
import { brandingVersion } from '../../../../../shared/versions.ts';
import { brandingQuery } from '../../../lib/branding.ts';
import { fetchJson, fetchNothing } from '../../../lib/http.ts';
import { useRenew } from '../../../lib/mutations.ts';
import { useSaveRecord } from '../../../lib/records.ts';
import { brandingFields } from './branding-values.ts';

/** Gives a new branding to the whole page, which then changes. */
function useShow(): (answer: Branding) => void {
  const client = useQueryClient();
  return (answer) => client.setQueryData(brandingQuery.queryKey, answer);
}

export function useBrandingLabels() {
  const t = useTranslations('settings.branding');
  return Object.fromEntries(brandingFields.map((field) => [field, { label: t(field) }]));
}

/** `PUT /api/branding`, replacing the version that the user saw. A blank field falls back to its setting. */
export function useSaveBranding() {
  return useSaveRecord<Branding, Branding>({
    urlOf: () => '/api/branding',
    answer: branding,
    versionOf: brandingVersion,
    read: () => fetchJson('/api/branding', branding),
    fields: useBrandingLabels(),
    onSaved: useShow(),
    renew: useRenew(brandingQuery.queryKey),
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

/** `DELETE /api/branding/logo`. Returns the logo that is then shown. */
export function useRemoveLogo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await fetchNothing('/api/branding/logo', { method: 'DELETE' });
      return client.fetchQuery({ ...brandingQuery, staleTime: 0 });
    },
  });
}
