import { countInEvent, type IngestEvent, recordBatches } from './ingest-events.sql.ts';
import type { Database } from '../database/pool.ts';
import type { ClientReport } from '../../shared/push.ts';
import type { Message } from '../../shared/messages.ts';
import { bucketsOf } from '../base/budgets.ts';
import { message, refuse, storedMessage } from '../base/errors.ts';

/** A batch of a customer, described by its headers. */
export interface Batch {
  /** The id of its event. */
  id: string;
  customerId: string;
  type: string;
  cursor: string | null;
  /** The size of the decoded body. If the body was rejected: the received bytes, or the size that its headers state. */
  payloadBytes: number;
  /** The Client's report about itself. Null if there is none or it cannot be read. */
  report: ClientReport | null;
  /** Whether the batch overwrites stored measurements that have other values. */
  isCorrection?: boolean;
}

export interface RejectedRecord {
  index: number;
  /** Null if the record has no readable id. */
  id: string | null;
  problem: Message;
}

export interface BatchOutcome {
  accepted: number;
  rejected: number;
  /** The first rejected records. */
  errors: readonly RejectedRecord[];
}

/** The maximum number of records of one type for a customer. Removed records count, because they are never deleted. */
export const maxRecords = 100_000;
export const tooMany = (type: string) => message('manyRecords', { max: maxRecords, type });

export const customerGone = () => refuse('customerDeleted');

/** The event of a stored batch. */
export function storedEvent(
  batch: Batch,
  { accepted, rejected, errors: [first] }: BatchOutcome,
  more: Pick<IngestEvent, 'at' | 'fromMicros' | 'toMicros' | 'newMeasurements'>,
): IngestEvent {
  return {
    ...eventOf(batch),
    accepted,
    rejected,
    error:
      first === undefined
        ? null
        : storedMessage(message('batchRejected', { count: rejected, index: first.index, reason: first.problem })),
    isStored: true,
    isTokenRefused: false,
    ...more,
  };
}

const eventOf = ({ type, ...batch }: Batch) => ({ ...batch, batchType: type });

/** How often the count of rejected batches is written. */
const countEveryMs = 1_000;
/** The maximum number of customers whose last rejected batch is kept in memory. */
const maxKept = 10_000;

interface Standing {
  event: IngestEvent;
  refusal: Message;
  batches: number;
  counted: number;
  /** Resolves once the event is stored. */
  stored: Promise<unknown>;
}

export interface RefusalLog {
  /** Records that a batch was rejected as a whole, and why. */
  record: (batch: Batch, refusal: Message, more?: { isTokenRefused: boolean }) => Promise<void>;
  /** Writes those counts that are only in memory. */
  close: () => Promise<void>;
}

/**
 * Records batches that were rejected as a whole. In a flood of rejected batches only a few rows are written, and these count
 * the others.
 */
export function createRefusalLog(parts: {
  database: Database;
  now: () => number;
  /** Called if a count could not be written. The next rejection writes it. */
  onProblem: (error: unknown) => void;
}): RefusalLog {
  const { database, now, onProblem } = parts;
  const rate = bucketsOf('refusedBatches');
  const lastOf = new Map<string, Standing>();
  const uncounted = new Set<Standing>();
  let timer: NodeJS.Timeout | undefined;

  const count = async () => {
    timer = undefined;
    const standings = [...uncounted];
    uncounted.clear();
    for (const standing of standings) {
      try {
        await standing.stored;
        const { event, refusal, batches, counted } = standing;
        const error = storedMessage(message('batchesRefused', { reason: refusal, count: batches - 1 }));
        const told = countInEvent(event, { batches, added: batches - counted, error });
        await database.transaction((tx) => tx.commit(told), { isIdempotent: true });
        standing.counted = batches;
      } catch (problem) {
        onProblem(problem);
      }
    }
  };

  return {
    async record(batch, refusal, { isTokenRefused } = { isTokenRefused: false }) {
      // Rejections because of the token are recorded apart, so that they show even among other rejections.
      const key = `${batch.customerId} ${isTokenRefused}`;
      const last = lastOf.get(key);
      if (rate.take(key, now()) !== null && last !== undefined) {
        last.batches += 1;
        uncounted.add(last);
        timer ??= setTimeout(() => void count(), countEveryMs).unref();
        return;
      }
      const event: IngestEvent = {
        ...eventOf(batch),
        at: new Date(now()),
        accepted: 0,
        rejected: 0,
        fromMicros: null,
        toMicros: null,
        error: storedMessage(refusal),
        isStored: false,
        isTokenRefused,
        newMeasurements: 0,
      };
      const stored = database.transaction((tx) => tx.commit(recordBatches([event])));
      lastOf.delete(key);
      lastOf.set(key, { event, refusal, batches: 1, counted: 1, stored });
      for (const oldest of lastOf.keys()) {
        if (lastOf.size <= maxKept) break;
        lastOf.delete(oldest);
      }
      await stored;
    },
    async close() {
      clearTimeout(timer);
      await count();
    },
  };
}
