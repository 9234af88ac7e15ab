import { type IngestEvent, recordBatches } from '../db/ingest-events.ts';
import type { Database } from '../db/pool.ts';
import { DomainError } from '../domain/errors.ts';
import { TokenBuckets } from '../domain/token-buckets.ts';

/** A batch of a customer, described by its headers. */
export interface Batch {
  /** The id of its event. */
  id: string;
  customerId: string;
  type: string;
  cursor: string | null;
  /** The size of the decoded body. */
  payloadBytes: number;
  /** Whether stored measurements with other values are overwritten by those of the batch. */
  isCorrection?: boolean;
}

export interface RejectedRecord {
  index: number;
  /** Null if the record has none that can be read. */
  id: string | null;
  reason: string;
}

export interface BatchOutcome {
  accepted: number;
  rejected: number;
  /** The first rejected records. */
  errors: readonly RejectedRecord[];
}

/** Records of one type that a customer may ever have had; removed ones count, because they are never deleted. */
export const maxRecords = 100_000;
export const tooMany = (type: string) => `the customer has had ${maxRecords} ${type}, and no more are kept`;

export const customerGone = () =>
  new DomainError('unauthenticated', 'The customer of this X-Customer-Token was deleted.');

/** The event of a batch that is stored. */
export function storedEvent(
  batch: Batch,
  { accepted, rejected, errors: [first] }: BatchOutcome,
  more: Pick<IngestEvent, 'at' | 'fromMicros' | 'toMicros' | 'newMeasurements'>,
): IngestEvent {
  return {
    ...eventOf(batch),
    accepted,
    rejected,
    error: first === undefined ? null : `${rejected} rejected, the first at ${first.index}: ${first.reason}`,
    isStored: true,
    ...more,
  };
}

const eventOf = ({ type, ...batch }: Batch) => ({ ...batch, batchType: type });

/** At most this many refused batches of a customer are recorded per minute; the next recorded one says how many were left out. */
const refusalsWrittenAMinute = 6;

/** Records batches that were refused as a whole, with the reason. A flood of them writes only a few rows. */
export function createRefusalLog({
  database,
  now,
}: {
  database: Database;
  now: () => number;
}): (batch: Batch, reason: string) => Promise<void> {
  const rate = new TokenBuckets(refusalsWrittenAMinute);
  const unwritten = new Map<string, number>();
  return async (batch, reason) => {
    const { customerId } = batch;
    const others = unwritten.get(customerId) ?? 0;
    if (rate.take(customerId, now()) !== null) {
      unwritten.set(customerId, others + 1);
      return;
    }
    unwritten.delete(customerId);
    const event: IngestEvent = {
      ...eventOf(batch),
      at: new Date(now()),
      accepted: 0,
      rejected: 0,
      fromMicros: null,
      toMicros: null,
      error: others === 0 ? reason : `${reason} (${others} more were refused before)`,
      isStored: false,
      newMeasurements: 0,
    };
    await database.transaction((tx) => tx.commit(recordBatches([event])));
  };
}
