import type { Transaction } from '../pool.ts';
import { columnsOf, execute, listValues, instantOf } from '../rows.ts';
import type { KeptReadings } from './engine.ts';

// Index measurements_device_time_key.
const SET_ASIDE = `CREATE TEMPORARY TABLE kept_measurements ON COMMIT DROP AS
  SELECT m.* FROM unnest($1::integer[], $2::bigint[]) AS kept (number, micros)
  JOIN monitoring.measurements m ON m.device_number = kept.number AND m.time >= ${instantOf('kept.micros')}
  WHERE m.time < ${instantOf('$3::bigint')}`;
const PUT_BACK = `INSERT INTO monitoring.measurements SELECT * FROM pg_temp.kept_measurements ON CONFLICT DO NOTHING`;
const LIST_MONTHS = `SELECT DISTINCT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM pg_temp.kept_measurements`;

/** Sets readings before an instant (epoch microseconds) aside while their partitions are dropped; returns their months, `2026-03`. */
export async function setAside(
  tx: Transaction,
  beforeMicros: number,
  kept: readonly KeptReadings[],
): Promise<string[]> {
  await execute(tx, SET_ASIDE, ...columnsOf(kept, ['deviceNumber', 'fromMicros']), beforeMicros);
  return listValues<string>(tx, LIST_MONTHS);
}

/** Puts them back, in the same transaction. */
export const putBack = (tx: Transaction) => execute(tx, PUT_BACK);
