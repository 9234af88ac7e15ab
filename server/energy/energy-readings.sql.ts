import { type EnergyReading, noSpans, type ReadingSpans } from './energy.rules.ts';
import type { Interval } from './energy-window.rules.ts';
import { fromFixedUnits, milliOfKilo, nothingRead, quantityColumns, Reading } from '../base/quantities.ts';
import { earliestMicros, formatInstant, lastMicros, dayMicros } from '../base/instants.ts';
import { type SpanColumns, spansOfRow } from './dirty-ranges.sql.ts';
import {
  type BinaryRows,
  type EnergyLayout,
  type EnergyStatement,
  energyStatement,
  layoutOf,
  listRows,
  micros,
  postgresEpochMicros,
  readBinaryRows,
} from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

/** Asks for the readings of one device between two instants, both included. */
export interface ReadingsFilter extends Interval {
  deviceNumber: number;
}

export const asked = `unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS asked (d, f, t, position)`;
// Index measurements_device_time_key. $4 and $5 enclose all intervals: as plain values they let the planner skip the partitions of
// all other months, whose planning would cost more over years than the query itself.
export const isWithinAll = `m.time >= $4 AND m.time <= $5`;
export const isBetween = `m.device_number = asked.d AND m.time >= asked.f AND m.time <= asked.t AND ${isWithinAll}`;

const ends = (name: string, condition: string) =>
  `${micros(`min(m.time)${condition}`)} AS "${name}First", ${micros(`max(m.time)${condition}`)} AS "${name}Last"`;
const LIST_SPANS = energyStatement(
  (t) => `SELECT asked.position::integer AS position, ${ends('any', '')},
                ${ends('imported', ' FILTER (WHERE m.energy_imported_milliwatthours IS NOT NULL)')},
                ${ends('exported', ' FILTER (WHERE m.energy_exported_milliwatthours IS NOT NULL)')}
         FROM ${asked} JOIN ${t.table('measurements')} m ON ${t.own('m')}${isBetween} GROUP BY 1`,
);

const silenceHours = 168;
// The cost of this query is proportional to the readings in the intervals. Each partition is read once.
const LIST_SILENCES = energyStatement(
  (
    t,
  ) => `SELECT asked.position::integer AS position, ${micros('step.before')} AS "fromMicros", ${micros('step.time')} AS "toMicros"
         FROM ${asked} CROSS JOIN LATERAL (
           SELECT lag(time, 1, asked.f) OVER (ORDER BY time) AS before, time FROM (
             SELECT m.time FROM ${t.table('measurements')} m WHERE ${t.own('m')}${isBetween} UNION ALL SELECT asked.t) times) step
         WHERE step.time - step.before > interval '${silenceHours} hours' ORDER BY step.time`,
);

/** The rows of each interval. */
async function listByInterval<Row extends object>(
  db: Queryable,
  statement: EnergyStatement,
  intervals: readonly ReadingsFilter[],
): Promise<Row[][]> {
  const found = intervals.map((): Row[] => []);
  for (const batch of nearEachOther(intervals)) {
    const rows = await listRows<Row & { position: number }>(db, statement, ...valuesOf(batch));
    for (const row of rows) found[batch[row.position - 1]?.at ?? -1]?.push(row);
  }
  return found;
}

/**
 * For each interval the silences of more than a week in it, ascending: each from a reading (or the start of the interval) to the
 * next (or its end).
 */
export const listSilences = (db: Queryable, intervals: readonly ReadingsFilter[]) =>
  listByInterval<Interval>(db, LIST_SILENCES, intervals);

/** The columns that {@link readReading} reads. */
export const readingColumns = `m.time, ${quantityColumns('m')}`;
// Uses the same index as above.
const SELECT_READINGS = (t: EnergyLayout) =>
  `SELECT asked.position::integer, ${readingColumns} FROM ${asked} JOIN ${t.table('measurements')} m ON ${t.own('m')}${isBetween}`;

/** Numbers, instants and lists of them, for a text with `$1`, `$2`, … */
type CopiedValue = number | string | readonly (number | string | boolean)[];

/**
 * Selects readings. Binary, because many meters have thousands of readings in a quarter-hour, and the text format creates a
 * string per value. A COPY takes no parameters, so the values are written into the text.
 */
