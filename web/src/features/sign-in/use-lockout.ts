import { useState } from 'react';
import { ApiError } from '../../lib/http.ts';
import { useNow } from '../../lib/use-now.ts';

export interface Lockout {
  /** Seconds until another attempt with this email makes sense; 0 where there is none to wait for. */
  secondsLeft: number;
  /** The last refusal was a lockout, but of another email than is typed now. */
  isOfAnotherEmail: boolean;
  /** To be told of each refused attempt and the email that it was made with. */
  noteRefusal: (error: Error, email: string) => void;
}

/** Counts the `Retry-After` of a lockout (429) down, by the clock: a sleeping tab misses ticks. Only that email is locked. */
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
