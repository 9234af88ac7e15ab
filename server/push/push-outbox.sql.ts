import { formatInstant } from '../base/instants.ts';
import { arrayText, type Step } from '../database/exchange.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { pushedColumns, PushedRows } from './pushed-rows.sql.ts';
import { execute, findRow, findValue, listRows, listValues, instantOf } from '../database/rows.ts';
import { ingestLock } from '../database/ingest-lock.ts';

export interface DueRows {
  rows: PushedRows;
  /** The entries of the outbox whose last row is among these rows. */
  doneIds: readonly number[];
  /** The entries of which more rows remain after the last of these rows. */
  partIds: readonly number[];
  /** Whether the rows include a day that is sent again because the fleet's copy differs. */
  isResend: boolean;
}

// One row per ingest transaction, if ingests record. The statement runs under the shared ingest lock, so it sees whether they do.
const RECORD_STORED = {
  name: 'push_record_stored',
  text: `INSERT INTO monitoring.push_outbox (row_count, device_numbers, from_micros, to_micros)
         SELECT $1::integer, $2::integer[], $3::bigint[], $4::bigint[] WHERE EXISTS (SELECT FROM monitoring.push_recording)`,
};

/** An ingest sends BEGIN and the lock together. Between these two the ingest is invisible; this margin allows for it. */
const beginToLockMs = 100;
// received_at is the start of a transaction. So no transaction is open that started before the oldest one that holds or awaits
// the ingest lock. This is a statement of its own, before the one that reads entries, so that the latter sees transactions that
// ended in between. The key of the lock is an int8, shown in two halves.
const FIND_HORIZON = `SELECT least(clock_timestamp() - interval '${beginToLockMs} ms', min(a.xact_start)) AS horizon
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = ((${ingestLock}::bigint >> 32) & 4294967295)::oid
    AND l.objid = (${ingestLock}::bigint & 4294967295)::oid`;
// Uses index push_outbox_received_at. Each entry has at least one row, so no more entries are needed than rows. Entries with
// the same instant are taken together, because their rows are sorted together.
const CHOOSE_ENTRIES = `SELECT id FROM (
    SELECT id, sum(row_count) OVER (ORDER BY received_at GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT id, received_at, row_count FROM monitoring.push_outbox WHERE received_at < $1
          ORDER BY received_at, id LIMIT $2) oldest) counted
  WHERE before IS NULL OR before < $2`;
const FIND_SPAN = `SELECT min(f) AS "fromMicros", max(t) AS "toMicros", bool_or(is_resend) AS "isResend"
  FROM monitoring.push_outbox, unnest(from_micros, to_micros) AS range (f, t) WHERE id = ANY ($1::bigint[])`;
// Uses index measurements_device_time_key, once for each device and day. The sort makes the planner choose this index. Entries
// are selected first, because otherwise the planner would scan all of them for their order. The span encloses all entries, so
// that other partitions stay out of the plan.
const rowsOfEntries = (
  ids: string,
  limit: number,
  { from, to }: { from: string; to: string },
) => `WITH e AS MATERIALIZED (
    SELECT received_at, is_resend, sent_time, sent_device_id, n, ${instantOf('f')} AS f, ${instantOf('t')} AS t
    FROM monitoring.push_outbox, unnest(device_numbers, from_micros, to_micros) AS range (n, f, t)
    WHERE id = ANY ('${ids}'::bigint[]))
  SELECT m.*
  FROM e
  JOIN monitoring.devices d ON d.number = e.n
  CROSS JOIN LATERAL (
    SELECT ${pushedColumns.replace('m.received_at', 'e.received_at')} FROM monitoring.measurements m
    WHERE m.device_number = e.n AND m.time >= greatest(e.f, e.sent_time) AND m.time <= e.t
      AND (e.is_resend OR m.received_at = e.received_at) AND m.time >= '${from}' AND m.time <= '${to}'
    ORDER BY m.time) m
  WHERE e.sent_time IS NULL OR (m.time, d.id) > (e.sent_time, e.sent_device_id)
  ORDER BY e.received_at, m.time, d.id LIMIT ${limit}`;
