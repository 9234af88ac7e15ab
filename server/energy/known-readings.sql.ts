import { type ReadingSpans, spanOf } from './energy.rules.ts';
import type { Interval, SideName } from './energy-window.rules.ts';
import { energyStatement, listRows } from '../database/rows.ts';
import { asked, isBetween, isWithinAll, nearEachOther, readingColumns, valuesOf } from './energy-readings.sql.ts';
import type { Queryable } from '../database/pool.ts';
import { dayMicros } from '../base/instants.ts';
import { Reading, type StoredQuantities } from '../base/quantities.ts';

/** An interval of a device, both ends included, all of whose readings are known. */
export interface KnownInterval extends Interval {
  /** Ascending by time. */
  readings: readonly Reading[];
}

/** If there are more in a row, the later ones are left to the searches, which find them anyway. */
const maxReadingsInRow = 16;
/** Long, because scattered intervals are few for their length. */
const batchMicros = 248 * dayMicros;
/** Some 10 MB. */
const maxKnownReadings = 50_000;

/** Beyond the first and the last interval: judging a reading rarely takes more. */
const readingsBeyond = 16;

/** Meters send several readings a day; otherwise a search widens step by step. */
export const firstReachMicros = dayMicros;
export const reachFactor = 16;

// One probe on measurements_device_time_key for each interval.
const LIST_FIRST_READINGS = energyStatement(
  (t) => `SELECT asked.position::integer AS position, ${readingColumns}
         FROM ${asked} CROSS JOIN LATERAL (SELECT * FROM ${t.table('measurements')} m WHERE ${t.own('m')}${isBetween}
                                           ORDER BY m.time LIMIT $6) m ORDER BY m.time`,
);
const nearest = (side: SideName) => {
  const [condition, order] = side === 'before' ? ['m.time < asked.f', 'DESC'] : ['m.time > asked.t', 'ASC'];
  return energyStatement(
    (t) => `SELECT asked.position::integer AS position, ${readingColumns}
           FROM ${asked} CROSS JOIN LATERAL (SELECT * FROM ${t.table('measurements')} m
             WHERE ${t.own('m')}m.device_number = asked.d AND ${condition} AND ${isWithinAll}
             ORDER BY m.time ${order} LIMIT $6) m ORDER BY m.time`,
  );
};
// The same.
const LIST_NEAREST = { before: nearest('before'), after: nearest('after') };

type ReadingRow = StoredQuantities & { position: number; timeMicros: number };

/** Asks for the readings next to an instant, as far as an end beyond which there are none. */
export interface AskedSide {
  deviceNumber: number;
  atMicros: number;
  endMicros: number;
}

/** The readings of a side, ascending, and the instant from or up to which they are all there are. */
export interface NearestReadings {
  readings: Reading[];
  reachMicros: number;
}

/** The nearest `count` readings of each, with or without registers. */
export async function listNearest(
  db: Queryable,
  side: SideName,
  wanted: readonly AskedSide[],
  count: number,
): Promise<NearestReadings[]> {
  const [end, sign] = side === 'before' ? [-Infinity, -1] : [Infinity, 1];
  const found = wanted.map((): NearestReadings => ({ readings: [], reachMicros: end }));
  let open = wanted.map((one, position) => ({ ...one, position, fromMicros: one.atMicros, toMicros: one.atMicros }));
  for (let reach = firstReachMicros; open.length > 0; reach *= reachFactor) {
    const farther: typeof open = [];
    for (const batch of nearEachOther(open)) {
      const rows = await listRows<ReadingRow>(db, LIST_NEAREST[side], ...valuesOf(batch, reach), count);
      const byPosition = Map.groupBy(rows, (row) => row.position);
      for (const [index, one] of batch.entries()) {
        const readings = (byPosition.get(index + 1) ?? []).map(Reading.of);
        const isCut = readings.length === count;
        const reachMicros = isCut ? (readings.at(side === 'before' ? 0 : -1)?.timeMicros ?? end) : end;
        found[one.position] = { readings, reachMicros };
        if (!isCut && sign * (one.endMicros - one.atMicros) > reach) farther.push(one);
      }
    }
    open = farther;
  }
  return found;
}

/**
 * The readings in and between the intervals of each device (disjoint, ascending), and next to them, where there are few of them. A
 * meter that sends once a month is then read once, not again around each of its readings.
 */
