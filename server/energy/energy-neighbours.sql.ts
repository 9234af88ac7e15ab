import type { EnergyReading, ReadingSpans, RegisterSpan } from './energy.rules.ts';
import type { RegisterSide, Side, Interval, Neighbours } from './energy-window.rules.ts';
import type { RegisterReading } from './registers.rules.ts';
import { fromFixedUnits, milliOfKilo, type Reading } from '../base/quantities.ts';
import { asked, isWithinAll, nearEachOther, type ReadingsFilter, valuesOf } from './energy-readings.sql.ts';
import { type EnergyLayout, energyStatement, listRows, micros } from '../database/rows.ts';
import {
  findKnownInterval,
  firstFrom,
  firstReachMicros,
  type KnownInterval,
  reachFactor,
} from './known-readings.sql.ts';
import type { Queryable } from '../database/pool.ts';

const neighbour = (t: EnergyLayout, part: number, condition: string, order: 'ASC' | 'DESC', limit: string) =>
  `(SELECT ${part} AS part, m.time, m.active_power_milliwatts, m.energy_imported_milliwatthours, m.energy_exported_milliwatthours
    FROM ${t.table('measurements')} m WHERE ${t.own('m')}m.device_number = asked.d AND ${condition} ORDER BY m.time ${order} LIMIT ${limit})`;
const isBefore = `m.time < asked.f AND ${isWithinAll}`;
const isAfter = `m.time > asked.t AND ${isWithinAll}`;
const neighbours = (from: string, parts: readonly string[]) =>
  `SELECT asked.position::integer AS position, near.part, ${micros('near.time')} AS "timeMicros", near.active_power_milliwatts AS "activePower",
          near.energy_imported_milliwatthours AS "energyImported", near.energy_exported_milliwatthours AS "energyExported"
   FROM ${from} CROSS JOIN LATERAL (${parts.join(' UNION ALL ')}) near ORDER BY 1, 3`;
// Two probes an interval on measurements_device_time_key, no farther than $4 and $5.
const LIST_NEAREST = energyStatement((t) =>
  neighbours(asked, [
    neighbour(t, partOf('before', 'sample'), isBefore, 'DESC', '$6'),
    neighbour(t, partOf('after', 'sample'), isAfter, 'ASC', '$6'),
  ]),
);
const registers = (t: EnergyLayout, register: 'imported' | 'exported', column: string) => [
  neighbour(
    t,
    partOf('before', register),
    `asked.${register} AND ${isBefore} AND m.${column} IS NOT NULL`,
    'DESC',
    '$6',
  ),
  neighbour(t, partOf('after', register), `asked.${register} AND ${isAfter} AND m.${column} IS NOT NULL`, 'ASC', '$6'),
];
// Up to six probes an interval on the same index; none for a register that a device does not have, because that would scan everything.
const LIST_NEIGHBOURS = energyStatement((t) =>
  neighbours(
    `unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $7::boolean[], $8::boolean[]) WITH ORDINALITY
       AS asked (d, f, t, imported, exported, position)`,
    [
      neighbour(t, partOf('before', 'sample'), isBefore, 'DESC', '1'),
      neighbour(t, partOf('after', 'sample'), isAfter, 'ASC', '1'),
      ...registers(t, 'imported', 'energy_imported_milliwatthours'),
      ...registers(t, 'exported', 'energy_exported_milliwatthours'),
    ],
  ),
);

/** The part of the neighbours that a row belongs to. */
function partOf(side: 'before' | 'after', what: 'sample' | 'imported' | 'exported'): number {
  return ['sample', 'imported', 'exported'].indexOf(what) * 2 + (side === 'before' ? 0 : 1);
}

type Neighbour = Pick<Reading, 'timeMicros' | 'activePower' | 'energyImported' | 'energyExported'>;
interface NeighbourRow extends Neighbour {
  position: number;
  part: number;
}

type Searched = ReadingsFilter & { spans: ReadingSpans; known?: readonly KnownInterval[] | undefined };

/**
 * For each interval the nearest reading on both sides, and the nearest `count` of each register. `spans` are those of all readings
 * of the device; they tell where there is nothing more to search. What is in `known` is not searched.
 */
export async function listNeighbours(
  db: Queryable,
  intervals: readonly Searched[],
  count: number,
): Promise<Neighbours[]> {
  const found = intervals.map((): Neighbours => ({ before: emptySide, after: emptySide }));
  const unknown = intervals
    .map((interval, position) => ({ ...interval, position }))
    .filter((interval) => {
      const near = neighboursIn(findKnownInterval(interval.known, interval), interval, count);
      if (near !== null) found[interval.position] = near;
      return near === null;
    });
  let open = await searchNearest(db, unknown, count, found);
  for (let reach = firstReachMicros; open.length > 0; reach *= reachFactor) {
    const farther: typeof open = [];
    for (const batch of nearEachOther(open)) {
      const rows = await listRows<NeighbourRow>(
        db,
        LIST_NEIGHBOURS,
        ...valuesOf(batch, reach),
        count,
        batch.map(({ spans }) => spans.imported !== null),
        batch.map(({ spans }) => spans.exported !== null),
      );
      const byPosition = Map.groupBy(rows, (row) => row.position);
      for (const [index, interval] of batch.entries()) {
        const own = Map.groupBy(byPosition.get(index + 1) ?? [], (row) => row.part);
        const side = (name: 'before' | 'after') => {
          const rows = (what: 'sample' | 'imported' | 'exported') => own.get(partOf(name, what)) ?? [];
          const rowsOf = { readings: rows('sample'), imported: rows('imported'), exported: rows('exported') };
          return sideOf(name, rowsOf, interval.spans, count);
        };
        const near = { before: side('before'), after: side('after') };
        found[interval.position] = near;
        if (!isAllThatCounts(near, interval, count, { before: reach, after: reach })) farther.push(interval);
      }
    }
    open = farther;
  }
  return found;
}

