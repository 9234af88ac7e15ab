import { busyRowsPerSecond } from '../base/incoming-rows.ts';
import { pause, startRepeating } from '../database/turns.ts';

/** Rows stored within this time are materialized together. */
const gatherMs = 300;
/** Another portal on the same database, or a killed one, may have left dirty ranges. */
const lookAgainMs = 5_000;
/** The worker uses at most a quarter of the time; reads do not depend on it. */
const restFactor = 3;
/** While rows arrive fast, ingest has priority and the worker waits longer. */
const busyGatherMs = 1_000;
const busyRestFactor = 5;
/** The longest rest, also after a round that took unusually long. */
const longestRestMs = 10_000;

/** Keeps the slots up to date in the background, so that reads find little that is not materialized. */
export function startEnergyWorker(parts: {
  /** Materializes some dirty ranges; returns their number, 0 when none is left. */
  materialize: (signal: AbortSignal) => Promise<number>;
  onProblem: (error: unknown) => void;
}) {
  const { materialize, onProblem } = parts;
  let woken = new AbortController();
  let [before, stored, isBusy] = [performance.now(), 0, false];
  const { stop } = startRepeating({
    onProblem,
    async work(signal) {
      woken = new AbortController();
      const started = performance.now();
      isBusy = stored > ((started - before) / 1000) * busyRowsPerSecond;
      [before, stored] = [started, 0];
      return materialize(signal);
    },
    async rest(signal, tookMs, materialized = 0) {
      if (materialized === 0) await pause(lookAgainMs, signal, woken.signal);
      const restMs = isBusy ? Math.max(busyGatherMs, tookMs * busyRestFactor) : Math.max(gatherMs, tookMs * restFactor);
      await pause(Math.min(longestRestMs, restMs), signal);
    },
  });
  return {
    stop,
    /** Tells the worker how many rows were stored. */
    wake(rows: number) {
      stored += rows;
      // Without a reason, each call would make an exception with its stack.
      woken.abort('rows were stored');
    },
  };
}
