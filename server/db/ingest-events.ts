import { instantOf } from './dirty-ranges.ts';
import type { Transaction } from './pool.ts';
import { columnsOf, execute, listRows } from './rows.ts';

/** A batch that came (specification, IngestEvent), and what it changes of its customer. */
export interface IngestEvent {
  customerId: string;
  id: string;
  at: Date;
  batchType: string;
  accepted: number;
  rejected: number;
  payloadBytes: number;
  cursor: string | null;
  /** The earliest and the latest time of its measurements, epoch microseconds. */
  fromMicros: number | null;
  toMicros: number | null;
  error: string | null;
  /** False if it was refused as a whole. */
  isStored: boolean;
  /** Measurements that were not known before. */
  newMeasurements: number;
}

// In the order of the customers, so that two transactions with several customers wait for each other instead of deadlocking.
const LOCK_STATES = {
  name: 'fleet_lock_states',
  text: `SELECT customer_id AS id FROM fleet.customer_state WHERE customer_id = ANY ($1::uuid[])
         ORDER BY customer_id FOR NO KEY UPDATE`,
};
// A commit whose answer was lost is tried again.
const INSERT_EVENTS = {
  name: 'fleet_insert_events',
  text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes,
           cursor, from_time, to_time, error)
         SELECT customer, id, at, type, accepted, rejected, bytes, cursor, ${instantOf('f')}, ${instantOf('t')}, error
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::integer[], $6::integer[], $7::bigint[],
                     $8::text[], $9::bigint[], $10::bigint[], $11::text[])
           AS row (customer, id, at, type, accepted, rejected, bytes, cursor, f, t, error)
         ON CONFLICT DO NOTHING`,
};
const UPDATE_STATES = {
  name: 'fleet_update_states',
  text: `UPDATE fleet.customer_state s
         SET last_batch_at = r.at, last_error = r.error, measurement_count = s.measurement_count + r.rows,
             first_seen_at = coalesce(s.first_seen_at, r.seen), last_seen_at = coalesce(r.seen, s.last_seen_at)
         FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::bigint[])
           AS r (customer, at, error, seen, rows)
         WHERE s.customer_id = r.customer`,
};

/**
 * Writes down batches, and what they change of their customers; the last of a transaction that any other may wait for. Returns
 * the customers that are there: of one that was deleted meanwhile nothing is written.
 */
export async function recordBatches(tx: Transaction, events: readonly IngestEvent[]): Promise<ReadonlySet<string>> {
  const all = Map.groupBy(events, ({ customerId }) => customerId);
  const there = new Set((await listRows<{ id: string }>(tx, LOCK_STATES, [...all.keys()])).map(({ id }) => id));
  const written = events.filter(({ customerId }) => there.has(customerId));
  if (written.length === 0) return there;
  await execute(
    tx,
    INSERT_EVENTS,
    ...columnsOf(written, [
      'customerId',
      'id',
      'at',
      'batchType',
      'accepted',
      'rejected',
      'payloadBytes',
      'cursor',
      'fromMicros',
      'toMicros',
      'error',
    ]),
  );
  const states = [...all].flatMap(([customerId, own]) => {
    const last = own.at(-1);
    if (last === undefined || !there.has(customerId)) return [];
    const { at, error } = last;
    const seen = own.findLast(({ isStored }) => isStored)?.at ?? null;
    return [{ customerId, at, error, seen, rows: own.reduce((sum, { newMeasurements }) => sum + newMeasurements, 0) }];
  });
  await execute(tx, UPDATE_STATES, ...columnsOf(states, ['customerId', 'at', 'error', 'seen', 'rows']));
  return there;
}
