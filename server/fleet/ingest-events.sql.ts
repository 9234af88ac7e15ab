import type { ClientReport } from '../../shared/push.ts';
import { arrayText, type Step } from '../database/exchange.ts';
import type { Queryable } from '../database/pool.ts';
import { instantOf, listRows } from '../database/rows.ts';
import type { PastBatch } from './fleet-trouble.rules.ts';

/** A received batch (specification, IngestEvent), and its effects on its customer. */
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
  /** False if it was rejected as a whole. */
  isStored: boolean;
  /** Whether the token was rejected. The trouble ends once a batch is stored. */
  isTokenRefused: boolean;
  /** The number of measurements that were not stored before. */
  newMeasurements: number;
  report: ClientReport | null;
}

// The rows are locked in the order of the customers, so that transactions with several customers wait for each other instead of
// deadlocking.
const LOCK_STATE = {
  name: 'fleet_lock_state',
  text: `SELECT customer_id AS id FROM fleet.customer_state WHERE customer_id = $1::uuid FOR NO KEY UPDATE`,
};
// The customers are named twice, so that only nodes with rows of these customers are asked (decisions.md 9). Writes nothing for
// a customer that was deleted in between. Idempotent, because a commit is retried if its answer was lost.
const INSERT_EVENTS = {
  name: 'fleet_insert_events',
  text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes,
           cursor, from_time, to_time, error)
         SELECT customer, id, at, type, accepted, rejected, bytes, cursor, ${instantOf('f')}, ${instantOf('t')}, error
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::integer[], $6::integer[], $7::bigint[],
                     $8::text[], $9::bigint[], $10::bigint[], $11::text[])
           AS row (customer, id, at, type, accepted, rejected, bytes, cursor, f, t, error)
         JOIN fleet.customer_state s ON s.customer_id = customer
         WHERE s.customer_id = ANY ($1::uuid[])
         ON CONFLICT DO NOTHING`,
};
const UPDATE_STATES = {
  name: 'fleet_update_states',
  text: `UPDATE fleet.customer_state s
         SET push_gaps_seconds = CASE WHEN r.is_measured AND s.last_measured_at IS NOT NULL THEN
               (ARRAY[greatest(0, extract(epoch FROM r.at - s.last_measured_at))::integer] || s.push_gaps_seconds)[1:20]
               ELSE s.push_gaps_seconds END,
             last_measured_at = CASE WHEN r.is_measured THEN r.at ELSE s.last_measured_at END,
             failing_since = CASE WHEN r.failure IS NULL OR r.at - s.last_failed_at < interval '26 hours' THEN s.failing_since
                                  ELSE r.at END,
             last_failed_at = CASE WHEN r.failure IS NULL THEN s.last_failed_at ELSE r.at END,
             last_failure = coalesce(r.failure, s.last_failure), is_refused = coalesce(r.is_refused, s.is_refused),
             last_batch_at = r.at, last_error = r.error, measurement_count = s.measurement_count + r.rows,
             batch_count = s.batch_count + r.batches,
             token_refused_since = CASE WHEN r.seen IS NOT NULL THEN NULL WHEN r.token_refusal IS NULL THEN s.token_refused_since
                                        ELSE coalesce(s.token_refused_since, r.at) END,
             token_refused_at = CASE WHEN r.seen IS NOT NULL THEN NULL WHEN r.token_refusal IS NULL THEN s.token_refused_at
                                     ELSE r.at END,
             token_refusal = CASE WHEN r.seen IS NOT NULL THEN NULL ELSE coalesce(r.token_refusal, s.token_refusal) END,
             first_seen_at = coalesce(s.first_seen_at, r.seen), last_seen_at = coalesce(r.seen, s.last_seen_at),
             client_report = coalesce(r.report, s.client_report),
             client_reported_at = CASE WHEN r.report IS NULL THEN s.client_reported_at ELSE r.at END
         FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::bigint[], $6::boolean[],
                     $7::text[], $8::boolean[], $9::bigint[], $10::text[], $11::jsonb[])
           AS r (customer, at, error, seen, rows, is_measured, failure, is_refused, batches, token_refusal, report)
         WHERE s.customer_id = r.customer AND s.customer_id = ANY ($1::uuid[])`,
};

/**
 * A statement that names its customers twice. It is prepared only for a single customer, because a plan for any number of
 * customers would sort the list again for each row that it looks up.
 */
export const plannedFor = (customers: number, { name, text }: { name: string; text: string }) =>
  customers === 1 ? { name, text } : { text };

/**
 * Records batches and their effects on the customers. These steps must be the last in a transaction, because others may wait
 * for the rows. The first steps return the ids of the existing customers. Nothing is written for deleted ones.
 */
export function recordBatches(events: readonly IngestEvent[]): Step[] {
  const states = [...Map.groupBy(events, ({ customerId }) => customerId)].flatMap(([customerId, own]) => {
    const last = own.at(-1);
    if (last === undefined) return [];
    const { at, error } = last;
    const seen = own.findLast(({ isStored }) => isStored)?.at ?? null;
    const failed = own.findLast((one) => one.error !== null && !one.isTokenRefused);
    return [
      {
        customerId,
        at,
        error,
        seen,
        rows: own.reduce((sum, { newMeasurements }) => sum + newMeasurements, 0),
        isMeasured: own.some(({ batchType, accepted }) => batchType === 'measurements' && accepted > 0),
        failure: failed?.error ?? null,
        isRefused: failed === undefined ? null : !failed.isStored || failed.accepted === 0,
        batches: own.length,
        // A report that came with a rejected token is ignored: anybody could have sent it.
        report: own.findLast(({ report, isTokenRefused }) => report !== null && !isTokenRefused)?.report ?? null,
        tokenRefusal: own.findLast(({ isTokenRefused }) => isTokenRefused)?.error ?? null,
      },
    ];
  });
  const column = <Row>(rows: readonly Row[], pick: (row: Row) => string | number | null) => arrayText(rows.map(pick));
  return [
    ...states
      .map(({ customerId }) => customerId)
      .toSorted()
      .map((customerId) => ({ ...LOCK_STATE, values: [customerId] })),
    {
      ...plannedFor(states.length, INSERT_EVENTS),
      values: [
        column(events, ({ customerId }) => customerId),
        column(events, ({ id }) => id),
        column(events, ({ at }) => at.toISOString()),
        column(events, ({ batchType }) => batchType),
        column(events, ({ accepted }) => accepted),
        column(events, ({ rejected }) => rejected),
        column(events, ({ payloadBytes }) => payloadBytes),
        column(events, ({ cursor }) => cursor),
        column(events, ({ fromMicros }) => fromMicros),
        column(events, ({ toMicros }) => toMicros),
        column(events, ({ error }) => error),
      ],
    },
    {
      ...plannedFor(states.length, UPDATE_STATES),
      values: [
        column(states, ({ customerId }) => customerId),
        column(states, ({ at }) => at.toISOString()),
        column(states, ({ error }) => error),
        column(states, ({ seen }) => seen?.toISOString() ?? null),
        column(states, ({ rows }) => rows),
        column(states, ({ isMeasured }) => String(isMeasured)),
        column(states, ({ failure }) => failure),
        column(states, ({ isRefused }) => (isRefused === null ? null : String(isRefused))),
        column(states, ({ batches }) => batches),
        column(states, ({ tokenRefusal }) => tokenRefusal),
        column(states, ({ report }) => (report === null ? null : JSON.stringify(report))),
      ],
    },
  ];
}

// Index ingest_events_received_at.
const LIST_PAST = `SELECT (extract(epoch FROM received_at) * 1000)::float8 AS "atMs", batch_type AS "batchType",
    rows_accepted AS accepted, error
  FROM fleet.ingest_events WHERE customer_id = $1 AND received_at >= $2 AND received_at < $3
  ORDER BY received_at, id LIMIT $4`;

/** The batches of a customer in a range, stored or rejected, in the order in which they came. */
export const listPastBatches = (db: Queryable, customerId: string, from: Date, to: Date, limit: number) =>
  listRows<PastBatch>(db, LIST_PAST, customerId, from, to, limit);

const COUNT_OTHERS = {
  name: 'fleet_count_refused',
  text: `UPDATE fleet.ingest_events SET batches = $3, error = $4 WHERE customer_id = $1 AND id = $2`,
};
// The changed number of batches makes portals read the customer again.
const COUNT_BATCHES = {
  name: 'fleet_count_batches',
  text: `UPDATE fleet.customer_state SET batch_count = batch_count + $2::bigint WHERE customer_id = $1`,
};

/** Makes the event of a rejected batch stand for `batches` batches, `added` of which are new. `error` is its new text. */
export const countInEvent = (
  { customerId, id }: Pick<IngestEvent, 'customerId' | 'id'>,
  { batches, added, error }: { batches: number; added: number; error: string },
): Step[] => [
  { ...COUNT_OTHERS, values: [customerId, id, String(batches), error] },
  { ...COUNT_BATCHES, values: [customerId, String(added)] },
];
