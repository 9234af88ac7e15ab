import { useMutation } from '@tanstack/react-query';
import { secondFactorAnswer, signInAnswer } from '../../../../shared/accounts.ts';
import { fetchJson } from '../../lib/http.ts';

/** `POST /api/auth/login`: the user, or the step that is missing. A 401 here means a wrong email or password, 429 a lockout. */
export function useSignIn() {
  return useMutation({
    mutationFn: (json: { email: string; password: string }) =>
      fetchJson('/api/auth/login', signInAnswer, { method: 'POST', json }),
    meta: { answers401: true },
  });
}

/** `POST /api/auth/login/second-factor`. A 401 here means a wrong code, 400 that it took too long. */
export function useSecondFactor() {
  return useMutation({
    mutationFn: (json: { token: string; code: string }) =>
      fetchJson('/api/auth/login/second-factor', secondFactorAnswer, { method: 'POST', json }),
    meta: { answers401: true },
  });
}
