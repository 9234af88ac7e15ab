import { noSpans, type ReadingSpans, spanOf } from './energy.rules.ts';
import type { Interval } from './energy-window.rules.ts';
import { earliestMicros, lastMicros } from '../base/instants.ts';
import {
  columnsOf,
  type EnergyLayout,
  energyStatement,
  energyStep,
  execute,
  instantOf,
  listRows,
  listValues,
  micros,
} from '../database/rows.ts';
import type { Step } from '../database/exchange.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

/** An interval of a device. */
export interface DeviceInterval extends Interval {
  deviceNumber: number;
}

/** An interval in which readings of a device were stored. */
export type DirtyRange = DeviceInterval;

/** A dirty range with its id. No other dirty range of the device ever has the same id. */
export interface NamedRange extends DirtyRange {
  id: string;
}

/** Measurements before this instant were removed; their slots are never recomputed. */
const keptFrom = (t: EnergyLayout) => `coalesce((SELECT kept_from FROM ${t.table('retention')}), '-infinity')`;

const INSERT_DIRTY_RANGES = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_dirty_ranges')} (${t.key}device_number, ${t.rangeId}from_time, to_time)
         SELECT ${t.keyValue}d, ${t.rangeIdValue}${instantOf('f')}, ${instantOf('t')} FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS row (d, f, t)`,
  'energy_insert_dirty_ranges',
);
// One dirty range for each day that has a row; days that are not materialized yet already have theirs. They never reach beyond
// the readings: the newest ends at the newest reading. Primary keys energy_days_pkey and energy_state_pkey.
const MARK_STORED_DAYS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_dirty_ranges')} (${t.key}device_number, ${t.rangeId}from_time, to_time)
         SELECT ${t.keyValue}d.device_number, ${t.rangeIdValue}greatest(s.first_time, d.day::timestamp AT TIME ZONE 'UTC'),
                least(s.last_time, (d.day + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 microsecond')
         FROM ${t.table('energy_days')} d JOIN ${t.table('energy_state')} s ON ${t.own('s')}s.device_number = d.device_number
         WHERE ${t.own('d')}d.device_number = $1 AND d.samples > 0 AND d.day >= ${keptFrom(t)}`,
);
// Index measurements_device_time_key.
const MARK_MEASURED_DAYS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_dirty_ranges')} (${t.key}device_number, ${t.rangeId}from_time, to_time)
         SELECT ${t.keyValue}device_number, ${t.rangeIdValue}min(time), max(time) FROM ${t.table('measurements')}
         WHERE ${t.own()}device_number = $1 AND time >= ${keptFrom(t)}
         GROUP BY device_number, date_trunc('day', time, 'UTC')`,
);
// Adds one dirty range for each day on which intervals begin; none for a device without intervals. Uses primary key
// intervals_pkey.
const MARK_INTERVALS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_dirty_ranges')} (${t.key}device_number, ${t.rangeId}from_time, to_time)
         SELECT ${t.keyValue}device_number, ${t.rangeIdValue}greatest(min(from_time), ${keptFrom(t)}), max(to_time) - interval '1 microsecond'
         FROM ${t.table('intervals')} WHERE ${t.own()}device_number = $1 AND to_time > ${keptFrom(t)}
         GROUP BY device_number, date_trunc('day', from_time, 'UTC')`,
);
const selectDirtyRanges = `device_number AS "deviceNumber", ${micros('from_time')} AS "fromMicros", ${micros('to_time')} AS "toMicros"`;
/** Intervals of devices, in three parameters from `first` on. */
const asked = (first: number) =>
  `unnest($${first}::integer[], $${first + 1}::bigint[], $${first + 2}::bigint[]) AS asked (d, f, t)`;
const isTouched = `r.device_number = asked.d AND r.to_time >= ${instantOf('asked.f')} AND r.from_time <= ${instantOf('asked.t')}`;
const dirtyWithin = (t: EnergyLayout) =>
  `${t.table('energy_dirty_ranges')} r JOIN ${asked(1)} ON ${t.own('r')}${isTouched}`;
