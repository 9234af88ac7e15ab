import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { municipalityWithTariffs } from '../../../shared/rates.ts';
import { municipality, type MunicipalityWrite } from '../../../shared/sites.ts';
import { fetchJson, fetchNothing } from './http.ts';

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

/** Without an id it is created. */
export function useSaveMunicipality() {
  return useMutation({
    mutationFn: ({ id, values }: { id: string | null; values: MunicipalityWrite }) =>
      id === null
        ? fetchJson(path, municipality, { method: 'POST', json: values })
        : fetchJson(`${path}/${id}`, municipality, { method: 'PUT', json: values }),
    onSuccess: useRenewAll(),
  });
}

export function useDeleteMunicipality() {
  return useMutation({
    mutationFn: (id: string) => fetchNothing(`${path}/${id}`, { method: 'DELETE' }),
    onSuccess: useRenewAll(),
  });
}
