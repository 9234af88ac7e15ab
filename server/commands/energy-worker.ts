import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/pool.ts';
import { absorbSome } from './absorb-energy.ts';

export interface EnergyWorker {
  /** Says that something was stored. */
  wake: () => void;
  /** Ends after the transaction that is under way. */
  stop: () => Promise<void>;
}

/** What comes together is absorbed together; a read lays over what waits, so that nobody waits for it. */
const gatherMs = 1_000;
/** Another portal on the same database, or one that died, may have left marks. */
const lookAgainMs = 5_000;
/** It may take a sixth of the time at most: a read does not depend on it, and what comes in has the first call. */
const restFactor = 5;

/** Keeps the slots up to date in the background, so that reads find little that is not absorbed. */
export function startEnergyWorker(parts: { database: Database; onProblem: (error: unknown) => void }): EnergyWorker {
  const { database, onProblem } = parts;
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();

  const pause = async (ms: number, until?: Promise<void>) => {
    const timer = new AbortController();
    const timeout = sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, timer.signal]) });
    await Promise.race([timeout.catch(() => undefined), ...(until === undefined ? [] : [until])]);
    timer.abort();
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers<void>();
      const started = performance.now();
      let absorbed = 0;
      try {
        absorbed = await absorbSome(database, { deviceNumbers: null, skip: true });
      } catch (error) {
        onProblem(error);
      }
      const tookMs = performance.now() - started;
      if (absorbed === 0) await pause(lookAgainMs, woken.promise);
      await pause(Math.max(gatherMs, tookMs * restFactor));
    }
  };
  const finished = run();

  return {
    wake: () => woken.resolve(),
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