// Primary key energy_dirty_ranges_pkey; the table is nearly empty most of the time.
const LIST_DIRTY_RANGES = energyStatement(
  (t) => `SELECT r.id::text AS id, ${selectDirtyRanges} FROM ${dirtyWithin(t)} LIMIT $4`,
);
const LIST_DIRTY_SPANS = energyStatement(
  (
    t,
  ) => `SELECT device_number AS "deviceNumber", ${micros('min(from_time)')} AS "fromMicros", ${micros('max(to_time)')} AS "toMicros"
         FROM ${t.table('energy_dirty_ranges')} WHERE ${t.own()}device_number = ANY ($1::integer[]) GROUP BY 1`,
);
// Primary key energy_state_pkey. Every change of a device's readings, intervals or slots adds a dirty range or writes its state.
const LIST_STATE_VERSIONS = energyStatement(
  (t) => `SELECT device_number AS "deviceNumber", concat_ws(' ', xmin::text, ${keptFrom(t)}) AS version
         FROM ${t.table('energy_state')} WHERE ${t.own()}device_number = ANY ($1::integer[])`,
);
// An attempt due much later was written by a clock that was ahead.
const dirtyDevices = (t: EnergyLayout, also: string, isAsked: string) =>
  `SELECT r.device_number AS "deviceNumber" FROM ${t.table('energy_dirty_ranges')} r${also}
   WHERE ${t.own('r')}${isAsked}r.device_number NOT IN (SELECT device_number FROM ${t.table('energy_failures')}
                              WHERE ${t.own()}retry_at > ${instantOf('$2::bigint')} AND retry_at <= ${instantOf('$3::bigint')})
   GROUP BY r.device_number ORDER BY min(r.id) LIMIT $1`;
const LIST_DIRTY_DEVICES = energyStatement((t) => dirtyDevices(t, '', ''));
const LIST_DIRTY_DEVICES_WITHIN = energyStatement((t) => dirtyDevices(t, `, ${asked(4)}`, `${isTouched} AND `));
const INSERT_STATES = energyStatement(
  (t) =>
    `INSERT INTO ${t.table('energy_state')} (${t.key}device_number) SELECT ${t.keyValue}unnest($1::integer[]) AS d ORDER BY d ON CONFLICT DO NOTHING`,
);
const selectState = (t: EnergyLayout) => `SELECT device_number AS "deviceNumber", ${micros('first_time')} AS "anyFirst",
    ${micros('last_time')} AS "anyLast", ${micros('imported_first')} AS "importedFirst",
    ${micros('imported_last')} AS "importedLast", ${micros('exported_first')} AS "exportedFirst",
    ${micros('exported_last')} AS "exportedLast",
    ${micros('intervals_first')} AS "intervalsFirst", ${micros('intervals_last')} AS "intervalsLast"
  FROM ${t.table('energy_state')} WHERE ${t.own()}device_number = ANY ($1::integer[]) ORDER BY device_number`;
