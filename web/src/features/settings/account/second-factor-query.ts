import { queryOptions, useMutation } from '@tanstack/react-query';
import { newAppStep, renewedCodes, listedSession } from '../../../../../shared/accounts.ts';
import {
  addedPasskey,
  newPasskeyStep,
  type OwnProof,
  type OwnSecondFactor,
  ownSecondFactor,
} from '../../../../../shared/passkeys.ts';
import { fetchJson, fetchNothing } from '../../../lib/http.ts';
import { makePasskey } from '../../../lib/passkeys.ts';
import { useRenew } from '../../../lib/mutations.ts';
import { z } from 'zod';

const sessionsPath = '/api/auth/sessions';

/** `GET /api/auth/sessions`: the user's own, last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => fetchJson(sessionsPath, z.array(listedSession), { signal }),
});

/** Ends the session with this id; null ends all except the current one. */
export function useEndSession() {
  return useMutation({
    mutationFn: (id: string | null) =>
      fetchNothing(id === null ? sessionsPath : `${sessionsPath}/${id}`, { method: 'DELETE' }),
    onSettled: useRenew(sessionsQuery.queryKey),
  });
}

const path = '/api/auth/me/second-factor';

/** `GET /api/auth/me/second-factor`. */
export const secondFactorQuery = queryOptions({
  queryKey: ['own-second-factor'],
  queryFn: ({ signal }) => fetchJson(path, ownSecondFactor, { signal }),
});

export const isSecondFactorOn = ({ appAddedAt, passkeys }: OwnSecondFactor): boolean =>
  appAddedAt !== null || passkeys.length > 0;

/** The change has ended all other sessions. */
const useRenewSecondFactor = () => useRenew(secondFactorQuery.queryKey, sessionsQuery.queryKey);

export function useBeginApp() {
  return useMutation({
    mutationFn: (json: OwnProof) => fetchJson(`${path}/app`, newAppStep, { method: 'POST', json }),
  });
}

export function useAddApp() {
  return useMutation({
    mutationFn: (json: { token: string; code: string }) =>
      fetchJson(`${path}/app`, renewedCodes, { method: 'PUT', json }),
    onSuccess: useRenewSecondFactor(),
  });
}

export function useRenewCodes() {
  return useMutation({
    mutationFn: (json: OwnProof) => fetchJson(`${path}/recovery-codes`, renewedCodes, { method: 'POST', json }),
    onSuccess: useRenewSecondFactor(),
  });
}

export function useTurnOff() {
  return useMutation({
    mutationFn: (json: OwnProof) => fetchNothing(`${path}/off`, { method: 'POST', json }),
    onSuccess: useRenewSecondFactor(),
  });
}

/** The portal is asked first, then the device; then the portal gets the result. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async ({ name, proof }: { name: string; proof: OwnProof }) => {
      const step = await fetchJson(`${path}/passkeys/options`, newPasskeyStep, { method: 'POST', json: proof });
      const json = { name, ...(await makePasskey(step)) };
      return fetchJson(`${path}/passkeys`, addedPasskey, { method: 'POST', json });
    },
    onSuccess: useRenewSecondFactor(),
  });
}

export function useRemovePasskey(id: string) {
  return useMutation({
    mutationFn: (json: OwnProof) => fetchNothing(`${path}/passkeys/${id}/remove`, { method: 'POST', json }),
    onSuccess: useRenewSecondFactor(),
  });
}
