import type { EnergyReading, ReadingSpans, RegisterSpan } from '../domain/energy.ts';
import { dayMicros } from '../domain/energy-day.ts';
import type { RegisterSide, Side, Interval, Neighbours } from '../domain/energy-window.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../domain/fixed-units.ts';
import { micros } from './dirty-ranges.ts';
import { asked, isWithinAll, nearEachOther, type ReadingsFilter, valuesOf } from './energy-readings.ts';
import { type EnergyLayout, energyStatement, queryEnergy } from './energy-layout.ts';
import type { Queryable } from './pool.ts';

const neighbour = (t: EnergyLayout, part: number, condition: string, order: 'ASC' | 'DESC', limit: string) =>
  `(SELECT ${part} AS part, m.time, m.active_power_milliwatts AS p, m.energy_imported_milliwatthours AS ei,
           m.energy_exported_milliwatthours AS ee
    FROM ${t.table('measurements')} m WHERE ${t.own('m')}m.device_number = asked.d AND ${condition} ORDER BY m.time ${order} LIMIT ${limit})`;
const isBefore = `m.time < asked.f AND ${isWithinAll}`;
const isAfter = `m.time > asked.t AND ${isWithinAll}`;
const neighbours = (from: string, parts: readonly string[]) =>
  `SELECT asked.position::integer AS position, near.part, ${micros('near.time')} AS "timeMicros", near.p, near.ei, near.ee
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
// Up to six probes an interval on the same index; for a register that a device does not have there is none, because it would
// go through all that there is.
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

interface NeighbourRow {
  position: number;
  part: number;
  timeMicros: number;
  p: FixedUnits;
  ei: FixedUnits | null;
  ee: FixedUnits | null;
}

/** Meters send several readings a day; otherwise the search widens step by step. */
const firstReachMicros = dayMicros;
const reachFactor = 16;

type Searched = ReadingsFilter & { spans: ReadingSpans };

/**
 * For each interval the nearest reading on both sides, and the nearest `count` of each register. `spans` are those of all
 * readings of the device; they tell where there is nothing more to look for.
 */
export async function listNeighbours(
  db: Queryable,
  intervals: readonly Searched[],
  count: number,
): Promise<Neighbours[]> {
  const found = intervals.map((): Neighbours => ({ before: emptySide, after: emptySide }));
  let open = await searchNearest(
    db,
    intervals.map((interval, position) => ({ ...interval, position })),
    count,
    found,
  );
  for (let reach = firstReachMicros; open.length > 0; reach *= reachFactor) {
    const farther: typeof open = [];
    for (const batch of nearEachOther(open)) {
      const { rows } = await queryEnergy<NeighbourRow>(db, LIST_NEIGHBOURS, [
        ...valuesOf(batch, reach),
        count,
        batch.map(({ spans }) => spans.imported !== null),
        batch.map(({ spans }) => spans.exported !== null),
      ]);
      const byPosition = Map.groupBy(rows, (row) => row.position);
      for (const [index, interval] of batch.entries()) {
        const own = Map.groupBy(byPosition.get(index + 1) ?? [], (row) => row.part);
        const side = (name: 'before' | 'after') =>
          sideOf(name, own.get(partOf(name, 'sample')) ?? [], interval.spans, count, {
            imported: own.get(partOf(name, 'imported')) ?? [],
            exported: own.get(partOf(name, 'exported')) ?? [],
          });
        const near = { before: side('before'), after: side('after') };
        found[interval.position] = near;
        if (!isAllThatCounts(near, interval, count, { before: reach, after: reach })) farther.push(interval);
      }
    }
    open = farther;
  }
  return found;
}

/**
 * Looks at the readings next to each interval, whatever is in them, and returns the intervals for which that is not enough: none
 * of a meter whose readings all have its registers.
 */
async function searchNearest<T extends Searched & { position: number }>(
  db: Queryable,
  intervals: readonly T[],
  count: number,
  found: Neighbours[],
): Promise<T[]> {
  const open: T[] = [];
  for (const batch of nearEachOther(intervals)) {
    const { rows } = await queryEnergy<NeighbourRow>(db, LIST_NEAREST, [...valuesOf(batch, firstReachMicros), count]);
    const byPosition = Map.groupBy(rows, (row) => row.position);
    for (const [index, interval] of batch.entries()) {
      const own = Map.groupBy(byPosition.get(index + 1) ?? [], (row) => row.part);
      const [before, after] = [own.get(partOf('before', 'sample')) ?? [], own.get(partOf('after', 'sample')) ?? []];
      const near = {
        before: sideOf('before', before, interval.spans, count),
        after: sideOf('after', after, interval.spans, count),
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

/** One side from its readings, ascending: the nearest is the sample, and each register is in those that have it. */
function sideOf(
  side: 'before' | 'after',
  rows: readonly NeighbourRow[],
  spans: ReadingSpans,
  count: number,
  registerRows?: { imported: readonly NeighbourRow[]; exported: readonly NeighbourRow[] },
): Side {
  const register = (name: 'imported' | 'exported', column: 'ei' | 'ee') => {
    if (spans[name] === null) return emptyRegister;
    const own = (registerRows?.[name] ?? rows).filter((row) => row[column] !== null);
    return registerSide(side === 'before' ? own.slice(-count) : own.slice(0, count), column, count);
  };
  return {
    sample: sampleOf(rows.at(side === 'before' ? -1 : 0)),
    imported: register('imported', 'ei'),
    exported: register('exported', 'ee'),
  };
}

const emptyRegister: RegisterSide = { readings: [], isComplete: true };
const emptySide: Side = { sample: null, imported: emptyRegister, exported: emptyRegister };

/** Whether a search that went no farther than `reach` has found all that it was to find, or all that there is. */
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

function registerSide(rows: readonly NeighbourRow[], column: 'ei' | 'ee', count: number): RegisterSide {
  const readings = rows.map((row) => ({
    timeMicros: row.timeMicros,
    kwh: fromFixedUnits(row[column] ?? 0, milliOfKilo),
  }));
  return { readings, isComplete: rows.length < count };
}

function sampleOf(row: NeighbourRow | undefined): EnergyReading | null {
  if (row === undefined) return null;
  return {
    timeMicros: row.timeMicros,
    activePowerKw: fromFixedUnits(row.p, milliOfKilo),
    importedKwh: null,
    exportedKwh: null,
  };
}
