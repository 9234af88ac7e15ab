import { type DomainError, type PlainErrorCode, refuse } from './errors.ts';

export interface Budget {
  /** The maximum weight that runs at once. */
  max: number;
  /** The maximum weight of one key; by default all of it. */
  maxPerKey?: number;
  /** The maximum number of waiting pieces of work; by default without limit. */
  maxWaiting?: number;
  /** The maximum number of waiting pieces of work of one key; by default without limit. */
  maxWaitingPerKey?: number;
  /** The part of `max` that growing work leaves to new work; by default nothing. */
  reservedForNew?: number;
  /** The error if too much work waits already, or if work has waited too long. */
  full: PlainErrorCode;
}

export interface LimitedWork {
  /** Who asks, such as an account or a source address. Keys take turns, so a flood from one key delays only that key. */
  key?: string;
  /** The share of `max` that the work takes; work heavier than `max` runs alone. */
  weight?: number;
  /**
   * Ends the wait; its reason is thrown. A function is called only if the work has to wait. Once work has begun, it must listen
   * to the signal itself.
   */
  signal?: AbortSignal | (() => AbortSignal) | undefined;
  /** Ends the wait with the refusal, for example `() => AbortSignal.timeout(15_000)`. Called only if the work has to wait. */
  patience?: (() => AbortSignal) | undefined;
}

/** Raises the weight of running work as soon as `max` allows it. Throws as {@link Limiter.run} does before it begins. */
type Grow = (weight: number) => Promise<void>;

interface Place {
  key: string;
  weight: number;
  /** The weight that the work already holds; 0 if it has not started. */
  held: number;
}

interface Waiter extends Place {
  start: () => void;
  refuse: (reason: unknown) => void;
}

/** How often work has waited for the limiters of a name, or was refused by them, since the process began. */
export const limiterCounts = { waits: new Map<string, number>(), refusals: new Map<string, number>() };
const countIn = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

const waitedWith = new WeakMap<AbortSignal, Set<string>>();
/** The limiters for which work with this signal had to wait. */
export const waitedFor = (signal: AbortSignal): ReadonlySet<string> => waitedWith.get(signal) ?? new Set();

/**
 * Limits the work that runs at once and the work that waits. Waiting keys take turns; the work of one key runs in order of
 * arrival. If too much waits, the key with the most waiting work loses its newest. Running work that needs more weight comes
 * before new work. If all of that work waits for more, the newest of it is refused, so that the rest can end.
 */
export class Limiter {
  readonly #name: string;
  readonly #options: Required<Budget>;
  /** The waiting keys, in the order in which they are served next. */
  readonly #queues = new Map<string, Waiter[]>();
  readonly #runningOf = new Map<string, number>();
  /** Running work that waits to grow. */
  readonly #growing: Waiter[] = [];
  #running = 0;
  /** The weight in `#running` that belongs to work that has grown. */
  #grown = 0;
  #waiting = 0;

