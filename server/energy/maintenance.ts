import { pause, type Repeating, startRepeating } from '../database/turns.ts';

/** Partitions are created a month ahead and removed by month, so a few times a day is enough. */
const everyMs = 6 * 3_600_000;
/** Not during the start, which is busy enough. */
const firstAfterMs = 60_000;

/** Does what has to be done a few times a day, as long as the portal runs. */
export const startMaintenance = (parts: {
  work: (signal: AbortSignal) => Promise<void>;
  onProblem: (error: unknown) => void;
}): Repeating => startRepeating({ ...parts, firstAfterMs, rest: (signal) => pause(everyMs, signal) });
