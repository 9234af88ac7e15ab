/** From this many rows a second on, ingest goes before all that can wait; with fewer there is processor time for both. */
export const busyRowsPerSecond = 10_000;
/** The longest that ingest counts as busy after its last rows. */
const longestBusyMs = 1_000;

/** Whether rows come in fast: a leaky bucket that drains at `busyRowsPerSecond`. Takes a monotonic clock in milliseconds. */
export class IncomingRows {
  #quietAtMs = -Infinity;

  /** Counts rows that were stored. */
  note(rows: number, nowMs: number): void {
    const fullUntilMs = Math.max(nowMs, this.#quietAtMs) + (rows * 1000) / busyRowsPerSecond;
    this.#quietAtMs = Math.min(fullUntilMs, nowMs + longestBusyMs);
  }

  /** Milliseconds until ingest is quiet if no more rows come; 0 if it is. */
  quietInMs(nowMs: number): number {
    return Math.max(0, this.#quietAtMs - nowMs);
  }
}

const longestWaitMs = 5_000;

export interface BatchTurn {
  quietInMs: number;
  /** Since the first batch of the round was due. */
  elapsedMs: number;
  /** Of this round, sent already. */
  batchesSent: number;
  batchesOfRound: number;
  /** From one round to the next. */
  intervalMs: number;
}

/**
 * How long the next batch of a push gives way to rows that come in, in milliseconds; 0: it goes now. Where they never cease, the batches
 * of a round lie apart, and all of them still go within the interval: a stream of rows slows no push down.
 */
export function giveWayMs({ quietInMs, elapsedMs, batchesSent, batchesOfRound, intervalMs }: BatchTurn): number {
  const apartMs = Math.min(longestWaitMs, intervalMs / (batchesOfRound + 1));
  return Math.max(0, Math.min(quietInMs, (batchesSent + 1) * apartMs - elapsedMs));
}
