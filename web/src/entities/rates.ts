import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { municipalityWithTariffs } from '../../../shared/rates.ts';
import { type Municipality, municipality, type MunicipalityWrite } from '../../../shared/sites.ts';
import { municipalityVersion } from '../../../shared/versions.ts';
import { saveOver } from '../lib/edit-conflict.ts';
import { fetchJson } from '../lib/http.ts';
import { useDelete } from '../lib/mutations.ts';

/** `GET /api/rates`: every municipality by name, with its tariffs. */
export const ratesQuery = queryOptions({
  queryKey: ['rates'],
  queryFn: ({ signal }) => fetchJson('/api/rates', z.array(municipalityWithTariffs), { signal }),
  staleTime: 60_000,
});

/** Municipalities, tariffs, sites and devices reach everywhere: names, clocks, energy, days and cost, also of the past. */
export function useRenewAll(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

const path = '/api/admin/rates/municipalities';

/** Replaces the version that the user saw; without it, creates a new one. */
export function useSaveMunicipality() {
  const t = useTranslations('municipality');
  const tTerms = useTranslations('terms');
  return useMutation({
    mutationFn: ({ seen, values }: { seen: Municipality | null; values: MunicipalityWrite }) =>
      saveOver<Municipality, Municipality>({
        seen,
        versionOf: municipalityVersion,
        write: (ifMatch) =>
          seen === null
            ? fetchJson(path, municipality, { method: 'POST', json: values })
            : fetchJson(`${path}/${seen.id}`, municipality, { method: 'PUT', json: values, ifMatch }),
        read: async () => {
          const listed = await fetchJson('/api/rates', z.array(municipalityWithTariffs));
          return listed.find(({ id }) => id === seen?.id);
        },
        describe: (theirs) => [
          { label: t('name'), mine: values.name.trim(), theirs: theirs.name },
          { label: tTerms('timeZone'), mine: values.timeZone, theirs: theirs.timeZone },
        ],
      }),
    onSettled: useRenewAll(),
  });
}

export const useDeleteMunicipality = () => useDelete<Municipality>(path, municipalityVersion, useRenewAll());
