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

/** Whole seconds until the lock opens, at least 1; 0 when it is open. */
export function lockedForSeconds({ lockedUntil }: SignInFailures, now: number): number {
  return lockedUntil === null || lockedUntil <= now ? 0 : Math.ceil((lockedUntil - now) / 1000);
}

/** The failures after one more at `now`. Those from before the window, or from before a lock that has opened, no longer count. */
export function afterFailure(failures: SignInFailures, now: number): SignInFailures {
  const countsFrom = Math.max(now - failureWindowMs, failures.lockedUntil ?? Number.NEGATIVE_INFINITY);
  const failedAt = [...failures.failedAt.filter((at) => at > countsFrom), now];
  return { failedAt, lockedUntil: failedAt.length >= maxFailures ? now + lockMs : null };
}
