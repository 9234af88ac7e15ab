import { useMutation } from '@tanstack/react-query';
import { currentUser } from '../../../../shared/accounts.ts';
import { fetchJson } from '../../lib/http.ts';

/** `POST /api/auth/login`. A 401 here means a wrong email or password, 429 a lockout. */
export function useSignIn() {
  return useMutation({
    mutationFn: (json: { email: string; password: string }) =>
      fetchJson('/api/auth/login', currentUser, { method: 'POST', json }),
    meta: { answers401: true },
  });
}