export async function listKnownIntervals(
  db: Queryable,
  devices: readonly { deviceNumber: number; intervals: readonly Interval[]; spans: ReadingSpans }[],
): Promise<Map<number, KnownInterval[]>> {
  const segments = devices.flatMap(({ deviceNumber, intervals }) =>
    segmentsOf(intervals).map((segment) => ({ deviceNumber, ...segment })),
  );
  const found = segments.map((): Reading[] | null => null);
  let known = 0;
  for (const batch of nearEachOther(segments, batchMicros)) {
    if (known > maxKnownReadings) break;
    const rows = await listRows<ReadingRow>(db, LIST_FIRST_READINGS, ...valuesOf(batch), maxReadingsInRow);
    for (const { at } of batch) found[at] = [];
    for (const row of rows) found[batch[row.position - 1]?.at ?? -1]?.push(Reading.of(row));
    known += rows.length;
  }
  const intervalsOf = new Map<number, OwnInterval[]>();
  for (const [at, { deviceNumber, fromMicros, toMicros }] of segments.entries()) {
    const readings = found[at];
    if (readings === undefined || readings === null) continue;
    const isCut = readings.length === maxReadingsInRow;
    const end = isCut ? (readings.at(-1)?.timeMicros ?? fromMicros) : toMicros;
    const own = intervalsOf.getOrInsertComputed(deviceNumber, () => []);
    const last = own.at(-1);
    if (last !== undefined && last.toMicros + 1 === fromMicros) {
      for (const reading of readings) last.readings.push(reading);
      last.toMicros = end;
    } else own.push({ fromMicros, toMicros: end, readings });
  }
  for (const side of ['before', 'after'] as const) await extend(db, side, devices, intervalsOf);
  return intervalsOf;
}

type OwnInterval = KnownInterval & { readings: Reading[] };

/** Adds what is next to the first or the last interval of each device. */
async function extend(
  db: Queryable,
  side: SideName,
  devices: readonly { deviceNumber: number; intervals: readonly Interval[]; spans: ReadingSpans }[],
  intervalsOf: ReadonlyMap<number, OwnInterval[]>,
): Promise<void> {
  const asked = devices.flatMap(({ deviceNumber, intervals, spans: { any } }) => {
    const known = intervalsOf.get(deviceNumber)?.at(side === 'before' ? 0 : -1);
    const interval = intervals.at(side === 'before' ? 0 : -1);
    if (known === undefined || interval === undefined) return [];
    const [atMicros, reached, endMicros] =
      side === 'before'
        ? [interval.fromMicros, known.fromMicros, any?.firstMicros]
        : [interval.toMicros, known.toMicros, any?.lastMicros];
    return atMicros === reached ? [{ deviceNumber, atMicros, endMicros: endMicros ?? atMicros, known }] : [];
  });
  for (const [at, { readings, reachMicros }] of (await listNearest(db, side, asked, readingsBeyond)).entries()) {
    const known = asked[at]?.known;
    if (known === undefined) continue;
    if (side === 'before') known.readings = [...readings, ...known.readings];
    else known.readings.push(...readings);
    known[side === 'before' ? 'fromMicros' : 'toMicros'] = reachMicros;
  }
}

/** Each interval with the time up to the next one. */
function segmentsOf(intervals: readonly Interval[]): Interval[] {
  // The search for neighbours finds what is around a single interval.
  if (intervals.length < 2) return [];
  return intervals.map(({ fromMicros, toMicros }, at) => {
    const next = intervals[at + 1]?.fromMicros;
    return { fromMicros, toMicros: next === undefined ? toMicros : next - 1 };
  });
}

/** The known interval that contains all of another one. */
export const findKnownInterval = (
  known: readonly KnownInterval[] = [],
  { fromMicros, toMicros }: Interval,
): KnownInterval | undefined => known.find((one) => one.fromMicros <= fromMicros && toMicros <= one.toMicros);

/** The readings of a known interval that lie in another one. */
export const readingsIn = ({ readings }: KnownInterval, { fromMicros, toMicros }: Interval): Reading[] =>
  readings.slice(firstFrom(readings, fromMicros), firstFrom(readings, toMicros + 1));

/** The position of the first reading at or after an instant. */
export function firstFrom(readings: readonly Reading[], micros: number): number {
  let [low, high] = [0, readings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((readings[middle]?.timeMicros ?? Infinity) < micros) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first and last of some readings, of all and of those that have each register. */
export function spansOf(readings: readonly Reading[]): ReadingSpans {
  const span = (has: (reading: Reading) => boolean) =>
    spanOf(readings.find(has)?.timeMicros ?? null, readings.findLast(has)?.timeMicros ?? null);
  return {
    any: span(() => true),
    imported: span((reading) => reading.energyImported !== null),
    exported: span((reading) => reading.energyExported !== null),
  };
}