export function selectReadings(
  tx: Transaction,
  statement: (t: EnergyLayout) => string,
  values: readonly CopiedValue[],
): Promise<BinaryRows> {
  const literals = values.map((value) => (typeof value === 'object' ? `'{${value.join(',')}}'` : `'${value}'`));
  const text = statement(layoutOf(tx));
  return readBinaryRows(
    tx,
    text.replaceAll(/\$(\d)/g, (_, number) => literals[Number(number) - 1] ?? ''),
  );
}

export function readReading(rows: BinaryRows): Reading {
  const timeMicros = Number(rows.integer()) + postgresEpochMicros;
  const quantities = nothingRead.slice();
  for (let at = 0; at < quantities.length; at += 1) quantities[at] = rows.integer();
  return new Reading(timeMicros, quantities);
}

/** For each interval its readings, ascending by time. */
export async function listReadings(tx: Transaction, intervals: readonly ReadingsFilter[]): Promise<Reading[][]> {
  const found = intervals.map((): Reading[] => []);
  for (const batch of nearEachOther(intervals)) {
    const rows = await selectReadings(tx, SELECT_READINGS, valuesOf(batch));
    while (rows.next()) found[batch[rows.int4() - 1]?.at ?? -1]?.push(readReading(rows));
  }
  for (const readings of found) if (!isAscending(readings)) readings.sort((a, b) => a.timeMicros - b.timeMicros);
  return found;
}

function isAscending(readings: readonly Reading[]): boolean {
  return readings.every((reading, at) => at === 0 || reading.timeMicros > (readings[at - 1]?.timeMicros ?? 0));
}

/** For each interval the first and last reading in it: of all, and of those that have each register. */
export const listSpansWithin = async (db: Queryable, intervals: readonly ReadingsFilter[]): Promise<ReadingSpans[]> =>
  (await listByInterval<SpanColumns>(db, LIST_SPANS, intervals)).map(([row]) =>
    row === undefined ? noSpans : spansOfRow(row),
  );

/** One query covers some months at most, or little more than a single interval that is longer. */
const batchMicros = 62 * dayMicros;

/** Intervals in batches whose times are close to each other, each with its position. */
export function nearEachOther<T extends Interval>(
  intervals: readonly T[],
  withinMicros = batchMicros,
): (T & { at: number })[][] {
  const batches: (T & { at: number })[][] = [];
  const sorted = intervals.map((interval, at) => ({ ...interval, at })).toSorted((a, b) => a.fromMicros - b.fromMicros);
  for (const interval of sorted) {
    const batch = batches.at(-1);
    const start = batch?.[0]?.fromMicros ?? 0;
    const longest = Math.max(withinMicros, 2 * (interval.toMicros - interval.fromMicros));
    if (batch !== undefined && interval.toMicros - start <= longest) batch.push(interval);
    else batches.push([interval]);
  }
  return batches;
}

export function valuesOf(intervals: readonly ReadingsFilter[], around = 0): (number[] | string[] | string)[] {
  const from = intervals.reduce((least, { fromMicros }) => Math.min(least, fromMicros), Infinity);
  const to = intervals.reduce((most, { toMicros }) => Math.max(most, toMicros), -Infinity);
  return [
    intervals.map((interval) => interval.deviceNumber),
    intervals.map((interval) => textOf(interval.fromMicros)),
    intervals.map((interval) => textOf(interval.toMicros)),
    textOf(from - around),
    textOf(to + around),
  ];
}

/** Clamped to the range of instants that can be written. */
const textOf = (micros: number) => formatInstant(Math.min(lastMicros, Math.max(earliestMicros, micros)));

/** A stored reading in the form in which energy is computed. */
export const energyReadingOf = (reading: Reading): EnergyReading => ({
  timeMicros: reading.timeMicros,
  activePowerKw: fromFixedUnits(reading.activePower, milliOfKilo),
  importedKwh: reading.energyImported === null ? null : fromFixedUnits(reading.energyImported, milliOfKilo),
  exportedKwh: reading.energyExported === null ? null : fromFixedUnits(reading.energyExported, milliOfKilo),
});
