const minuteMs = 60_000;

/**
 * How often each of many may do something in a period, a minute unless told: as often as the limit at once, then as fast as it
 * grows back. Holds a number for each. Takes a clock in epoch milliseconds.
 */
export class Allowance {
  readonly #most: number;
  readonly #periodMs: number;
  /** When the allowance is whole again; epoch milliseconds. */
  readonly #wholeAt = new Map<string, number>();

  constructor(most: number, periodMs: number = minuteMs) {
    this.#most = most;
    this.#periodMs = periodMs;
  }

  /** Counts one. Null if it is allowed, else the seconds until the next one is. */
  take(key: string, nowMs: number): number | null {
    const stepMs = this.#periodMs / this.#most;
    const known = this.#wholeAt.get(key) ?? nowMs;
    // Further ahead than any count brings it: the clock was set back.
    const wholeAt = known > nowMs + this.#periodMs + stepMs ? nowMs : Math.max(nowMs, known);
    const waitMs = wholeAt + stepMs - nowMs - this.#periodMs;
    // Rounding of the steps of a whole period is no excess.
    if (waitMs > 1e-3) return waitMs / 1000;
    this.#wholeAt.set(key, wholeAt + stepMs);
    return null;
  }
}
