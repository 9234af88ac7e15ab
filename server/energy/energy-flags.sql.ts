import type { EnergyFlag } from './energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { columnsOf, energyStatement, execute, instantOf, listRows, micros, valuesOf } from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import type { EnergyGap } from './energy-window.rules.ts';

export interface DaysOfDevices {
  deviceNumbers: readonly number[];
  /** Days since 1970-01-01, half-open. */
  fromDay: number;
  toDay: number;
}

/** Days of one device, half-open. */
export type DeviceDays = Pick<EnergyGap, 'deviceNumber' | 'fromDay' | 'toDay'>;

const epoch = `date '1970-01-01'`;
const isAsked = `device_number = ANY ($1::integer[]) AND from_day < ${epoch} + $3::integer AND to_day > ${epoch} + $2::integer`;

// Primary key energy_gaps_pkey; only a meter that is silent for weeks has any.
const LIST_GAPS = energyStatement(
  (t) => `SELECT device_number AS "deviceNumber", from_day - ${epoch} AS "fromDay", to_day - ${epoch} AS "toDay",
                imported_kwh AS "importedKwh", exported_kwh AS "exportedKwh"
         FROM ${t.table('energy_gaps')} WHERE ${t.own()}${isAsked}`,
  'energy_list_gaps',
);
const days = `unnest($1::integer[], $2::integer[], $3::integer[]) AS days (device_number, from_day, to_day)`;
const DELETE_GAPS = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_gaps')} g USING ${days}
         WHERE ${t.own('g')}g.device_number = days.device_number
           AND g.from_day < ${epoch} + days.to_day AND g.to_day > ${epoch} + days.from_day`,
);
const INSERT_GAPS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_gaps')} (${t.key}device_number, from_day, to_day, imported_kwh, exported_kwh)
         SELECT ${t.keyValue}d, ${epoch} + f, ${epoch} + t, i, e
         FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::float8[], $5::float8[]) AS row (d, f, t, i, e)`,
);

/** The gaps that touch the days, whole, in no order. */
export const listGaps = (db: Queryable, { deviceNumbers, fromDay, toDay }: DaysOfDevices) =>
  listRows<EnergyGap>(db, LIST_GAPS, deviceNumbers, fromDay, toDay);

/** Every gap that touches the days, whole. */
export const deleteGaps = (tx: Transaction, ranges: readonly DeviceDays[]) =>
  execute(tx, DELETE_GAPS, ...columnsOf(ranges, ['deviceNumber', 'fromDay', 'toDay']));

/** Only under the lock of the device's state, and only where no gap is stored. */
export const insertGaps = (tx: Transaction, gaps: readonly EnergyGap[]) =>
  execute(tx, INSERT_GAPS, ...columnsOf(gaps, ['deviceNumber', 'fromDay', 'toDay', 'importedKwh', 'exportedKwh']));

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

/** A finding at a reading, or in a gap that begins at it. */
export interface StoredFlag {
  deviceNumber: number;
  timeMicros: number;
  kind: EnergyFlag | 'interpolated';
  direction: 'imported' | 'exported' | 'both';
  /** The time of the reading that ends the gap. */
  untilMicros: number | null;
  /** The energy that was spread over the gap. */
  kwh: number | null;
}

/** Whether a flag is in a range, or its gap reaches into it. */
export const isFlagIn = ({ timeMicros, untilMicros }: StoredFlag, { fromMicros, toMicros }: MicrosRange) =>
  timeMicros < toMicros && (timeMicros >= fromMicros || (untilMicros ?? 0) > fromMicros);

// Primary key energy_flags_pkey, searched for each interval. OFFSET 0 keeps it so: a plain join is planned as a hash join over
// all flags (60 ms for 70 intervals among 50,000 flags, against 3 ms).
const DELETE_FLAGS = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_flags')} WHERE ${t.own()}ctid = ANY (ARRAY(
           SELECT found.ctid
           FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS replaced (device_number, from_micros, to_micros)
           CROSS JOIN LATERAL (
             SELECT f.ctid FROM ${t.table('energy_flags')} f
             WHERE ${t.own('f')}f.device_number = replaced.device_number
               AND f.time >= ${instantOf('replaced.from_micros')} AND f.time < ${instantOf('replaced.to_micros')}
             OFFSET 0
           ) found))`,
);
const INSERT_FLAGS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_flags')} (${t.key}device_number, time, kind, direction, until, energy_kwh)
         SELECT ${t.keyValue}d, ${instantOf('t')}, k, r, ${instantOf('u')}, e
         FROM unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::float8[]) AS row (d, t, k, r, u, e)`,
);
const DELETE_FLAGS_FROM = energyStatement(
  (t) =>
    `DELETE FROM ${t.table('energy_flags')} WHERE ${t.own()}device_number = $1 AND time >= ${instantOf('$2::bigint')}`,
);
// Primary key energy_flags_pkey. Gaps of one direction follow each other, so only the last that begins before the range can
// reach into it.
const LIST_FLAGS = energyStatement(
  (t) => `SELECT f.device_number AS "deviceNumber", ${micros('f.time')} AS "timeMicros", f.kind, f.direction,
                ${micros('f.until')} AS "untilMicros", f.energy_kwh AS kwh
         FROM ${t.table('energy_flags')} f
         WHERE ${t.own('f')}f.device_number = ANY ($1::integer[])
           AND f.time >= ${instantOf('$2::bigint')} AND f.time < ${instantOf('$3::bigint')}
         UNION ALL
         SELECT f.device_number, ${micros('f.time')}, f.kind, f.direction, ${micros('f.until')}, f.energy_kwh
         FROM unnest($1::integer[]) AS d (number)
         CROSS JOIN (VALUES ('imported'), ('exported'), ('both')) AS directions (direction)
         CROSS JOIN LATERAL (
           SELECT * FROM ${t.table('energy_flags')}
           WHERE ${t.own()}device_number = d.number AND time < ${instantOf('$2::bigint')} AND until IS NOT NULL
             AND direction = directions.direction
           ORDER BY time DESC LIMIT 1
         ) f
         WHERE f.until > ${instantOf('$2::bigint')}`,
  'energy_list_flags',
);

/** Replaces the flags in the intervals, which are half-open. */
export async function replaceFlags(
  tx: Queryable,
  intervals: readonly ({ deviceNumber: number } & MicrosRange)[],
  flags: readonly StoredFlag[],
): Promise<void> {
  await execute(tx, DELETE_FLAGS, ...columnsOf(intervals, ['deviceNumber', 'fromMicros', 'toMicros']));
  if (flags.length === 0) return;
  const columns = columnsOf(flags, ['deviceNumber', 'timeMicros', 'kind', 'direction', 'untilMicros', 'kwh']);
  await execute(tx, INSERT_FLAGS, ...columns);
}

/** Deletes the flags from an instant on (epoch microseconds). */
export const deleteFlags = (tx: Transaction, deviceNumber: number, fromMicros: number) =>
  execute(tx, DELETE_FLAGS_FROM, deviceNumber, fromMicros);

/** The flags in the range, or whose gap reaches into it, in no order. */
export const listFlags = (db: Queryable, deviceNumbers: readonly number[], { fromMicros, toMicros }: MicrosRange) =>
  listRows<StoredFlag>(db, LIST_FLAGS, deviceNumbers, fromMicros, toMicros);
