import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { newAppStep, ownSecondFactor, renewedCodes } from '../../../../shared/accounts.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { sessionsQuery } from './sessions-query.ts';

const path = '/api/auth/me/second-factor';

/** `GET /api/auth/me/second-factor`. */
export const secondFactorQuery = queryOptions({
  queryKey: ['own-second-factor'],
  queryFn: ({ signal }) => fetchJson(path, ownSecondFactor, { signal }),
});

/** Other sessions have ended with it. */
function useRenew(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [secondFactorQuery.queryKey, sessionsQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
}

export function useBeginApp() {
  return useMutation({
    mutationFn: (currentPassword: string) =>
      fetchJson(`${path}/app`, newAppStep, { method: 'POST', json: { currentPassword } }),
  });
}

export function useAddApp() {
  return useMutation({
    mutationFn: (json: { token: string; code: string }) =>
      fetchJson(`${path}/app`, renewedCodes, { method: 'PUT', json }),
    onSuccess: useRenew(),
  });
}

export function useRenewCodes() {
  return useMutation({
    mutationFn: (currentPassword: string) =>
      fetchJson(`${path}/recovery-codes`, renewedCodes, { method: 'POST', json: { currentPassword } }),
    onSuccess: useRenew(),
  });
}

export function useTurnOff() {
  return useMutation({
    mutationFn: (currentPassword: string) => fetchNothing(`${path}/off`, { method: 'POST', json: { currentPassword } }),
    onSuccess: useRenew(),
  });
}