const LIST_DEVICES = `SELECT number, id FROM monitoring.devices
  WHERE number IN (SELECT unnest(device_numbers) FROM monitoring.push_outbox WHERE id = ANY ($1::bigint[]))`;
const LIST_REACHED = `SELECT id, received_at = $2 AS "isLast" FROM monitoring.push_outbox
  WHERE id = ANY ($1::bigint[]) AND received_at <= $2`;
const DELETE_ENTRIES = `DELETE FROM monitoring.push_outbox WHERE id = ANY ($1::bigint[])`;
const MARK_PARTS_SENT = `UPDATE monitoring.push_outbox
  SET sent_time = $2, sent_device_id = $3, row_count = greatest(1, row_count - $4) WHERE id = ANY ($1::bigint[])`;
const COUNT_ROWS = `SELECT coalesce(sum(row_count), 0)::bigint AS count FROM monitoring.push_outbox`;

/**
 * Records what an ingest stored, in the transaction of the ingest. Records nothing while no push is configured. Takes
 * `rangeColumns`.
 */
export const recordStored = (rowCount: number, columns: readonly string[]): Step => ({
  ...RECORD_STORED,
  values: [String(rowCount), ...columns],
});

/**
 * The instant before which no ingest is in flight. Call this outside a transaction, which would see the activity as of its
 * start.
 */
export const findHorizon = async (db: Queryable) => (await findValue<string>(db, FIND_HORIZON)) ?? '-infinity';

/** The next rows in the order (received_at, time, device id), at most `limit`; null if nothing before the horizon is due. */
export async function listDueRows(tx: Transaction, horizon: string, limit: number): Promise<DueRows | null> {
  const entries = await listValues<number>(tx, CHOOSE_ENTRIES, horizon, limit);
  if (entries.length === 0) return null;
  const span = await findRow<{ fromMicros: number; toMicros: number; isResend: boolean }>(tx, FIND_SPAN, entries);
  const { fromMicros = 0, toMicros = 0, isResend = false } = span ?? {};
  const devices = await listRows<{ number: number; id: string }>(tx, LIST_DEVICES, entries);
  const idOf = new Map(devices.map(({ number, id }) => [number, id]));
  const enclosing = { from: formatInstant(fromMicros), to: formatInstant(toMicros) };
  const rows = new PushedRows();
  // Asks for one row more than needed, which shows whether the last entry has more rows.
  const next = await rows.add(tx, rowsOfEntries(arrayText(entries), limit + 1, enclosing), { idOf, limit });
  if (rows.last === null || next === null) return { rows, doneIds: entries, partIds: [], isResend };
  const { receivedAt } = rows.last;
  const reached = await listRows<{ id: number; isLast: boolean }>(tx, LIST_REACHED, entries, receivedAt);
  const isPart = ({ isLast }: { isLast: boolean }) => isLast && next === receivedAt;
  return {
    rows,
    doneIds: reached.filter((entry) => !isPart(entry)).map(({ id }) => id),
    partIds: reached.filter(isPart).map(({ id }) => id),
    isResend,
  };
}

/** Deletes what the fleet has acknowledged. */
export async function deleteSent(db: Queryable, { rows, doneIds, partIds }: DueRows): Promise<void> {
  if (doneIds.length > 0) await execute(db, DELETE_ENTRIES, doneIds);
  if (partIds.length > 0 && rows.last !== null) {
    await execute(db, MARK_PARTS_SENT, partIds, rows.last.time, rows.last.deviceId, rows.countOfLast);
  }
}

/** An upper estimate of the rows that are recorded but not sent. */
export const countRecorded = async (db: Queryable) => (await findValue<number>(db, COUNT_ROWS)) ?? 0;
