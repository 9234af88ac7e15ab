import { setTimeout as sleep } from 'node:timers/promises';

/** Partitions are created a month ahead and removed by month, so a few times a day is enough. */
const everyMs = 6 * 3_600_000;
/** Not during the start, which is busy enough. */
const firstAfterMs = 60_000;

/** Does what has to be done a few times a day, as long as the portal runs. */
export function startMaintenance(parts: {
  work: (signal: AbortSignal) => Promise<void>;
  onProblem: (error: unknown) => void;
}) {
  const { work, onProblem } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    await sleep(firstAfterMs, undefined, { signal });
    while (!signal.aborted) {
      try {
        await work(signal);
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
    /** Ends after the current work. */
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
