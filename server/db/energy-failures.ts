import { instantOf, micros } from './dirty-ranges.ts';
import type { Queryable, Transaction } from './pool.ts';

/** A device whose quarter-hours could not be computed; epoch microseconds. */
export interface EnergyFailure {
  deviceNumber: number;
  /** Attempts in a row. */
  attempts: number;
  sinceMicros: number;
  retryMicros: number;
}

// Primary key energy_failures_pkey; the table is empty unless something is broken.
const LIST_FAILURES = {
  text: `SELECT device_number AS "deviceNumber", attempts, ${micros('failed_since')} AS "sinceMicros",
                ${micros('retry_at')} AS "retryMicros"
         FROM monitoring.energy_failures WHERE $1::integer[] IS NULL OR device_number = ANY ($1::integer[])`,
};
const UPSERT_FAILURE = {
  text: `INSERT INTO monitoring.energy_failures (device_number, attempts, failed_since, retry_at, reason)
         VALUES ($1, $2, ${instantOf('$3::bigint')}, ${instantOf('$4::bigint')}, $5)
         ON CONFLICT (device_number) DO UPDATE SET
           attempts = excluded.attempts, retry_at = excluded.retry_at, reason = excluded.reason`,
};
const DELETE_FAILURES = { text: `DELETE FROM monitoring.energy_failures WHERE device_number = ANY ($1::integer[])` };

/** Of these devices, or of all (null). */
export async function listFailures(db: Queryable, deviceNumbers: readonly number[] | null): Promise<EnergyFailure[]> {
  const { rows } = await db.query<EnergyFailure>(LIST_FAILURES, [deviceNumbers]);
  return rows;
}

export async function upsertFailure(db: Queryable, failure: EnergyFailure, reason: string): Promise<void> {
  const { deviceNumber, attempts, sinceMicros, retryMicros } = failure;
  await db.query(UPSERT_FAILURE, [deviceNumber, attempts, sinceMicros, retryMicros, reason]);
}

/** What was computed did not fail. */
export async function deleteFailures(tx: Transaction, deviceNumbers: readonly number[]): Promise<void> {
  await tx.query(DELETE_FAILURES, [deviceNumbers]);
}
