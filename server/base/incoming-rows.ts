/** From this many rows a second on, ingest has priority over work that can wait. Below, the CPU suffices for both. */
export const busyRowsPerSecond = 10_000;
/** The longest that ingest counts as busy after its last rows. */
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
  /** Since the first batch of the round was due. */
  elapsedMs: number;
  /** Batches of this round already sent. */
  batchesSent: number;
  batchesOfRound: number;
  /** From one round to the next. */
  intervalMs: number;
}

/**
 * How long, in milliseconds, the next batch of a push waits for incoming rows; 0 sends it now. If rows never cease, the batches of
 * a round are spread out but all still go within the interval, so that a constant stream of rows does not slow the push down.
 */
export function batchWaitMs({ quietInMs, elapsedMs, batchesSent, batchesOfRound, intervalMs }: BatchTurn): number {
  const apartMs = Math.min(longestWaitMs, intervalMs / (batchesOfRound + 1));
  return Math.max(0, Math.min(quietInMs, (batchesSent + 1) * apartMs - elapsedMs));
}
