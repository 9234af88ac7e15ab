import type { Accepted, FleetAnswer, FleetFailure } from './fleet-answer.ts';

/** A batch to send: some rows, or a whole set in its parts. */
export interface Batch {
  /** Null if the push must end. */
  send: () => Promise<FleetAnswer | null>;
  /** The number of records in the last body. */
  count: () => number;
  /**
   * Records the progress after a batch, and stores `batchSize`. Returns a failure if the fleet rejected a record that it must
   * accept.
   */
  acknowledge: (answer: Accepted, batchSize: number | null) => Promise<FleetFailure | null>;
  /** Skips a single record that is too large; `text` is the error from the fleet. */
  leaveOut: (text: string) => Promise<void>;
}

/**
 * Returns a function that sends one batch after the other. After a 413 it requests a batch of half the size, down to a single
 * record, which it skips if that is too large as well. The size survives a restart. After `successesToGrow` batches in a row it
 * doubles, up to `maxSize`. The function returns the failure that ended it, or null when everything has been sent.
 */
export function createSendInHalves({
  maxSize,
  successesToGrow,
  keepSize,
}: {
  maxSize: number;
  successesToGrow: number;
  /** The smaller size is stored before a batch of that size is sent. */
  keepSize: (size: number) => Promise<unknown>;
}) {
  let successes = 0;
  return async (
    keptSize: number | null,
    next: (size: number) => Promise<Batch | null>,
  ): Promise<FleetFailure | null> => {
    let size = Math.min(keptSize ?? maxSize, maxSize);
    for (let batch = await next(size); batch !== null; batch = await next(size)) {
      const answer = await batch.send();
      if (answer === null) return null;
      if (answer.kind === 'failed') {
        if (!answer.isTooLarge) return answer;
        successes = 0;
        const half = Math.floor(Math.min(size, batch.count()) / 2);
        if (half === 0) await batch.leaveOut(answer.error.text);
        else await keepSize((size = half));
        continue;
      }
      successes += 1;
      if (successes % successesToGrow === 0) size = Math.min(maxSize, size * 2);
      const failure = await batch.acknowledge(answer, size === maxSize ? null : size);
      if (failure !== null) return failure;
    }
    return null;
  };
}
