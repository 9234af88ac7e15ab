import { instantOf, micros } from './dirty-ranges.ts';
import type { Queryable, Transaction } from './pool.ts';

// At most one row.
const FIND_KEPT_FROM = { text: `SELECT ${micros('kept_from')} AS "keptFrom" FROM monitoring.retention` };
const SET_KEPT_FROM = {
  text: `INSERT INTO monitoring.retention (kept_from) VALUES (${instantOf('$1::bigint')})
         ON CONFLICT (only_row) DO UPDATE SET kept_from = excluded.kept_from`,
};
// The table is as good as empty most of the time.
const LIST_DIRTY_BEFORE = {
  text: `SELECT DISTINCT device_number AS "deviceNumber" FROM monitoring.energy_dirty_ranges
         WHERE from_time < ${instantOf('$1::bigint')} ORDER BY 1`,
};

// Dropping is seen by every snapshot, also by those from before it. LOCK takes none itself, so that whoever reads after it sees
// all of what was done before it, or none.
const LOCK_READS = { text: 'LOCK TABLE monitoring.retention IN ACCESS SHARE MODE' };
const LOCK_DROPS = { text: 'LOCK TABLE monitoring.retention IN ACCESS EXCLUSIVE MODE' };

/** No measurements are taken away until the end of the transaction, whose first statement this must be. */
export async function lockKeptMeasurements(tx: Transaction): Promise<void> {
  await tx.query(LOCK_READS);
}

/** Waits for all who read measurements, and lets nobody begin until the end of the transaction. */
export async function lockOutReaders(tx: Transaction): Promise<void> {
  await tx.query(LOCK_DROPS);
}

/** From which instant on (epoch microseconds) measurements are there; -Infinity where none were taken away. */
export async function findKeptFrom(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ keptFrom: number }>(FIND_KEPT_FROM);
  return rows[0]?.keptFrom ?? -Infinity;
}

export async function setKeptFrom(tx: Queryable, keptFromMicros: number): Promise<void> {
  await tx.query(SET_KEPT_FROM, [keptFromMicros]);
}

/** The devices of which readings from before the instant (epoch microseconds) are not materialized yet. */
export async function listDirtyBefore(db: Queryable, beforeMicros: number): Promise<number[]> {
  const { rows } = await db.query<{ deviceNumber: number }>(LIST_DIRTY_BEFORE, [beforeMicros]);
  return rows.map((row) => row.deviceNumber);
}
