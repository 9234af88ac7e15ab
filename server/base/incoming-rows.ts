/**
 * From this many rows a second on, ingest has priority over work that can wait. Below that, the CPU is fast enough for both.
 */
export const busyRowsPerSecond = 10_000;
/** Ingest counts as busy for at most this long after the last rows. */
const longestBusyMs = 1_000;

/**
 * Whether rows arrive fast: a leaky bucket that drains at `busyRowsPerSecond`. Takes a monotonic clock in milliseconds.
 */
export class IncomingRows {
  #quietAtMs = -Infinity;

  /** Counts rows that were stored. */
  note(rows: number, nowMs: number): void {
    const fullUntilMs = Math.max(nowMs, this.#quietAtMs) + (rows * 1000) / busyRowsPerSecond;
    this.#quietAtMs = Math.min(fullUntilMs, nowMs + longestBusyMs);
  }

  /** Milliseconds until ingest is quiet if no more rows arrive; 0 if it is quiet. */
  quietInMs(nowMs: number): number {
    return Math.max(0, this.#quietAtMs - nowMs);
  }
}

const longestWaitMs = 5_000;

export interface BatchTurn {
  quietInMs: number;
  /** The time since the first batch of the round was due. */
  elapsedMs: number;
  /** The number of batches of this round that were sent. */
  batchesSent: number;
  batchesOfRound: number;
  /** The time from one round to the next. */
  intervalMs: number;
}

/**
 * How long (in milliseconds) the next batch of a push waits for incoming rows; with 0 it is sent now. If rows never cease, the
 * batches of a round are spread over the interval, but all of them are sent within it. So a constant stream of rows does not
 * slow the push down.
 */
export function batchWaitMs({ quietInMs, elapsedMs, batchesSent, batchesOfRound, intervalMs }: BatchTurn): number {
  const apartMs = Math.min(longestWaitMs, intervalMs / (batchesOfRound + 1));
  return Math.max(0, Math.min(quietInMs, (batchesSent + 1) * apartMs - elapsedMs));
}
