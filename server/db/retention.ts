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

// Dropped partitions vanish even from older snapshots. LOCK takes no snapshot, so a reader that holds it sees a drop entirely
// or not at all.
const LOCK_READS = { text: 'LOCK TABLE monitoring.retention IN ACCESS SHARE MODE' };
const LOCK_DROPS = { text: 'LOCK TABLE monitoring.retention IN ACCESS EXCLUSIVE MODE' };

/** Keeps measurements from being removed until the end of the transaction; must be its first statement. */
export async function lockKeptMeasurements(tx: Transaction): Promise<void> {
  await tx.query(LOCK_READS);
}

/** Waits for all readers of measurements and holds back new ones until the end of the transaction. */
export async function lockOutReaders(tx: Transaction): Promise<void> {
  await tx.query(LOCK_DROPS);
}

/** Measurements before this instant (epoch microseconds) were removed; -Infinity if none were. */
export async function findKeptFrom(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ keptFrom: number }>(FIND_KEPT_FROM);
  return rows[0]?.keptFrom ?? -Infinity;
}

export async function setKeptFrom(tx: Queryable, keptFromMicros: number): Promise<void> {
  await tx.query(SET_KEPT_FROM, [keptFromMicros]);
}

/** The devices with readings before the instant (epoch microseconds) that are not materialized yet. */
export async function listDirtyBefore(db: Queryable, beforeMicros: number): Promise<number[]> {
  const { rows } = await db.query<{ deviceNumber: number }>(LIST_DIRTY_BEFORE, [beforeMicros]);
  return rows.map((row) => row.deviceNumber);
}