const LIST_STATES = energyStatement(selectState, 'energy_list_states');
// Ordered by number, so that two workers on the same devices wait for each other instead of deadlocking.
const LOCK_STATES = energyStatement((t) => `${selectState(t)} FOR UPDATE`);
const LOCK_FREE_STATES = energyStatement((t) => `${selectState(t)} FOR UPDATE SKIP LOCKED`);
// Limits how many dirty ranges, and how many days of readings, are taken at once, but takes at least one range. A range that is
// apart from the previous one needs its own search for neighbours, which costs about as much as two hours of readings. Rows are
// deleted by ctid. A join would be planned by the statistics of a table that is empty between two rounds, so it would compare
// each row with all others.
const TAKE_DIRTY_RANGES = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_dirty_ranges')} m WHERE ${t.own('m')}m.ctid = ANY (ARRAY(
            SELECT place FROM (
              SELECT place, row_number() OVER inOrder AS number,
                     sum(width + least(interval '2 hours', greatest(interval '0', apart))) OVER inOrder AS width
              FROM (SELECT place, device_number, id, to_time - from_time AS width,
                           greatest(from_time - lag(to_time) OVER own, lag(from_time) OVER own - to_time) AS apart
                    FROM (SELECT r.ctid AS place, device_number, id, from_time, to_time FROM ${dirtyWithin(t)}
                          ORDER BY device_number, id LIMIT $4) oldest
                    WINDOW own AS (PARTITION BY device_number ORDER BY id)) ranges
              WINDOW inOrder AS (ORDER BY device_number, id)) chosen
            WHERE number = 1 OR width <= make_interval(days => $5)))
         RETURNING ${selectDirtyRanges}`,
);
const DELETE_STATE = energyStatement(
  (t) => `WITH failure AS (DELETE FROM ${t.table('energy_failures')} WHERE ${t.own()}device_number = $1),
              weeks AS (DELETE FROM ${t.table('energy_weeks')} WHERE ${t.own()}device_number = $1),
              intervals AS (DELETE FROM ${t.table('intervals')} WHERE ${t.own()}device_number = $1)
         DELETE FROM ${t.table('energy_state')} WHERE ${t.own()}device_number = $1`,
);
const DELETE_DIRTY_RANGES = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_dirty_ranges')} WHERE ${t.own()}device_number = $1`,
);
const UPDATE_STATES = energyStatement(
  (t) => `UPDATE ${t.table('energy_state')} s
         SET first_time = ${instantOf('row.a')}, last_time = ${instantOf('row.b')},
             imported_first = ${instantOf('row.c')}, imported_last = ${instantOf('row.e')},
             exported_first = ${instantOf('row.f')}, exported_last = ${instantOf('row.g')}
         FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
           AS row (d, a, b, c, e, f, g)
         WHERE ${t.own('s')}s.device_number = row.d`,
);

/** Devices, first and last instants, as array literals. */
export const rangeColumns = (ranges: readonly DirtyRange[]): [devices: string, from: string, to: string] => {
  const literal = (pick: (range: DirtyRange) => number) => `{${ranges.map(pick).join(',')}}`;
  return [
    literal(({ deviceNumber }) => deviceNumber),
    literal(({ fromMicros }) => fromMicros),
    literal(({ toMicros }) => toMicros),
  ];
};

/** Records the intervals that an ingest changed, in the transaction of the ingest. Takes {@link rangeColumns}. */
export const insertDirtyRanges = (tx: Queryable, columns: readonly string[]): Step =>
  energyStep(tx, INSERT_DIRTY_RANGES, columns);

/**
 * Marks the whole history of a device as dirty, as far as its readings are kept. Called when the energy rules of the device
 * change.
 */
export async function markStoredDaysDirty(tx: Queryable, deviceNumber: number): Promise<void> {
  await execute(tx, MARK_STORED_DAYS, deviceNumber);
  await execute(tx, MARK_INTERVALS, deviceNumber);
}

/** Marks every day of a device that still has measurements or intervals as dirty, whatever slots are stored. */
export async function markMeasuredDaysDirty(tx: Queryable, deviceNumber: number): Promise<void> {
  await execute(tx, MARK_MEASURED_DAYS, deviceNumber);
  await execute(tx, MARK_INTERVALS, deviceNumber);
}

/** Intervals that cover the whole history of some devices. */
export const allOf = (deviceNumbers: readonly number[]): DeviceInterval[] =>
  deviceNumbers.map((deviceNumber) => ({ deviceNumber, fromMicros: earliestMicros, toMicros: lastMicros }));

const columnsOfIntervals = (within: readonly DeviceInterval[]) =>
  columnsOf(within, ['deviceNumber', 'fromMicros', 'toMicros']);

/** At most `limit` of the dirty ranges that touch the intervals. There is one interval per device. */
export const listDirtyRanges = (db: Queryable, within: readonly DeviceInterval[], limit: number) =>
  listRows<NamedRange>(db, LIST_DIRTY_RANGES, ...columnsOfIntervals(within), limit);

/**
 * A version of each device. It stays the same until something of the device is materialized or removed. Changes since then are
 * in dirty ranges with new ids.
 */
