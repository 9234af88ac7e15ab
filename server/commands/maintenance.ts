import { setTimeout as sleep } from 'node:timers/promises';
import { clearDeletedDevices } from './deleted-devices.ts';
import { applyRetention, type Retention } from './retention.ts';

export interface Maintenance {
  /** Ends after the current work. */
  stop: () => Promise<void>;
}

/** Partitions are created a month ahead and removed by month, so a few times a day is enough. */
const everyMs = 6 * 3_600_000;
/** Not during the start, which is busy enough. */
const firstAfterMs = 60_000;

/** Makes room for the months to come, and takes away those that are not to be kept and what deleted devices left behind, as long as the portal runs. */
export function startMaintenance(
  parts: Omit<Retention, 'signal'> & { onProblem: (error: unknown) => void },
): Maintenance {
  const { database, engine, onProblem } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    await sleep(firstAfterMs, undefined, { signal });
    while (!signal.aborted) {
      try {
        await engine.prepare(database);
        await clearDeletedDevices(database, signal);
        await applyRetention({ ...parts, signal });
      } catch (error) {
        if (!signal.aborted) onProblem(error);
      }
      await sleep(everyMs, undefined, { signal });
    }
  };
  const finished = run().catch((error: unknown) => {
    if (!signal.aborted) onProblem(error);
  });
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
