import { setTimeout as sleep } from 'node:timers/promises';

export interface Repeating {
  /** Ends after the work that is under way. */
  stop: () => Promise<void>;
}

/** Works, reports what failed and rests, again and again until it is stopped. The rest is told how long the work took, and its result. */
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
