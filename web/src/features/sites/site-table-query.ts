import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { loadAllErrorTexts } from '../../lib/i18n/error-texts.ts';
import { tableCheck, tableCounts } from '../../../../shared/site-table.ts';
import { fetchJson } from '../../lib/http.ts';
import { useRenewAll } from '../../lib/rates.ts';

const path = '/api/admin/site-table';
type Rows = readonly Partial<Record<string, unknown>>[];

/** `POST /api/admin/site-table/check`: it changes nothing, so it is asked like any other question. */
export const tableCheckQuery = (rows: Rows) =>
  queryOptions({
    queryKey: ['site-table', rows],
    queryFn: async ({ signal }) => {
      const [found] = await Promise.all([
        fetchJson(`${path}/check`, tableCheck, { method: 'POST', json: { rows }, signal }),
        loadAllErrorTexts(),
      ]);
      return found;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

/** `POST /api/admin/site-table` */
export function useCreateTable() {
  return useMutation({
    mutationFn: (rows: Rows) => fetchJson(path, tableCounts, { method: 'POST', json: { rows } }),
    onSuccess: useRenewAll(),
  });
}