  constructor(name: string, { maxPerKey, maxWaiting, maxWaitingPerKey, reservedForNew = 0, ...options }: Budget) {
    this.#name = name;
    this.#options = {
      ...options,
      maxPerKey: maxPerKey ?? options.max,
      maxWaiting: maxWaiting ?? Infinity,
      maxWaitingPerKey: maxWaitingPerKey ?? Infinity,
      reservedForNew,
    };
  }

  /** The running weight, and the number of waiting pieces of work. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting + this.#growing.length };
  }

  /** Whether other work waits for weight that work of this key holds. */
  isAwaited(key: string): boolean {
    const firsts = [...this.#growing, ...this.#queues.values().flatMap((queue) => queue.slice(0, 1))];
    return firsts.some((first) => first.key === key || this.#hasShare(first));
  }

  /** Runs the work when its turn comes. If the work is not started, throws the refusal or the reason of the signal. */
  async run<T>(
    work: (grow: Grow) => Promise<T>,
    { key = '', weight = 1, signal, patience }: LimitedWork = {},
  ): Promise<T> {
    const { max, maxPerKey, reservedForNew } = this.#options;
    let held = 0;
    let hasGrown = false;
    const take = async (more: number) => {
      if (typeof signal === 'object') signal.throwIfAborted();
      const place = { key, weight: more, held };
      // Without a queue, work that fits starts at once.
      if (this.load.waiting === 0 && this.#fits(place)) this.#begin(place);
      else await this.#wait(place, typeof signal === 'function' ? signal() : signal, patience);
      held += more;
    };
    const grow = async (to: number) => {
      const more = Math.min(to, max - reservedForNew, maxPerKey) - held;
      if (more <= 0) return;
      if (!hasGrown) this.#grown += held;
      hasGrown = true;
      await take(more);
    };
    await take(Math.min(weight, max, maxPerKey));
    try {
      return await work(grow);
    } finally {
      if (hasGrown) this.#grown -= held;
      this.#add(key, -held);
      this.#startNext();
    }
  }

  /** Takes a place, and gives it back when `until` has settled. Throws as {@link Limiter.run} does. */
  async hold(until: () => Promise<unknown>, asked: LimitedWork): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const holdIt = async () => {
      begun.resolve();
      await until().catch(() => undefined);
    };
    this.run(holdIt, asked).catch(begun.reject);
    await begun.promise;
  }

  async #wait(place: Place, signal: AbortSignal | undefined, patience: LimitedWork['patience']): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { key, held } = place;
    const waiter: Waiter = { ...place, start: resolve, refuse: reject };
    const leave = (reason: unknown) => {
      this.#remove(waiter);
      reject(reason);
      // Work further back may fit now.
      this.#startNext();
    };
    const onAbort = () => leave(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const onImpatience = () => leave(this.#refusal());
    const impatience = patience?.();
    impatience?.addEventListener('abort', onImpatience, { once: true });
    countIn(limiterCounts.waits, this.#name);
    if (signal !== undefined) waitedWith.getOrInsertComputed(signal, () => new Set()).add(this.#name);
    try {
      if (held > 0) this.#growing.push(waiter);
      else {
        this.#queues.getOrInsertComputed(key, () => []).push(waiter);
        this.#waiting += 1;
      }
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
    for (const one of this.#growing.slice()) {
      if (!this.#hasShare(one)) continue;
      if (!this.#fits(one)) break;
      this.#start(one);
    }
    this.#refuseStuck();
    for (const [key, queue] of this.#queues) {
      for (let [first] = queue; first !== undefined; [first] = queue) {
        if (!this.#hasShare(first)) break;
        // Lighter work must not overtake heavy work, which would otherwise never run.
        if (!this.#fits(first)) return;
        this.#start(first);
        // The key moves to the end of the queue.
        if (queue.length > 0 && this.#queues.size > 1) {
          this.#queues.delete(key);
          this.#queues.set(key, queue);
          this.#startNext();
          return;
        }
      }
    }
  }

  #start(waiter: Waiter): void {
    this.#remove(waiter);
    this.#begin(waiter);
    waiter.start();
  }

  #hasShare({ key, weight }: Place): boolean {
    const { max, maxPerKey } = this.#options;
    return maxPerKey === max || (this.#runningOf.get(key) ?? 0) + weight <= maxPerKey;
  }

  #fits(place: Place): boolean {
    const { max, reservedForNew } = this.#options;
    if (this.#running + place.weight > max || !this.#hasShare(place)) return false;
    if (place.held > 0) return this.#mayGrow(place);
    return this.#growing.length === 0 || this.#running - this.#grown + place.weight <= reservedForNew;
  }

  #mayGrow({ weight }: Place): boolean {
    return this.#grown + weight <= this.#options.max - this.#options.reservedForNew;
  }

  /** Rejects the newest growing work if it waits for weight that only other waiting work holds. */
  #refuseStuck(): void {
    const stuck = this.#growing.findLast((one) => {
      const isOfKey = !this.#hasShare(one);
      if (!isOfKey && this.#mayGrow(one)) return false;
      const all = isOfKey ? (this.#runningOf.get(one.key) ?? 0) : this.#grown;
      const peers = this.#growing.filter(({ key }) => !isOfKey || key === one.key);
      return peers.reduce((rest, { held }) => rest - held, all) <= 0;
    });
    if (stuck === undefined) return;
    this.#remove(stuck);
    stuck.refuse(this.#refusal());
  }

  #refuseNewestOf(key: string): void {
    const newest = this.#queues.get(key)?.at(-1);
    if (newest === undefined) return;
    this.#remove(newest);
    newest.refuse(this.#refusal());
  }

  #refusal(): DomainError {
    countIn(limiterCounts.refusals, this.#name);
    return refuse(this.#options.full);
  }

  #longestQueue(): string {
    const [key] = [...this.#queues].reduce((longest, one) => (one[1].length >= longest[1].length ? one : longest));
    return key;
  }

  #remove(waiter: Waiter): void {
    const { key } = waiter;
    if (this.#growing.includes(waiter)) this.#growing.splice(this.#growing.indexOf(waiter), 1);
    const queue = this.#queues.get(key);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.delete(key);
  }

  #begin({ key, weight, held }: Place): void {
    this.#add(key, weight);
    if (held > 0) this.#grown += weight;
  }

  #add(key: string, weight: number): void {
    this.#running += weight;
    const own = (this.#runningOf.get(key) ?? 0) + weight;
    if (own === 0) this.#runningOf.delete(key);
    else this.#runningOf.set(key, own);
  }
}

const minuteMs = 60_000;
const maxKeys = 10_000;
/**
 * The clocks of two portals on one database may differ by this much. A time further ahead comes from a clock that has
 * been corrected since.
 */
const clockToleranceMs = 5 * 60_000;

export const isOfClockAhead = (at: number, now: number): boolean => at - now > clockToleranceMs;

/**
 * A token bucket for each key. A bucket starts full, and tokens come back evenly: a whole bucket in a period (default: a
 * minute). The 10,000 keys used last are kept in memory. Clocks are in epoch milliseconds; a clock that is set back fills no
 * bucket.
 */
export class TokenBuckets {
  readonly #stepMs: number;
  readonly #periodMs: number;
  /** The tokens in use, as the time that they need to come back, and when they were taken. */
  readonly #takenOf = new Map<string, { takenMs: number; at: number }>();

  constructor(size: number, periodMs: number = minuteMs) {
    this.#stepMs = periodMs / size;
    this.#periodMs = periodMs;
  }

  /** The whole seconds until a token is available, at least 1; 0 if one is available now. */
  peek(key: string, now: number): number {
    const waitMs = this.#taken(key, now) + this.#stepMs - this.#periodMs;
    // By rounding, the steps of a full period may be slightly more than the bucket. That does not count as too much.
    return waitMs > 1e-3 ? Math.ceil(waitMs / 1000) : 0;
  }

  /** Takes a token if one is available and returns null. Otherwise returns the seconds until one is. */
  take(key: string, now: number): number | null {
    const seconds = this.peek(key, now);
    if (seconds > 0) return seconds;
    this.record(key, now);
    return null;
  }

  /** Returns all tokens in use. */
  giveBack(key: string): void {
    this.#takenOf.delete(key);
  }

  /** Takes a token, even if none is available yet. */
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
    // If the clock was set back, tokens come back from now on.
    taken.at = Math.min(taken.at, now);
    return Math.max(0, taken.takenMs - (now - taken.at));
  }
}
