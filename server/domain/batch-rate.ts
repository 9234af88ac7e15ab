/**
 * How many batches of each customer are taken in a minute: as many as the limit at once, then as fast as it grows back. Holds as
 * many numbers as there are customers. Takes a clock in epoch milliseconds.
 */
export class BatchRate {
  readonly #perMinute: number;
  /** When the customer's allowance is whole again; epoch milliseconds. */
  readonly #wholeAt = new Map<string, number>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a batch. Null if it may come in, else the seconds until the next one may. */
  take(customerId: string, nowMs: number): number | null {
    const stepMs = 60_000 / this.#perMinute;
    const wholeAt = Math.max(nowMs, this.#wholeAt.get(customerId) ?? nowMs);
    const waitMs = wholeAt + stepMs - nowMs - 60_000;
    // Rounding of the steps of a whole minute is no excess.
    if (waitMs > 1e-3) return waitMs / 1000;
    this.#wholeAt.set(customerId, wholeAt + stepMs);
    return null;
  }
}
