import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/pool.ts';
import { isSessionAlive, tryLockPush } from '../db/push-state.ts';
import type { Ending } from './parts.ts';

export interface Push {
  /** Begins the next tick at once. */
  wake: () => void;
  /** Ends after the batch that is under way, or gives it up after some seconds. */
  stop: () => Promise<void>;
}

/** A batch that takes longer is given up when the portal stops; the fleet ignores what it gets twice. */
const stopPatienceMs = 5_000;

/** Ticks as long as the portal runs, on one of the portals of a database at a time. */
export function startPush(parts: {
  database: Database;
  tick: (ending: Ending) => Promise<void>;
  intervalSeconds: number;
  onProblem: (error: unknown) => void;
}): Push {
  const { database, tick, intervalSeconds, onProblem } = parts;
  const [stopping, givenUp] = [new AbortController(), new AbortController()];
  let woken = new AbortController();

  const tickOnTime = async () => {
    const isAsked = woken.signal.aborted;
    woken = new AbortController();
    const began = performance.now();
    try {
      await tick({ stopping: stopping.signal, givenUp: givenUp.signal, isAsked });
    } catch (error) {
      if (!stopping.signal.aborted) onProblem(error);
    }
    const restMs = Math.max(0, intervalSeconds * 1000 - (performance.now() - began));
    await sleep(restMs, undefined, { signal: AbortSignal.any([stopping.signal, woken.signal]) }).catch(() => undefined);
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        // The lock goes with its connection, whatever happens to the portal.
        await database.session(async (session) => {
          if (!(await tryLockPush(session))) return;
          while (!stopping.signal.aborted && (await isSessionAlive(session))) await tickOnTime();
        });
      } catch (error) {
        if (!stopping.signal.aborted) onProblem(error);
      }
      await sleep(intervalSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const finished = run();

  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      const patience = setTimeout(() => givenUp.abort(), stopPatienceMs);
      await finished;
      clearTimeout(patience);
    },
  };
}
