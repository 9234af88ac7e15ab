import type { RemovedKind } from '../../shared/removals.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import type { Transaction } from '../database/pool.ts';
import { countAffected, energyStatement, execute, findRow, findValue, instantOf, micros } from '../database/rows.ts';
import type { RegisterSpan } from './energy.rules.ts';

/** Stored rows of a device in a range: readings, or intervals that begin in it. */
export interface StoredRows {
  count: number;
  /** From the first reading to just after the last, or from the start of the first interval to the end of the last. */
  fromMicros: number;
  toMicros: number;
}

const tables = {
  readings: { name: 'measurements', from: 'time', to: "time + interval '1 microsecond'" },
  intervals: { name: 'intervals', from: 'from_time', to: 'to_time' },
} as const;

// Indexes measurements_device_time_key and intervals_pkey. The instants are parameters, so that other partitions stay out of the plan,
// and only the matching parts of compressed chunks are decompressed.
const statementsOf = ({ name, from, to }: (typeof tables)[RemovedKind]) => ({
  find: energyStatement(
    (t) => `SELECT count(*) AS count, ${micros('min(f)')} AS "fromMicros", ${micros('max(t)')} AS "toMicros"
            FROM (SELECT ${from} AS f, ${to} AS t FROM ${t.table(name)}
                  WHERE ${t.own()}device_number = $1 AND ${from} >= $2::timestamptz AND ${from} < $3::timestamptz LIMIT $4) stored`,
  ),
  remove: energyStatement(
    (t) => `DELETE FROM ${t.table(name)}
            WHERE ${t.own()}device_number = $1 AND ${from} >= $2::timestamptz AND ${from} < $3::timestamptz`,
  ),
});
const statements = { readings: statementsOf(tables.readings), intervals: statementsOf(tables.intervals) };

// TimescaleDB decompresses 100,000 rows in one transaction unless told otherwise; other engines have no such setting.
const DECOMPRESS_ALL = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name = 'timescaledb.max_tuples_decompressed_per_dml_transaction'`;

const has = {
  any: 'true',
  imported: 'energy_imported_milliwatthours IS NOT NULL',
  exported: 'energy_exported_milliwatthours IS NOT NULL',
} as const;
// Reads index measurements_device_time_key from one end up to the first matching row.
const endOf = (name: keyof typeof has, order: 'ASC' | 'DESC') =>
  energyStatement(
    (t) => `SELECT ${micros('time')} AS time FROM ${t.table('measurements')}
            WHERE ${t.own()}device_number = $1 AND time >= $2::timestamptz AND time <= $3::timestamptz AND ${has[name]}
            ORDER BY measurements.time ${order} LIMIT 1`,
  );
const ends = {
  any: { first: endOf('any', 'ASC'), last: endOf('any', 'DESC') },
  imported: { first: endOf('imported', 'ASC'), last: endOf('imported', 'DESC') },
  exported: { first: endOf('exported', 'ASC'), last: endOf('exported', 'DESC') },
};
// Intervals never overlap, so the interval that begins last also ends last. Uses primary key intervals_pkey.
const FIND_INTERVAL_ENDS = energyStatement((t) => {
  const end = (column: string, order: string) =>
    `(SELECT ${micros(column)} FROM ${t.table('intervals')} WHERE ${t.own()}device_number = $1 ORDER BY from_time ${order} LIMIT 1)`;
  return `SELECT ${end('from_time', 'ASC')} AS "firstMicros", ${end('to_time', 'DESC')} AS "lastMicros"`;
});
const SET_INTERVAL_SPAN = energyStatement(
  (
    t,
  ) => `UPDATE ${t.table('energy_state')} SET intervals_first = ${instantOf('$2::bigint')}, intervals_last = ${instantOf('$3::bigint')}
          WHERE ${t.own()}device_number = $1`,
);
// Returns no row while the table of readings is not being replaced.
const IS_CONVERTING = `SELECT to_regclass('monitoring.measurements_next') IS NOT NULL OR to_regclass('fleet.measurements_next') IS NOT NULL`;

const rangeOf = ({ fromMicros, toMicros }: MicrosRange) => [formatInstant(fromMicros), formatInstant(toMicros)];

/** The stored rows in a half-open range, counted up to `limit` (null: all of them); null if there are none. */
export async function findStored(
  tx: Transaction,
  kind: RemovedKind,
  deviceNumber: number,
  range: MicrosRange,
  limit: number | null,
): Promise<StoredRows | null> {
  const row = await findRow<StoredRows>(tx, statements[kind].find, deviceNumber, ...rangeOf(range), limit);
  return row === null || row.count === 0 ? null : row;
}

/** Deletes the stored rows in a range; returns their number. */
export async function deleteStored(
  tx: Transaction,
  kind: RemovedKind,
  deviceNumber: number,
  range: MicrosRange,
): Promise<number> {
  await execute(tx, DECOMPRESS_ALL);
  return countAffected(tx, statements[kind].remove, deviceNumber, ...rangeOf(range));
}

/** The first or last stored reading within a span: of all readings, or of those with a register. */
export const findEnd = (
  tx: Transaction,
  name: keyof typeof ends,
  end: 'first' | 'last',
  deviceNumber: number,
  { firstMicros, lastMicros }: NonNullable<RegisterSpan>,
) =>
  findValue<number>(tx, ends[name][end], deviceNumber, ...rangeOf({ fromMicros: firstMicros, toMicros: lastMicros }));

/** The span from the start of the first stored interval to the end of the last; null if there is none. */
export async function findIntervalSpan(tx: Transaction, deviceNumber: number): Promise<RegisterSpan> {
  const row = await findRow<{ firstMicros: number | null; lastMicros: number | null }>(
    tx,
    FIND_INTERVAL_ENDS,
    deviceNumber,
  );
  const { firstMicros = null, lastMicros = null } = row ?? {};
  return firstMicros === null || lastMicros === null ? null : { firstMicros, lastMicros };
}

/** Call this only under the lock of the device's state. */
export const setIntervalSpan = (tx: Transaction, deviceNumber: number, span: RegisterSpan) =>
  execute(tx, SET_INTERVAL_SPAN, deviceNumber, span?.firstMicros ?? null, span?.lastMicros ?? null);

/** Whether the readings are being copied into another table, where a removal would not affect them. */
export const isConverting = async (tx: Transaction) => (await findValue<boolean>(tx, IS_CONVERTING)) === true;
