import { instantOf, micros } from './dirty-ranges.ts';
import { energyStatement, queryEnergy } from './energy-layout.ts';
import type { Queryable, Transaction } from './pool.ts';

// At most one row, in the fleet too: partitions go for all customers at once.
const FIND_KEPT_FROM = energyStatement(
  (t) => `SELECT ${micros('kept_from')} AS "keptFrom" FROM ${t.table('retention')}`,
);
const SET_KEPT_FROM = energyStatement(
  (t) => `INSERT INTO ${t.table('retention')} (kept_from) VALUES (${instantOf('$1::bigint')})
         ON CONFLICT (only_row) DO UPDATE SET kept_from = excluded.kept_from`,
);
// The table is as good as empty most of the time.
const LIST_DIRTY_BEFORE = energyStatement(
  (t) => `SELECT DISTINCT device_number AS "deviceNumber" FROM ${t.table('energy_dirty_ranges')}
         WHERE ${t.own()}from_time < ${instantOf('$1::bigint')} ORDER BY 1`,
);

// Dropped partitions vanish even from older snapshots. LOCK takes no snapshot, so a reader that holds it sees a drop entirely
// or not at all.
const LOCK_READS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS SHARE MODE`);
const LOCK_DROPS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS EXCLUSIVE MODE`);

/** Keeps measurements from being removed until the end of the transaction; must be its first statement. */
export async function lockKeptMeasurements(tx: Transaction): Promise<void> {
  await queryEnergy(tx, LOCK_READS);
}

/** Waits for all readers of measurements and holds back new ones until the end of the transaction. */
export async function lockOutReaders(tx: Transaction): Promise<void> {
  await queryEnergy(tx, LOCK_DROPS);
}

/** Measurements before this instant (epoch microseconds) were removed; -Infinity if none were. */
export async function findKeptFrom(db: Queryable): Promise<number> {
  const { rows } = await queryEnergy<{ keptFrom: number }>(db, FIND_KEPT_FROM);
  return rows[0]?.keptFrom ?? -Infinity;
}

export async function setKeptFrom(tx: Queryable, keptFromMicros: number): Promise<void> {
  await queryEnergy(tx, SET_KEPT_FROM, [keptFromMicros]);
}

/** The devices with readings before the instant (epoch microseconds) that are not materialized yet. */
export async function listDirtyBefore(db: Queryable, beforeMicros: number): Promise<number[]> {
  const { rows } = await queryEnergy<{ deviceNumber: number }>(db, LIST_DIRTY_BEFORE, [beforeMicros]);
  return rows.map((row) => row.deviceNumber);
}
