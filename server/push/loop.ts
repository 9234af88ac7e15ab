import { pause, startRepeating } from '../database/turns.ts';
import type { Database } from '../database/pool.ts';
import { isSessionAlive, tryLockPush } from './push-state.sql.ts';
import type { Ending } from './parts.ts';

export interface Push {
  /** Begins the next tick at once. */
  wake: () => void;
  /** Ends after the current batch, or aborts it after some seconds. */
  stop: () => Promise<void>;
}

/** A batch that takes longer is aborted when the portal stops; the fleet ignores rows that it gets twice. */
const stopPatienceMs = 5_000;

/** Ticks as long as the portal runs, on one of the portals of a database at a time. */
export function startPush(parts: {
  database: Database;
  tick: (ending: Ending) => Promise<void>;
  intervalSeconds: number;
  onProblem: (error: unknown) => void;
}): Push {
  const { database, tick, intervalSeconds, onProblem } = parts;
  const givenUp = new AbortController();
  let woken = new AbortController();

  const tickOnTime = async (stopping: AbortSignal) => {
    const isAsked = woken.signal.aborted;
    woken = new AbortController();
    const began = performance.now();
    try {
      await tick({ stopping, givenUp: givenUp.signal, isAsked });
    } catch (error) {
      if (!stopping.aborted) onProblem(error);
    }
    await pause(Math.max(0, intervalSeconds * 1000 - (performance.now() - began)), stopping, woken.signal);
  };

  const { stop } = startRepeating({
    onProblem,
    // The lock is released with its connection, whatever happens to the portal.
    work: (stopping) =>
      database.session(async (session) => {
        if (!(await tryLockPush(session))) return;
        while (!stopping.aborted && (await isSessionAlive(session))) await tickOnTime(stopping);
      }),
    rest: (stopping) => pause(intervalSeconds * 1000, stopping),
  });

  return {
    wake: () => woken.abort(),
    async stop() {
      const patience = setTimeout(() => givenUp.abort(), stopPatienceMs);
      await stop();
      clearTimeout(patience);
    },
  };
}
