/** Failed sign-ins of one email or source. Instants are epoch milliseconds, the oldest first. */
export interface SignInFailures {
  failedAt: readonly number[];
  lockedUntil: number | null;
}

export const noFailures: SignInFailures = { failedAt: [], lockedUntil: null };

// decisions.md 2: 5 failures in 15 min lock for 15 min.
const maxFailures = 5;
/** Of all emails together: an office behind one address may mistype, a list of stolen passwords may not be tried. */
export const maxFailuresOfSource = 100;
const maxSources = 10_000;
export const failureWindowMs = 15 * 60_000;
const lockMs = 15 * 60_000;

/** Whole seconds until the lock opens, at least 1; 0 when it is open. */
export function lockedForSeconds({ lockedUntil }: SignInFailures, now: number): number {
  return lockedUntil === null || lockedUntil <= now ? 0 : Math.ceil((lockedUntil - now) / 1000);
}

/** The failures after one more at `now`. Those from before the window, or from before a lock that has opened, no longer count. */
export function afterFailure(failures: SignInFailures, now: number, max = maxFailures): SignInFailures {
  const countsFrom = Math.max(now - failureWindowMs, failures.lockedUntil ?? Number.NEGATIVE_INFINITY);
  const failedAt = [...failures.failedAt.filter((at) => at > countsFrom), now];
  return { failedAt, lockedUntil: failedAt.length >= max ? now + lockMs : null };
}

/** Failed sign-ins by source address, kept in memory: those of the 10,000 sources that failed last. */
export class FailuresBySource {
  readonly #failuresOf = new Map<string, SignInFailures>();

  /** As the function of this name. */
  lockedForSeconds(source: string, now: number): number {
    return lockedForSeconds(this.#failuresOf.get(source) ?? noFailures, now);
  }

  record(source: string, now: number): void {
    // Guesses that were under way when the lock came do not open it.
    if (this.lockedForSeconds(source, now) > 0) return;
    const failures = this.#failuresOf.get(source) ?? noFailures;
    this.#failuresOf.delete(source);
    this.#failuresOf.set(source, afterFailure(failures, now, maxFailuresOfSource));
    const [oldest] = this.#failuresOf.keys();
    if (this.#failuresOf.size > maxSources && oldest !== undefined) this.#failuresOf.delete(oldest);
  }
}