/** The neighbours of an interval within a known interval that contains it; null if that has not all that are needed. */
function neighboursIn(known: KnownInterval | undefined, interval: Searched, count: number): Neighbours | null {
  if (known === undefined) return null;
  const { readings } = known;
  const before = firstFrom(readings, interval.fromMicros) - 1;
  const after = firstFrom(readings, interval.toMicros + 1);
  const near = {
    before: sideOf('before', { readings, from: before }, interval.spans, count),
    after: sideOf('after', { readings, from: after }, interval.spans, count),
  };
  const reach = {
    before: interval.fromMicros - known.fromMicros,
    after: known.toMicros - interval.toMicros,
  };
  return isAllThatCounts(near, interval, count, reach) ? near : null;
}

/**
 * Reads the nearest readings of each interval, with or without registers, and returns the intervals for which they are not enough;
 * for a meter whose readings all have registers they always are.
 */
async function searchNearest<T extends Searched & { position: number }>(
  db: Queryable,
  intervals: readonly T[],
  count: number,
  found: Neighbours[],
): Promise<T[]> {
  const open: T[] = [];
  for (const batch of nearEachOther(intervals)) {
    const rows = await listRows<NeighbourRow>(db, LIST_NEAREST, ...valuesOf(batch, firstReachMicros), count);
    const byPosition = Map.groupBy(rows, (row) => row.position);
    for (const [index, interval] of batch.entries()) {
      const own = Map.groupBy(byPosition.get(index + 1) ?? [], (row) => row.part);
      const [before, after] = [own.get(partOf('before', 'sample')) ?? [], own.get(partOf('after', 'sample')) ?? []];
      const near = {
        before: sideOf('before', { readings: before }, interval.spans, count),
        after: sideOf('after', { readings: after }, interval.spans, count),
      };
      found[interval.position] = near;
      // The search was cut off here.
      const reach = {
        before: before.length < count ? firstReachMicros : interval.fromMicros - (before[0]?.timeMicros ?? 0),
        after: after.length < count ? firstReachMicros : (after.at(-1)?.timeMicros ?? 0) - interval.toMicros,
      };
      if (!isAllThatCounts(near, interval, count, reach)) open.push(interval);
    }
  }
  return open;
}

/** Readings ascending by time, and the position of the nearest: by default the last one before an interval, or the first one after it. */
interface SideReadings {
  readings: readonly Neighbour[];
  from?: number;
  /** The readings of each register, if they were searched separately. */
  imported?: readonly Neighbour[];
  exported?: readonly Neighbour[];
}

/** One side from its readings: the nearest is the sample; the registers come from the readings that have them. */
function sideOf(
  side: 'before' | 'after',
  { readings, from, ...apart }: SideReadings,
  spans: ReadingSpans,
  count: number,
): Side {
  const startOf = (rows: readonly Neighbour[]) => (side === 'before' ? rows.length - 1 : 0);
  const start = from ?? startOf(readings);
  const register = (name: 'imported' | 'exported', column: 'energyImported' | 'energyExported'): RegisterSide => {
    if (spans[name] === null) return emptyRegister;
    const own = apart[name] ?? readings;
    const found: RegisterReading[] = [];
    for (let at = own === readings ? start : startOf(own); found.length < count; at += side === 'before' ? -1 : 1) {
      const row = own[at];
      if (row === undefined) break;
      const kwh = row[column];
      if (kwh !== null) found.push({ timeMicros: row.timeMicros, kwh: fromFixedUnits(kwh, milliOfKilo) });
    }
    return { readings: side === 'before' ? found.toReversed() : found, isComplete: found.length < count };
  };
  return {
    sample: sampleOf(readings[start]),
    imported: register('imported', 'energyImported'),
    exported: register('exported', 'energyExported'),
  };
}

const emptyRegister: RegisterSide = { readings: [], isComplete: true };
const emptySide: Side = { sample: null, imported: emptyRegister, exported: emptyRegister };

/** Whether a search no farther than `reach` has found all that it should, or everything there is. */
function isAllThatCounts(
  { before, after }: Neighbours,
  { fromMicros, toMicros, spans }: Interval & { spans: ReadingSpans },
  count: number,
  reach: { before: number; after: number },
): boolean {
  const isEndBefore = (span: RegisterSpan) => span === null || span.firstMicros >= fromMicros - reach.before;
  const isEndAfter = (span: RegisterSpan) => span === null || span.lastMicros <= toMicros + reach.after;
  return (
    (before.sample !== null || isEndBefore(spans.any)) &&
    (after.sample !== null || isEndAfter(spans.any)) &&
    (['imported', 'exported'] as const).every(
      (direction) =>
        (before[direction].readings.length === count || isEndBefore(spans[direction])) &&
        (after[direction].readings.length === count || isEndAfter(spans[direction])),
    )
  );
}

function sampleOf(row: Neighbour | undefined): EnergyReading | null {
  if (row === undefined) return null;
  return {
    timeMicros: row.timeMicros,
    activePowerKw: fromFixedUnits(row.activePower, milliOfKilo),
    importedKwh: null,
    exportedKwh: null,
  };
}
