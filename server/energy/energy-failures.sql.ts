import { energyStatement, execute, instantOf, listRows, micros, valuesOf } from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

/** A device whose quarter-hours could not be computed; epoch microseconds. */
export interface EnergyFailure {
  deviceNumber: number;
  /** Attempts in a row. */
  attempts: number;
  sinceMicros: number;
  retryMicros: number;
}

// Primary key energy_failures_pkey; the table is empty unless something is broken.
const LIST_FAILURES = energyStatement(
  (t) => `SELECT device_number AS "deviceNumber", attempts, ${micros('failed_since')} AS "sinceMicros",
                ${micros('retry_at')} AS "retryMicros"
         FROM ${t.table('energy_failures')} WHERE ${t.own()}($1::integer[] IS NULL OR device_number = ANY ($1::integer[]))`,
);
const UPSERT_FAILURE = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_failures')} (${t.key}device_number, attempts, failed_since, retry_at, reason)
         VALUES (${t.keyValue}$1, $2, ${instantOf('$3::bigint')}, ${instantOf('$4::bigint')}, $5)
         ON CONFLICT (${t.key}device_number) DO UPDATE SET
           attempts = excluded.attempts, retry_at = excluded.retry_at, reason = excluded.reason`,
);
const DELETE_FAILURES = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_failures')} WHERE ${t.own()}device_number = ANY ($1::integer[])`,
);

/** The failures of these devices, or of all (null). */
export const listFailures = (db: Queryable, deviceNumbers: readonly number[] | null) =>
  listRows<EnergyFailure>(db, LIST_FAILURES, deviceNumbers);

export const upsertFailure = (db: Queryable, failure: EnergyFailure, reason: string) =>
  execute(db, UPSERT_FAILURE, ...valuesOf(failure, ['deviceNumber', 'attempts', 'sinceMicros', 'retryMicros']), reason);

/** Removes the failures of devices that could be computed. */
export const deleteFailures = (tx: Transaction, deviceNumbers: readonly number[]) =>
  execute(tx, DELETE_FAILURES, deviceNumbers);
