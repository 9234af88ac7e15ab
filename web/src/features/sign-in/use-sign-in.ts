import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { currentUser, secondFactorAnswer, signInAnswer } from '../../../../shared/accounts.ts';
import { newPasskeyStep } from '../../../../shared/passkeys.ts';
import { fetchJson, ApiError } from '../../lib/http.ts';
import { askForPasskey, makePasskey } from '../../lib/passkeys.ts';
import { beginSession } from '../../lib/sign-out-due.ts';
import { useState } from 'react';
import { useNow } from '../../lib/use-now.ts';

export interface Lockout {
  /** Seconds until this email may try again; 0 if it need not wait. */
  secondsLeft: number;
  /** Whether the last error was a lockout of another email than the one in the field. */
  isOfAnotherEmail: boolean;
  /** Called with each failed attempt and its email. */
  noteRefusal: (error: Error, email: string) => void;
}

/**
 * Counts down the `Retry-After` of a lockout (429). It uses the clock, because a sleeping tab misses ticks. Only that email is
 * locked.
 */
export function useLockout(email: string): Lockout {
  const nowMs = useNow(500);
  const [lockout, setLockout] = useState({ endsAtMs: 0, seconds: 0, email: '' });
  const isOfAnotherEmail = lockout.seconds > 0 && lockout.email !== plain(email);
  const left = Math.min(lockout.seconds, Math.max(0, Math.ceil((lockout.endsAtMs - nowMs) / 1000)));
  return {
    secondsLeft: isOfAnotherEmail ? 0 : left,
    isOfAnotherEmail,
    noteRefusal: (error, refused) => {
      const wait = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;
      setLockout({ endsAtMs: Date.now() + wait * 1000, seconds: wait, email: plain(refused) });
    },
  };
}

const plain = (email: string) => email.trim().toLowerCase();

export type SecondFactorAnswer = z.infer<typeof secondFactorAnswer>;

/** `POST /api/auth/login`: the user, or the next step. Here a 401 means a wrong email or password, and a 429 a lockout. */
export function useSignIn() {
  return useMutation({
    mutationFn: (json: { email: string; password: string }) =>
      beginSession(() => fetchJson('/api/auth/login', signInAnswer, { method: 'POST', json })),
    meta: { answers401: true },
  });
}

/** `POST /api/auth/login/second-factor`. A 401 here means a wrong code, 400 a timeout. */
export function useSecondFactor() {
  return useMutation({
    mutationFn: (json: { token: string; code: string }) =>
      beginSession(() => fetchJson('/api/auth/login/second-factor', secondFactorAnswer, { method: 'POST', json })),
    meta: { answers401: true },
  });
}

/** `POST /api/auth/login/passkey`. A 401 here means an unknown passkey. */
export function usePasskey() {
  return useMutation({
    mutationFn: async () => {
      const json = await askForPasskey();
      return beginSession(() => fetchJson('/api/auth/login/passkey', currentUser, { method: 'POST', json }));
    },
    meta: { answers401: true },
  });
}

/**
 * `POST /api/auth/login/first-passkey`: the portal is asked first, then the device; then the portal gets the result. A 400
 * means that the time is over.
 */
export function useFirstPasskey() {
  return useMutation({
    mutationFn: async ({ token, name }: { token: string; name: string }) => {
      const path = '/api/auth/login/first-passkey';
      const step = await fetchJson(`${path}/options`, newPasskeyStep, { method: 'POST', json: { token } });
      const json = { name, ...(await makePasskey(step)) };
      return beginSession(() => fetchJson(path, secondFactorAnswer, { method: 'POST', json }));
    },
    meta: { answers401: true },
  });
}
