import { type ReadingSpans, spanOf } from '../domain/energy.ts';
import type { Interval } from '../domain/energy-window.ts';
import type { Queryable, Transaction } from './pool.ts';

/** An interval in which readings of a device were stored. */
export interface DirtyRange extends Interval {
  deviceNumber: number;
}

export const micros = (instant: string): string => `(extract(epoch FROM ${instant}) * 1000000)::bigint`;
export const instantOf = (value: string): string => `(timestamptz 'epoch' + ${value} * interval '1 microsecond')`;

/** Measurements before this instant were removed; their slots are never recomputed. */
const keptFrom = `coalesce((SELECT kept_from FROM monitoring.retention), '-infinity')`;

const INSERT_DIRTY_RANGES = {
  name: 'energy_insert_dirty_ranges',
  text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
         SELECT d, ${instantOf('f')}, ${instantOf('t')} FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS row (d, f, t)`,
};
// One dirty range a day that has a row; what is not materialized yet has its dirty ranges already. A dirty range never reaches beyond the readings: the
// end of the newest is the time of the newest reading. Primary keys energy_days_pkey and energy_state_pkey.
const MARK_STORED_DAYS = {
  text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
         SELECT d.device_number, greatest(s.first_time, d.day::timestamp AT TIME ZONE 'UTC'),
                least(s.last_time, (d.day + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 microsecond')
         FROM monitoring.energy_days d JOIN monitoring.energy_state s ON s.device_number = d.device_number
         WHERE d.device_number = $1 AND d.samples > 0 AND d.day >= ${keptFrom}`,
};
// Index measurements_device_time_key.
const MARK_MEASURED_DAYS = {
  text: `INSERT INTO monitoring.energy_dirty_ranges (device_number, from_time, to_time)
         SELECT device_number, min(time), max(time) FROM monitoring.measurements
         WHERE device_number = $1 AND time >= ${keptFrom}
         GROUP BY device_number, date_trunc('day', time, 'UTC')`,
};
const selectDirtyRanges = `device_number AS "deviceNumber", ${micros('from_time')} AS "fromMicros", ${micros('to_time')} AS "toMicros"`;
// Primary key energy_dirty_ranges_pkey; the table is as good as empty most of the time.
const LIST_DIRTY_RANGES = {
  text: `SELECT ${selectDirtyRanges} FROM monitoring.energy_dirty_ranges WHERE device_number = ANY ($1::integer[]) LIMIT $2`,
};
const LIST_DIRTY_DEVICES = {
  text: `SELECT device_number AS "deviceNumber" FROM monitoring.energy_dirty_ranges
         WHERE ($1::integer[] IS NULL OR device_number = ANY ($1::integer[]))
           AND device_number NOT IN (SELECT device_number FROM monitoring.energy_failures
                                     WHERE retry_at > ${instantOf('$3::bigint')})
         GROUP BY device_number ORDER BY min(id) LIMIT $2`,
};
const INSERT_STATES = {
  text: `INSERT INTO monitoring.energy_state (device_number) SELECT unnest($1::integer[]) ORDER BY 1 ON CONFLICT DO NOTHING`,
};
const selectState = `SELECT device_number AS "deviceNumber", ${micros('first_time')} AS "anyFirst",
    ${micros('last_time')} AS "anyLast", ${micros('imported_first')} AS "importedFirst",
    ${micros('imported_last')} AS "importedLast", ${micros('exported_first')} AS "exportedFirst",
    ${micros('exported_last')} AS "exportedLast"
  FROM monitoring.energy_state WHERE device_number = ANY ($1::integer[]) ORDER BY device_number`;
const LIST_STATES = { text: selectState };
// Ordered by number, so that two workers on the same devices wait for each other instead of deadlocking.
const LOCK_STATES = { text: `${selectState} FOR UPDATE` };
const LOCK_FREE_STATES = { text: `${selectState} FOR UPDATE SKIP LOCKED` };
// At most so many dirty ranges, and so many days of readings, at once; at least one. A range that lies apart from the one before
// it has neighbours of its own to be searched, which costs about as much as two hours of readings.
const TAKE_DIRTY_RANGES = {
  text: `DELETE FROM monitoring.energy_dirty_ranges m
         USING (SELECT device_number, id, row_number() OVER (ORDER BY device_number, id) AS number,
                       sum(width + least(interval '2 hours', greatest(interval '0', apart)))
                         OVER (ORDER BY device_number, id) AS width
                FROM (SELECT device_number, id, to_time - from_time AS width,
                             greatest(from_time - lag(to_time) OVER own, lag(from_time) OVER own - to_time) AS apart
                      FROM monitoring.energy_dirty_ranges WHERE device_number = ANY ($1::integer[])
                      WINDOW own AS (PARTITION BY device_number ORDER BY id)) ranges) chosen
         WHERE m.device_number = chosen.device_number AND m.id = chosen.id
           AND (chosen.number = 1 OR (chosen.number <= $2 AND chosen.width <= make_interval(days => $3)))
         RETURNING ${selectDirtyRanges.replaceAll(/device_number|from_time|to_time/g, 'm.$&')}`,
};
const DELETE_STATE = {
  text: `WITH failure AS (DELETE FROM monitoring.energy_failures WHERE device_number = $1)
         DELETE FROM monitoring.energy_state WHERE device_number = $1`,
};
const DELETE_DIRTY_RANGES = { text: `DELETE FROM monitoring.energy_dirty_ranges WHERE device_number = $1` };
const UPDATE_STATES = {
  text: `UPDATE monitoring.energy_state s
         SET first_time = ${instantOf('row.a')}, last_time = ${instantOf('row.b')},
             imported_first = ${instantOf('row.c')}, imported_last = ${instantOf('row.e')},
             exported_first = ${instantOf('row.f')}, exported_last = ${instantOf('row.g')}
         FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
           AS row (d, a, b, c, e, f, g)
         WHERE s.device_number = row.d`,
};

