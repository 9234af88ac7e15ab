import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { limiterOf } from '../base/budgets.ts';

/** While this many iterations of the event loop each bring new connections, they go before the next piece of work. */
const maxIterations = 50;

const pieces = limiterOf('pieces');
let connections = 0;

/** To be called for each new connection. */
export function noteConnection(): void {
  connections += 1;
}

/**
 * Yields to the event loop between two pieces of long work. Each iteration of the loop runs one of the waiting pieces, and the kinds
 * of work alternate: with a piece of every request in it, an iteration under load took 30 ms, and since Node accepts one connection
 * an iteration, the 500th waited for 8 s. That is why new connections go first, too.
 */
export function yieldToOthers(kind = ''): Promise<void> {
  return pieces.run(untilNobodyConnects, { key: kind });
}

/** The same, and throws once the client of the work has gone away. */
export async function yieldOrAbort(gone: AbortSignal | undefined): Promise<void> {
  await yieldToOthers();
  gone?.throwIfAborted();
}

async function untilNobodyConnects(): Promise<void> {
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const before = connections;
    await nextIteration();
    if (connections === before) return;
  }
}

export interface Repeating {
  /** Ends after the work that is under way. */
  stop: () => Promise<void>;
}

/**
 * Runs the work, reports failures and rests, repeatedly until it is stopped. `rest` receives the duration of the work
 * and its result.
 */
export function startRepeating<Result>(parts: {
  work: (signal: AbortSignal) => Promise<Result>;
  onProblem: (error: unknown) => void;
  rest: (signal: AbortSignal, tookMs: number, result?: Result) => Promise<void>;
  firstAfterMs?: number;
}): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    await pause(parts.firstAfterMs ?? 0, signal);
    while (!signal.aborted) {
      const started = performance.now();
      const result = await parts.work(signal).catch((error: unknown) => {
        if (!signal.aborted) parts.onProblem(error);
        return undefined;
      });
      await parts.rest(signal, performance.now() - started, result);
    }
  };
  const finished = run();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

/** Ends early once one of the signals is aborted. */
export const pause = (ms: number, ...until: AbortSignal[]): Promise<void> =>
  sleep(ms, undefined, { signal: AbortSignal.any(until), ref: false }).catch(() => undefined);

/**
 * Combines concurrent look-ups into one query. Keys that arrive while a query runs wait for the next one, which takes them all.
 * Every answer therefore comes from a query that began after its question, and nothing is cached.
 */
export function batchedLookup<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; loaded: Promise<ReadonlyMap<Key, Value>> } | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = (keys: Set<Key>) => {
    const loaded = running.then(() => {
      next = undefined;
      return load([...keys]);
    });
    running = loaded.catch(() => undefined);
    return { keys, loaded };
  };

  return async (key) => {
    next ??= begin(new Set());
    next.keys.add(key);
    return (await next.loaded).get(key);
  };
}