export const listStateVersions = async (
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, string>> => {
  const rows = await listRows<{ deviceNumber: number; version: string }>(db, LIST_STATE_VERSIONS, deviceNumbers);
  return new Map(rows.map(({ deviceNumber, version }) => [deviceNumber, version]));
};

/** For each device with dirty ranges, the span from the start of the first to the end of the last. */
export const listDirtySpans = (db: Queryable, deviceNumbers: readonly number[]) =>
  listRows<DeviceInterval>(db, LIST_DIRTY_SPANS, deviceNumbers);

/** The longest time until a device that cannot be computed is tried again. */
export const longestRetryMs = 3_600_000;

/**
 * At most `limit` devices with dirty ranges that are due, longest waiting first: of all ranges, or only of those that touch the
 * intervals.
 */
export async function listDirtyDevices(
  db: Queryable,
  within: readonly DeviceInterval[] | null,
  limit: number,
  nowMicros: number,
): Promise<number[]> {
  const due = [limit, nowMicros, nowMicros + longestRetryMs * 1000];
  if (within === null) return listValues<number>(db, LIST_DIRTY_DEVICES, ...due);
  return listValues<number>(db, LIST_DIRTY_DEVICES_WITHIN, ...due, ...columnsOfIntervals(within));
}

export interface SpanColumns {
  anyFirst: number | null;
  anyLast: number | null;
  importedFirst: number | null;
  importedLast: number | null;
  exportedFirst: number | null;
  exportedLast: number | null;
}
type StateRow = SpanColumns & { deviceNumber: number; intervalsFirst: number | null; intervalsLast: number | null };

const stateOf = (row: StateRow): [number, ReadingSpans] => [
  row.deviceNumber,
  { ...spansOfRow(row), intervals: spanOf(row.intervalsFirst, row.intervalsLast) },
];

/** The spans of the materialized readings of devices, and of all their intervals; a device without a row has none. */
export async function listReadingSpans(
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, ReadingSpans>> {
  return new Map((await listRows<StateRow>(db, LIST_STATES, deviceNumbers)).map(stateOf));
}

/** The same spans, locked until the transaction ends. With `skip`, devices that others have locked are left out. */
export async function lockReadingSpans(
  tx: Transaction,
  deviceNumbers: readonly number[],
  { skip }: { skip: boolean },
): Promise<Map<number, ReadingSpans>> {
  await execute(tx, INSERT_STATES, deviceNumbers);
  const rows = await listRows<StateRow>(tx, skip ? LOCK_FREE_STATES : LOCK_STATES, deviceNumbers);
  return new Map(rows.map(stateOf));
}

/** Removes the dirty ranges of locked devices that touch the intervals. The same transaction must materialize them. */
export const takeDirtyRanges = (
  tx: Transaction,
  within: readonly DeviceInterval[],
  max: { dirtyRanges: number; days: number },
) => listRows<DirtyRange>(tx, TAKE_DIRTY_RANGES, ...columnsOfIntervals(within), max.dirtyRanges, max.days);

export const deleteDirtyRanges = (tx: Transaction, deviceNumber: number) =>
  execute(tx, DELETE_DIRTY_RANGES, deviceNumber);

/** Deletes the spans of a device that is being deleted. */
export const deleteReadingSpans = (tx: Transaction, deviceNumber: number) => execute(tx, DELETE_STATE, deviceNumber);

/** Only under `lockReadingSpans`. */
export async function updateReadingSpans(tx: Transaction, spans: ReadonlyMap<number, ReadingSpans>): Promise<void> {
  const entries = [...spans];
  await execute(
    tx,
    UPDATE_STATES,
    entries.map(([deviceNumber]) => deviceNumber),
    entries.map(([, { any }]) => any?.firstMicros ?? null),
    entries.map(([, { any }]) => any?.lastMicros ?? null),
    entries.map(([, { imported }]) => imported?.firstMicros ?? null),
    entries.map(([, { imported }]) => imported?.lastMicros ?? null),
    entries.map(([, { exported }]) => exported?.firstMicros ?? null),
    entries.map(([, { exported }]) => exported?.lastMicros ?? null),
  );
}

/** The spans of readings, without intervals. */
export const spansOfRow = (row: SpanColumns): ReadingSpans => ({
  ...noSpans,
  any: spanOf(row.anyFirst, row.anyLast),
  imported: spanOf(row.importedFirst, row.importedLast),
  exported: spanOf(row.exportedFirst, row.exportedLast),
});
