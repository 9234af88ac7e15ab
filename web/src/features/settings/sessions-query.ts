import { queryOptions, useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { listedSession } from '../../../../shared/accounts.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { useRenew } from '../../lib/use-renew.ts';

const path = '/api/auth/sessions';

/** `GET /api/auth/sessions`: the own ones, last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => fetchJson(path, z.array(listedSession), { signal }),
});

/** Ends the session of this id; null ends all but the one that asks. */
export function useEndSession() {
  return useMutation({
    mutationFn: (id: string | null) => fetchNothing(id === null ? path : `${path}/${id}`, { method: 'DELETE' }),
    onSettled: useRenew(sessionsQuery.queryKey),
  });
}
