import { type DomainError, type PlainErrorCode, refuse } from './errors.ts';

export interface Budget {
  /** How much weight may run at once. */
  max: number;
  /** How much of it one key may have; by default all. */
  maxPerKey?: number;
  /** How many may wait; by default any number. */
  maxWaiting?: number;
  /** How many of one key may wait; by default any number. */
  maxWaitingPerKey?: number;
  /** How much of `max` work that grows leaves to work that begins; by default nothing. */
  reservedForNew?: number;
  /** The error if too many already wait or the wait is over. */
  full: PlainErrorCode;
}

export interface LimitedWork {
  /** Who asks: an account, a source address. Keys take turns, so a flood from one delays only itself. */
  key?: string;
  /** The share of `max` that the work takes; work heavier than `max` runs alone. */
  weight?: number;
  /**
   * Ends the wait with its reason; a function is called only if the work has to wait. Work that has begun must listen to the
   * signal itself.
   */
  signal?: AbortSignal | (() => AbortSignal) | undefined;
  /** Ends the wait with the refusal, such as `() => AbortSignal.timeout(15_000)`; called only if the work has to wait. */
  patience?: (() => AbortSignal) | undefined;
}

/** Raises the weight of running work as soon as `max` allows it. Throws as {@link Limiter.run} does before it begins. */
type Grow = (weight: number) => Promise<void>;

interface Place {
  key: string;
  weight: number;
  /** The weight it already holds; 0 if it has not started. */
  held: number;
}

interface Waiter extends Place {
  start: () => void;
  refuse: (reason: unknown) => void;
}

/** How often work had to wait for a limiter of a name, and was refused by it, since the process began. */
export const limiterCounts = { waits: new Map<string, number>(), refusals: new Map<string, number>() };
const countIn = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

const waitedWith = new WeakMap<AbortSignal, Set<string>>();
/** The limiters for which work with this signal had to wait. */
export const waitedFor = (signal: AbortSignal): ReadonlySet<string> => waitedWith.get(signal) ?? new Set();

/**
 * Limits what runs at once and what waits. Waiting keys are served in turn, and the work of one key in order of arrival. If too
 * many wait, the newest of the key with the most waiting is refused. Work that grows comes before work that begins; where all that
 * has grown waits for more, the newest of it is refused, so that the others can end.
 */
export class Limiter {
  readonly #name: string;
  readonly #options: Required<Budget>;
  /** In the order in which they are served next. */
  readonly #queues = new Map<string, Waiter[]>();
  readonly #runningOf = new Map<string, number>();
  /** Running work that waits to grow. */
  readonly #growing: Waiter[] = [];
  #running = 0;
  /** The part of `#running` whose work has grown. */
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

  /** The running weight, and how many wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting + this.#growing.length };
  }

  /** Whether others wait for weight that work of the key holds. */
  isAwaited(key: string): boolean {
    const firsts = [...this.#growing, ...this.#queues.values().flatMap((queue) => queue.slice(0, 1))];
    return firsts.some((first) => first.key === key || this.#hasShare(first));
  }

  /** Runs the work when its turn comes. If it was not started, throws the refusal or the reason of the signal. */
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
      // Later work may fit now.
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
        // Lighter work must not overtake, or heavy work would never run.
        if (!this.#fits(first)) return;
        this.#start(first);
        // The key moves to the end.
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

  /** Rejects the newest work that waits for weight held only by other waiting work. */
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
 * A token bucket for each key. Each starts full and grows back evenly, a whole bucket in a period (default: a minute).
 * Kept in memory for the 10,000 keys used last. Takes clocks in epoch milliseconds; a clock set back fills no bucket.
 */
export class TokenBuckets {
  readonly #stepMs: number;
  readonly #periodMs: number;
  /** The tokens taken, as the time that they take to grow back, and when they were taken. */
  readonly #takenOf = new Map<string, { takenMs: number; at: number }>();

  constructor(size: number, periodMs: number = minuteMs) {
    this.#stepMs = periodMs / size;
    this.#periodMs = periodMs;
  }

  /** The whole seconds until a token is there, at least 1; 0 while one is. */
  peek(key: string, now: number): number {
    const waitMs = this.#taken(key, now) + this.#stepMs - this.#periodMs;
    // A full period of steps may exceed the bucket by rounding; that is not an excess.
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

  /** Takes a token, even one that has not grown back yet. */
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
    // If the clock was set back, it grows back from now on.
    taken.at = Math.min(taken.at, now);
    return Math.max(0, taken.takenMs - (now - taken.at));
  }
}
