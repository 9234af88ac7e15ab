import { energyStatement, energyStep, execute, findValue, instantOf, listValues, micros } from '../database/rows.ts';
import type { Step, TextRow } from '../database/exchange.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

// At most one row, in the fleet too: partitions go for all customers at once.
const FIND_KEPT_FROM = energyStatement(
  (t) => `SELECT ${micros('kept_from')} AS "keptFrom" FROM ${t.table('retention')}`,
);
const SET_KEPT_FROM = energyStatement(
  (t) => `INSERT INTO ${t.table('retention')} (kept_from) VALUES (${instantOf('$1::bigint')})
         ON CONFLICT (only_row) DO UPDATE SET kept_from = excluded.kept_from`,
);
// The table is nearly empty most of the time.
const LIST_DIRTY_BEFORE = energyStatement(
  (t) => `SELECT DISTINCT device_number AS number FROM ${t.table('energy_dirty_ranges')}
         WHERE ${t.own()}from_time < ${instantOf('$1::bigint')} ORDER BY 1`,
);

// Dropped partitions vanish even from older snapshots. LOCK takes no snapshot, so a reader that holds it sees a drop entirely
// or not at all.
const LOCK_READS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS SHARE MODE`);
const LOCK_DROPS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS EXCLUSIVE MODE`);

/** Keeps measurements from being removed until the end of the transaction; must be its first statement. */
export const lockKeptMeasurements = (tx: Transaction) => execute(tx, LOCK_READS);

/** The same in a transaction that reads many customers of the fleet. */
export const lockKeptMeasurementsOfFleet = (tx: Transaction) => tx.query(LOCK_READS.fleet);

/** Waits for all readers of measurements and holds back new ones until the end of the transaction. */
export const lockOutReaders = (tx: Transaction) => execute(tx, LOCK_DROPS);

/** Measurements before this instant (epoch microseconds) were removed; -Infinity if none were. */
export const findKeptFrom = async (db: Queryable) => (await findValue<number>(db, FIND_KEPT_FROM)) ?? -Infinity;

/** The same as a step of an exchange, and how to read its answer. */
export const findKeptFromStep = (db: Queryable): Step => energyStep(db, FIND_KEPT_FROM, []);
export const keptFromOf = (rows: readonly TextRow[]) => Number(rows[0]?.[0] ?? -Infinity);

export const setKeptFrom = (tx: Queryable, keptFromMicros: number) => execute(tx, SET_KEPT_FROM, keptFromMicros);

/** The devices with readings before the instant (epoch microseconds) that are not materialized yet. */
export const listDirtyBefore = (db: Queryable, beforeMicros: number) =>
  listValues<number>(db, LIST_DIRTY_BEFORE, beforeMicros);
