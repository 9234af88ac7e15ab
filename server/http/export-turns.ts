import { DomainError } from '../domain/errors.ts';

/** How many exports read at once, of all and of one account: so nobody's slow downloads keep all others waiting. */
const most = { ofAll: 6, ofAccount: 4 } as const;
const patienceMs = 15_000;
const retryAfterSeconds = 10;

/**
 * Turns of exports, which last as long as somebody's download and hold a connection to the database meanwhile. Who waits for a
 * turn holds none; after a quarter of a minute it is `unavailable`.
 */
export class ExportTurns {
  readonly #running = new Map<string, number>();
  readonly #patienceMs: number;
  #waiting: (() => void)[] = [];

  constructor(patience = patienceMs) {
    this.#patienceMs = patience;
  }

  /** Does the work when it is the account's turn. Throws the signal's reason when that is aborted before. */
  async run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#begin(accountId, signal);
    try {
      return await work();
    } finally {
      this.#release(accountId);
    }
  }

  async #begin(accountId: string, signal: AbortSignal): Promise<void> {
    const tooLong = new AbortController();
    const timer = setTimeout(
      () =>
        tooLong.abort(
          new DomainError(
            'unavailable',
            'As many exports run as can at once; try again when one of them has ended.',
            retryAfterSeconds,
          ),
        ),
      this.#patienceMs,
    );
    try {
      const over = AbortSignal.any([signal, tooLong.signal]);
      while (!this.#isFree(accountId)) await this.#change(over);
      over.throwIfAborted();
      // With nothing awaited since it was free.
      this.#running.set(accountId, this.#countOf(accountId) + 1);
    } finally {
      clearTimeout(timer);
    }
  }

  #release(accountId: string): void {
    const left = this.#countOf(accountId) - 1;
    if (left === 0) this.#running.delete(accountId);
    else this.#running.set(accountId, left);
    // In the order in which they came; who cannot begin yet waits on.
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #isFree(accountId: string): boolean {
    const all = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    return all < most.ofAll && this.#countOf(accountId) < most.ofAccount;
  }

  #countOf(accountId: string): number {
    return this.#running.get(accountId) ?? 0;
  }

  async #change(over: AbortSignal): Promise<void> {
    over.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(over.reason);
    over.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(resolve);
    try {
      await promise;
    } finally {
      over.removeEventListener('abort', onAbort);
      this.#waiting = this.#waiting.filter((wake) => wake !== resolve);
    }
  }
}
