const minuteMs = 60_000;
const maxKeys = 10_000;
/** The clocks of two portals on one database may differ so far. What is further ahead is of a clock that has been put right since. */
const clockToleranceMs = 5 * 60_000;

export const isOfClockAhead = (at: number, now: number): boolean => at - now > clockToleranceMs;

/**
 * A token bucket per key: each is full at first and grows back evenly, a whole bucket in a period (a minute unless told). Kept in
 * memory for the 10,000 keys that took a token last. Takes clocks in epoch milliseconds; one that is set back fills no bucket.
 */
export class TokenBuckets {
  readonly #stepMs: number;
  readonly #periodMs: number;
  /** What was taken, as the time that it takes to grow back, and when. */
  readonly #takenOf = new Map<string, { takenMs: number; at: number }>();

  constructor(size: number, periodMs: number = minuteMs) {
    this.#stepMs = periodMs / size;
    this.#periodMs = periodMs;
  }

  /** The whole seconds until a token is there, at least 1; 0 while one is. */
  peek(key: string, now: number): number {
    const waitMs = this.#taken(key, now) + this.#stepMs - this.#periodMs;
    // Rounding of the steps of a whole period is no excess.
    return waitMs > 1e-3 ? Math.ceil(waitMs / 1000) : 0;
  }

  /** Takes a token that is there: null, else the seconds until one is. */
  take(key: string, now: number): number | null {
    const seconds = this.peek(key, now);
    if (seconds > 0) return seconds;
    this.record(key, now);
    return null;
  }

  /** Gives back all that were taken. */
  giveBack(key: string): void {
    this.#takenOf.delete(key);
  }

  /** Takes a token, also one that is not there yet. */
  record(key: string, now: number): void {
    const takenMs = this.#taken(key, now) + this.#stepMs;
    this.#takenOf.delete(key);
    this.#takenOf.set(key, { takenMs, at: now });
    const [oldest] = this.#takenOf.keys();
    if (this.#takenOf.size > maxKeys && oldest !== undefined) this.#takenOf.delete(oldest);
  }

  #taken(key: string, now: number): number {
    const taken = this.#takenOf.get(key);
    if (taken === undefined || isOfClockAhead(taken.at, now)) return 0;
    // By a clock that was set back it grows back from now on.
    taken.at = Math.min(taken.at, now);
    return Math.max(0, taken.takenMs - (now - taken.at));
  }
}
