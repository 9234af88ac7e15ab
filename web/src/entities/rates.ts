import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { municipalityWithTariffs } from '../../../shared/rates.ts';
import { type Municipality, municipality, type MunicipalityWrite } from '../../../shared/sites.ts';
import { municipalityVersion } from '../../../shared/versions.ts';
import { fetchJson } from '../lib/http.ts';
import { useDelete } from '../lib/mutations.ts';
import { readFromList, type RecordFields, urlUnder, useSaveRecord } from '../lib/records.ts';

/** `GET /api/rates`: every municipality by name, with its tariffs. */
export const ratesQuery = queryOptions({
  queryKey: ['rates'],
  queryFn: ({ signal }) => fetchJson('/api/rates', z.array(municipalityWithTariffs), { signal }),
  staleTime: 60_000,
});

/**
 * Municipalities, tariffs, sites and devices affect everything: names, time zones, energy, days and cost, including the past.
 */
export function useRenewAll(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

const path = '/api/admin/rates/municipalities';

export function useMunicipalityFields(): RecordFields<MunicipalityWrite> {
  const t = useTranslations();
  return { name: { label: t('municipality.name') }, timeZone: { label: t('terms.timeZone') } };
}

export const useSaveMunicipality = () =>
  useSaveRecord<MunicipalityWrite, Municipality>({
    urlOf: urlUnder(path),
    answer: municipality,
    versionOf: municipalityVersion,
    read: readFromList('/api/rates', municipality),
    fields: useMunicipalityFields(),
    renew: useRenewAll(),
  });

export const useDeleteMunicipality = () => useDelete<Municipality>(path, municipalityVersion, useRenewAll());