/** Records the intervals that an ingest changed, in its own transaction. */
export async function insertDirtyRanges(tx: Queryable, dirtyRanges: readonly DirtyRange[]): Promise<void> {
  await tx.query(INSERT_DIRTY_RANGES, [
    dirtyRanges.map((dirtyRange) => dirtyRange.deviceNumber),
    dirtyRanges.map((dirtyRange) => dirtyRange.fromMicros),
    dirtyRanges.map((dirtyRange) => dirtyRange.toMicros),
  ]);
}

/** Marks the whole history of a device whose rules change, as far as its measurements are kept. */
export async function markStoredDaysDirty(tx: Queryable, deviceNumber: number): Promise<void> {
  await tx.query(MARK_STORED_DAYS, [deviceNumber]);
}

/** Marks every day of a device that still has measurements, whatever is stored for it. */
export async function markMeasuredDaysDirty(tx: Queryable, deviceNumber: number): Promise<void> {
  await tx.query(MARK_MEASURED_DAYS, [deviceNumber]);
}

/** At most `most` of them. */
export async function listDirtyRanges(
  db: Queryable,
  deviceNumbers: readonly number[],
  most: number,
): Promise<DirtyRange[]> {
  const { rows } = await db.query<DirtyRange>(LIST_DIRTY_RANGES, [deviceNumbers, most]);
  return rows;
}

/** At most `most` devices (of those given, or of all) that have dirty ranges and are due, who has waited longest first. */
export async function listDirtyDevices(
  db: Queryable,
  deviceNumbers: readonly number[] | null,
  most: number,
  nowMicros: number,
): Promise<number[]> {
  const values = [deviceNumbers, most, nowMicros];
  const { rows } = await db.query<{ deviceNumber: number }>(LIST_DIRTY_DEVICES, values);
  return rows.map((row) => row.deviceNumber);
}

interface StateRow {
  deviceNumber: number;
  anyFirst: number | null;
  anyLast: number | null;
  importedFirst: number | null;
  importedLast: number | null;
  exportedFirst: number | null;
  exportedLast: number | null;
}

/** The spans of the materialized readings of devices; a device without a row has none. */
export async function listReadingSpans(
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, ReadingSpans>> {
  const { rows } = await db.query<StateRow>(LIST_STATES, [deviceNumbers]);
  return new Map(rows.map((row) => [row.deviceNumber, spansOf(row)]));
}

/** The same, locked until the transaction ends; with `skip` without those that are locked by others. */
export async function lockReadingSpans(
  tx: Transaction,
  deviceNumbers: readonly number[],
  { skip }: { skip: boolean },
): Promise<Map<number, ReadingSpans>> {
  await tx.query(INSERT_STATES, [deviceNumbers]);
  const { rows } = await tx.query<StateRow>(skip ? LOCK_FREE_STATES : LOCK_STATES, [deviceNumbers]);
  return new Map(rows.map((row) => [row.deviceNumber, spansOf(row)]));
}

/** Removes dirty ranges of locked devices, to be materialized in the same transaction. */
export async function takeDirtyRanges(
  tx: Transaction,
  deviceNumbers: readonly number[],
  most: { dirtyRanges: number; days: number },
): Promise<DirtyRange[]> {
  const { rows } = await tx.query<DirtyRange>(TAKE_DIRTY_RANGES, [deviceNumbers, most.dirtyRanges, most.days]);
  return rows;
}

export async function deleteDirtyRanges(tx: Transaction, deviceNumber: number): Promise<void> {
  await tx.query(DELETE_DIRTY_RANGES, [deviceNumber]);
}

/** Of a device that is deleted. */
export async function deleteReadingSpans(tx: Transaction, deviceNumber: number): Promise<void> {
  await tx.query(DELETE_STATE, [deviceNumber]);
}

/** Only under `lockReadingSpans`. */
export async function updateReadingSpans(tx: Transaction, spans: ReadonlyMap<number, ReadingSpans>): Promise<void> {
  const entries = [...spans];
  await tx.query(UPDATE_STATES, [
    entries.map(([deviceNumber]) => deviceNumber),
    entries.map(([, { any }]) => any?.firstMicros ?? null),
    entries.map(([, { any }]) => any?.lastMicros ?? null),
    entries.map(([, { imported }]) => imported?.firstMicros ?? null),
    entries.map(([, { imported }]) => imported?.lastMicros ?? null),
    entries.map(([, { exported }]) => exported?.firstMicros ?? null),
    entries.map(([, { exported }]) => exported?.lastMicros ?? null),
  ]);
}

const spansOf = (row: StateRow): ReadingSpans => ({
  any: spanOf(row.anyFirst, row.anyLast),
  imported: spanOf(row.importedFirst, row.importedLast),
  exported: spanOf(row.exportedFirst, row.exportedLast),
});
