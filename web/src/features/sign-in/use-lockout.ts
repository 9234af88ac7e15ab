import { useState } from 'react';
import { ApiError } from '../../lib/http.ts';
import { useNow } from '../../lib/use-now.ts';

interface Lockout {
  /** Seconds until another attempt makes sense; 0 where there is none to wait for. */
  secondsLeft: number;
  /** To be told of each refused attempt. */
  noteRefusal: (error: Error) => void;
}

/** Counts the `Retry-After` of a lockout (429) down, by the clock: a sleeping tab misses ticks. */
export function useLockout(): Lockout {
  const nowMs = useNow(500);
  const [{ endsAtMs, seconds }, setLockout] = useState({ endsAtMs: 0, seconds: 0 });
  return {
    secondsLeft: Math.min(seconds, Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000))),
    noteRefusal: (error) => {
      const wait = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;
      setLockout({ endsAtMs: Date.now() + wait * 1000, seconds: wait });
    },
  };
}
