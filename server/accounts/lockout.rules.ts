import { isOfClockAhead } from '../base/limiter.ts';

/** Failed sign-ins of one email. Instants are epoch milliseconds, the oldest first. */
export interface SignInFailures {
  failedAt: readonly number[];
  lockedUntil: number | null;
}

export const noFailures: SignInFailures = { failedAt: [], lockedUntil: null };

// decisions.md 2: 5 failures in 15 min lock for 15 min.
const maxFailures = 5;
export const failureWindowMs = 15 * 60_000;
const lockMs = 15 * 60_000;

/**
 * Whole seconds until the lock opens, at least 1. It is 0 if the lock is open, or if the lock was set by a clock that was ahead
 * and has been corrected since.
 */
export function lockedForSeconds({ lockedUntil }: SignInFailures, now: number): number {
  if (lockedUntil === null || lockedUntil <= now || isOfClockAhead(lockedUntil - lockMs, now)) return 0;
  return Math.ceil((lockedUntil - now) / 1000);
}

/** The failures after another one at `now`. Failures before the window, or before a lock that has opened, no longer count. */
export function afterFailure(failures: SignInFailures, now: number): SignInFailures {
  const { lockedUntil } = failures;
  const isLockKnown = lockedUntil !== null && !isOfClockAhead(lockedUntil - lockMs, now);
  const countsFrom = Math.max(now - failureWindowMs, isLockKnown ? lockedUntil : -Infinity);
  const failedAt = [...failures.failedAt.filter((at) => at > countsFrom && !isOfClockAhead(at, now)), now];
  return { failedAt, lockedUntil: failedAt.length >= maxFailures ? now + lockMs : null };
}
