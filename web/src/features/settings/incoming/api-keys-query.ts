import { useMutation } from '@tanstack/react-query';
import { createdApiKey } from '../../../../../shared/accounts.ts';
import { ingestResult } from '../../../../../shared/measurements.ts';
import { apiKeysPath, apiKeysQuery } from '../../../entities/api-keys.ts';
import { fetchJson } from '../../../lib/http.ts';
import { toInstant } from '../../../../../shared/time.ts';
import { useRenew, useDelete } from '../../../lib/mutations.ts';
import { ingestPath, type TestRow } from './ingest-command.ts';

export function useCreateApiKey() {
  return useMutation({
    mutationFn: (name: string) => fetchJson(apiKeysPath, createdApiKey, { method: 'POST', json: { name } }),
    onSuccess: useRenew(apiKeysQuery.queryKey),
    // The answer contains the key, which must not stay in the page's memory longer than its dialog.
    gcTime: 0,
  });
}

export const useRevokeApiKey = () => useDelete(apiKeysPath, null, useRenew(apiKeysQuery.queryKey));

/** Tries one row on `POST /api/ingest/measurements`, with the key instead of the session. Without a time it is measured now. */
export function useSendTestRow(key: string) {
  return useMutation({
    mutationFn: async ({ time, ...rest }: Omit<TestRow, 'time'> & { time: string | null }) => {
      const row: TestRow = { ...rest, time: time ?? toInstant(Date.now()) };
      const asked = { method: 'POST', query: { dryRun: true }, json: [row], bearer: key } as const;
      return { row, result: await fetchJson(ingestPath, ingestResult, asked) };
    },
    // A rejected key does not mean that the session has ended.
    meta: { answers401: true },
    onSuccess: useRenew(apiKeysQuery.queryKey),
  });
}
