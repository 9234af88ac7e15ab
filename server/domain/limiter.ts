import type { DomainError } from './errors.ts';

export interface LimiterOptions {
  /** How much weight may run at once. */
  max: number;
  /** How much of it one key may have; by default all. */
  maxPerKey?: number;
  /** How many may wait; by default any number. */
  maxWaiting?: number;
  /** How many of one key may wait; by default any number. */
  maxWaitingPerKey?: number;
  /** Thrown if there is no room to wait or the wait is over; has the seconds until a new attempt. */
  refusal: () => DomainError;
}

export interface LimitedWork {
  /** Who asks: an account, a source address. Keys take turns, so a flood from one delays only itself. */
  key?: string;
  /** The share of `max` that the work takes; work heavier than `max` runs alone. */
  weight?: number;
  /** Ends the wait with its reason. Work that has begun must listen to the signal itself. */
  signal?: AbortSignal | undefined;
  /** Ends the wait with the refusal, such as `() => AbortSignal.timeout(15_000)`; asked for only where it has to wait. */
  patience?: (() => AbortSignal) | undefined;
}

interface Waiter {
  weight: number;
  start: () => void;
  refuse: (reason: unknown) => void;
}

/**
 * Limits what runs at once and what waits. Waiting keys are served in turn, and the work of one key in order of arrival. If too
 * many wait, the newest of the key with the most waiting is refused.
 */
export class Limiter {
  readonly #options: Required<LimiterOptions>;
  /** In the order in which they are served next. */
  readonly #queues = new Map<string, Waiter[]>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #waiting = 0;

  constructor({ maxPerKey, maxWaiting = Infinity, maxWaitingPerKey = Infinity, ...options }: LimiterOptions) {
    this.#options = { ...options, maxPerKey: maxPerKey ?? options.max, maxWaiting, maxWaitingPerKey };
  }

  /** The running weight, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Runs the work when its turn comes. Throws the refusal, or the reason of the signal, if it was not begun. */
  async run<T>(work: () => Promise<T>, { key = '', weight = 1, signal, patience }: LimitedWork = {}): Promise<T> {
    const own = Math.min(weight, this.#options.max, this.#options.maxPerKey);
    signal?.throwIfAborted();
    // Where nobody waits, there is nothing to wait for.
    if (this.#waiting === 0 && this.#fits(key, own)) this.#add(key, own);
    else await this.#wait(key, own, { signal, patience });
    try {
      return await work();
    } finally {
      this.#add(key, -own);
      this.#startNext();
    }
  }

  async #wait(
    key: string,
    weight: number,
    { signal, patience }: Pick<LimitedWork, 'signal' | 'patience'>,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { weight, start: resolve, refuse: reject };
    const leave = (reason: unknown) => {
      this.#remove(key, waiter);
      reject(reason);
      // Work behind it may fit now.
      this.#startNext();
    };
    const onAbort = () => leave(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const onImpatience = () => leave(this.#options.refusal());
    const impatience = patience?.();
    impatience?.addEventListener('abort', onImpatience, { once: true });
    try {
      this.#queues.getOrInsertComputed(key, () => []).push(waiter);
      this.#waiting += 1;
      this.#startNext();
      if ((this.#queues.get(key)?.length ?? 0) > this.#options.maxWaitingPerKey) this.#refuseNewestOf(key);
      else if (this.#waiting > this.#options.maxWaiting) this.#refuseNewestOf(this.#longestQueue());
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      impatience?.removeEventListener('abort', onImpatience);
    }
  }

  #startNext(): void {
    for (const [key, queue] of this.#queues) {
      for (let [first] = queue; first !== undefined; [first] = queue) {
        if (!this.#hasShare(key, first.weight)) break;
        // Lighter work must not overtake, or heavy work would never run.
        if (!this.#fits(key, first.weight)) return;
        this.#remove(key, first);
        this.#add(key, first.weight);
        first.start();
        // The key moves behind the other keys.
        if (queue.length > 0 && this.#queues.size > 1) {
          this.#queues.delete(key);
          this.#queues.set(key, queue);
          this.#startNext();
          return;
        }
      }
    }
  }

  #hasShare(key: string, weight: number): boolean {
    const { max, maxPerKey } = this.#options;
    return maxPerKey === max || (this.#runningOf.get(key) ?? 0) + weight <= maxPerKey;
  }

  #fits(key: string, weight: number): boolean {
    return this.#running + weight <= this.#options.max && this.#hasShare(key, weight);
  }

  #refuseNewestOf(key: string): void {
    const newest = this.#queues.get(key)?.at(-1);
    if (newest === undefined) return;
    this.#remove(key, newest);
    newest.refuse(this.#options.refusal());
  }

  #longestQueue(): string {
    const [key] = [...this.#queues].reduce((longest, one) => (one[1].length >= longest[1].length ? one : longest));
    return key;
  }

  #remove(key: string, waiter: Waiter): void {
    const queue = this.#queues.get(key);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.delete(key);
  }

  #add(key: string, weight: number): void {
    this.#running += weight;
    const own = (this.#runningOf.get(key) ?? 0) + weight;
    if (own === 0) this.#runningOf.delete(key);
    else this.#runningOf.set(key, own);
  }
}
