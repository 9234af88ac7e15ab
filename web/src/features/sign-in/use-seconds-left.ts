import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/http.ts';

/** Counts the `Retry-After` of a lockout (429) down to 0; 0 for anything else. */
export function useSecondsLeft(error: Error | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;
    const endsAt = Date.now() + seconds * 1000;
    setLeft(seconds);
    if (seconds === 0) return;
    // By the clock, not by counting ticks: a sleeping tab misses ticks.
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
