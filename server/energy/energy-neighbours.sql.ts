import {
  type EnergyReading,
  noSpans,
  type ReadingSpans,
  type RegisterSpan,
  slotMicros,
  spanOf,
} from './energy.rules.ts';
import type { RegisterSide, Side, Interval, Neighbours, SideName } from './energy-window.rules.ts';
import type { RegisterReading } from './measure-energy.rules.ts';
import { fromFixedUnits, milliOfKilo, type Reading } from '../base/quantities.ts';
import {
  isWithinAll,
  nearEachOther,
  readingColumns,
  readReading,
  type ReadingsFilter,
  selectReadings,
  valuesOf,
} from './energy-readings.sql.ts';
import type { EnergyLayout } from '../database/rows.ts';
import type { Transaction } from '../database/pool.ts';
import { dayMicros } from '../base/instants.ts';

/** An interval of a device, both ends included, whose readings have all been read. */
export interface KnownInterval extends Interval {
  /** Ascending by time. */
  readings: readonly Reading[];
}

/**
 * The first search reaches this far, because meters send several readings a day. Without a result it is widened step by step.
 */
const firstReachMicros = dayMicros;
const reachFactor = 16;
/** A batch covers this much time. It is long, because intervals with much time between them are few. */
const batchMicros = 248 * dayMicros;

const partNumbers = [
  'before',
  'inside',
  'after',
  'before imported',
  'after imported',
  'before exported',
  'after exported',
];
const probe = (t: EnergyLayout, part: string, condition: string, order: 'ASC' | 'DESC', limit: string) =>
  `(SELECT ${partNumbers.indexOf(part)} AS part, m.* FROM ${t.table('measurements')} m
    WHERE ${t.own('m')}m.device_number = asked.d AND ${condition} AND ${isWithinAll} ORDER BY m.time ${order} LIMIT ${limit})`;
const isBefore = 'm.time < asked.f';
const isAfter = 'm.time > asked.t';
const askedWith = (third: string, fourth: string, first: number) =>
  `unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $${first}::boolean[], $${first + 1}::boolean[]) WITH ORDINALITY
     AS asked (d, f, t, ${third}, ${fourth}, position)`;
// Up to three probes for each interval on measurements_device_time_key, no farther than $4 and $5. The limits are
// separate parameters, because the planner would expect more probes from limits in each interval.
const LIST_AROUND = (t: EnergyLayout) =>
  `SELECT asked.position::integer, m.part, ${readingColumns}
         FROM ${askedWith('before', 'after', 8)} CROSS JOIN LATERAL (${[
           probe(t, 'before', `asked.before AND ${isBefore}`, 'DESC', '$6'),
           probe(t, 'inside', 'm.time >= asked.f AND m.time <= asked.t', 'ASC', '$7'),
           probe(t, 'after', `asked.after AND ${isAfter}`, 'ASC', '$6'),
         ].join(' UNION ALL ')}) m ORDER BY 1, m.time`;
const registers = (t: EnergyLayout, register: 'imported' | 'exported') => {
  const condition = `asked.${register} AND m.energy_${register}_milliwatthours IS NOT NULL`;
  return [
    probe(t, `before ${register}`, `${condition} AND ${isBefore}`, 'DESC', '$6'),
    probe(t, `after ${register}`, `${condition} AND ${isAfter}`, 'ASC', '$6'),
  ];
};
// Up to four probes an interval on the same index; none for a register that a device does not have, because that would scan everything.
const LIST_REGISTERS = (t: EnergyLayout) =>
  `SELECT asked.position::integer, m.part, ${readingColumns}
         FROM ${askedWith('imported', 'exported', 7)}
         CROSS JOIN LATERAL (${[...registers(t, 'imported'), ...registers(t, 'exported')].join(' UNION ALL ')}) m ORDER BY 1, m.time`;

async function listParts(...asked: Parameters<typeof selectReadings>) {
  const rows = await selectReadings(...asked);
  const parts = new Map<number, Reading[]>();
  while (rows.next()) {
    const key = rows.int4() * partNumbers.length + rows.int4();
    parts.getOrInsertComputed(key, () => []).push(readReading(rows));
  }
  return (index: number, part: string): Reading[] =>
    parts.get((index + 1) * partNumbers.length + partNumbers.indexOf(part)) ?? [];
}

/** Asks for the readings in an interval, and for those next to it on one side or both. */
export interface AskedAround extends ReadingsFilter {
  /** The first and last reading of the device. */
  any: RegisterSpan;
  sides: readonly SideName[];
}

/**
 * Reads the first `inside` readings in each interval. If there are no more than these, it also reads the nearest `beyond`
 * readings on the sides, and returns the interval whose readings are now all known. With `inside` 0 only the sides are read.
 * The search on a side is widened until it finds `enough`.
 */
export async function listAround(
  tx: Transaction,
  wanted: readonly AskedAround[],
  {
    beyond,
    enough = beyond,
    inside,
    withinMicros,
  }: { beyond: number; enough?: number; inside: number; withinMicros?: number },
): Promise<KnownInterval[]> {
  const found = wanted.map(({ fromMicros, toMicros }): KnownInterval => ({ fromMicros, toMicros, readings: [] }));
  let open = wanted.map((one, position) => ({ ...one, position }));
  for (let reach = firstReachMicros; open.length > 0; reach *= reachFactor) {
    const farther: typeof open = [];
    for (const batch of nearEachOther(open, withinMicros)) {
      const sides = (['before', 'after'] as const).map((side) => batch.map((one) => one.sides.includes(side)));
      const partOf = await listParts(tx, LIST_AROUND, [...valuesOf(batch, reach), beyond, inside, ...sides]);
      for (const [index, one] of batch.entries()) {
        const [before, own] = [partOf(index, 'before'), partOf(index, 'inside')];
        const isCut = inside > 0 && own.length === inside;
        const after = isCut ? [] : partOf(index, 'after');
        // How far the readings on a side are known; without limit if the last one was found.
        const reachOf = (side: SideName, readings: readonly Reading[], endMicros: number): number => {
          if (!one.sides.includes(side)) return 0;
          const edge = side === 'before' ? one.fromMicros : one.toMicros;
          const farthest = readings.at(side === 'before' ? 0 : -1);
          if (readings.length === beyond && farthest !== undefined) return Math.abs(farthest.timeMicros - edge);
          return one.any !== null && Math.abs(endMicros - edge) > reach ? reach : Infinity;
        };
        const goesOn = (readings: readonly Reading[], known: number) => known === reach && readings.length < enough;
        const reachBefore = reachOf('before', before, Math.min(one.any?.firstMicros ?? Infinity, one.fromMicros));
        const reachAfter = isCut
          ? 0
          : reachOf('after', after, Math.max(one.any?.lastMicros ?? -Infinity, one.toMicros));
        found[one.position] = {
          readings: [...before, ...own, ...after],
          fromMicros: one.fromMicros - reachBefore,
          toMicros: isCut ? (own.at(-1)?.timeMicros ?? one.fromMicros) : one.toMicros + reachAfter,
        };
        if (goesOn(before, reachBefore) || goesOn(after, reachAfter)) farther.push(one);
      }
    }
    open = farther;
  }
  return found;
}

/** If more follow each other, the rest is left to the searches, which find them anyway. */
const maxReadingsInRow = 128;
/** Segments of up to this length are recomputed whole, whatever they contain. */
const shortSegment = 4 * slotMicros;
/** Readings that take some 10 MB. */
const maxKnownReadings = 50_000;
/**
 * The time beyond the first and the last interval that is also read. For a meter that sends every minute it contains the
 * readings that are needed to judge those of a quarter-hour.
 */
const readingsBeyond = 32;
/** If this many readings are near an interval, no search looks for readings farther away. */
const readingsToJudge = 8;

/** A device with intervals, disjoint and ascending. */
interface IntervalsOfDevice {
  deviceNumber: number;
  intervals: readonly Interval[];
  spans: ReadingSpans;
}

/**
 * The readings in and between the intervals of each device, with their neighbours, if there are few. So the readings of a meter
 * that has just sent, or that sends once a month, are read once and not once per interval.
 */
export async function listKnownIntervals(
  tx: Transaction,
  devices: readonly IntervalsOfDevice[],
): Promise<Map<number, KnownInterval[]>> {
  const segments = devices.flatMap(segmentsOf);
  const found = segments.map((): KnownInterval | null => null);
  const isShort = segments.every(({ fromMicros, toMicros }) => toMicros - fromMicros < shortSegment);
  const around = {
    beyond: readingsBeyond,
    enough: readingsToJudge,
    inside: isShort ? Math.max(maxReadingsInRow, Math.floor(maxKnownReadings / segments.length)) : maxReadingsInRow,
    withinMicros: batchMicros,
  };
  let known = 0;
  for (const batch of nearEachOther(segments, batchMicros)) {
    if (known > maxKnownReadings) break;
    const read = await listAround(tx, batch, around);
    for (const [index, { at }] of batch.entries()) {
      found[at] = read[index] ?? null;
      known += read[index]?.readings.length ?? 0;
    }
  }
  const intervalsOf = new Map<number, (KnownInterval & { readings: Reading[] })[]>();
  for (const [at, { deviceNumber }] of segments.entries()) {
    const one = found[at];
    if (one === undefined || one === null) continue;
    const own = intervalsOf.getOrInsertComputed(deviceNumber, () => []);
    const last = own.at(-1);
    if (last !== undefined && last.toMicros + 1 === one.fromMicros) {
      for (const reading of one.readings) last.readings.push(reading);
      last.toMicros = one.toMicros;
    } else own.push({ ...one, readings: [...one.readings] });
  }
  return intervalsOf;
}

/**
 * Each interval extended by the time up to the next one, and by the whole quarter-hours at both ends, because these are
 * recomputed. Empty for a single long interval, which has many readings.
 */
function segmentsOf({ deviceNumber, intervals, spans: { any } }: IntervalsOfDevice): AskedAround[] {
  const [first] = intervals;
  if (intervals.length === 1 && first !== undefined && first.toMicros - first.fromMicros > slotMicros) return [];
  return intervals.map(({ fromMicros, toMicros }, at) => {
    const next = intervals[at + 1]?.fromMicros;
    const isFirst = at === 0;
    const sides: SideName[] = [
      ...(isFirst ? (['before'] as const) : []),
      ...(next === undefined ? (['after'] as const) : []),
    ];
    return {
      deviceNumber,
      fromMicros: isFirst ? slotOf(fromMicros) * slotMicros : fromMicros,
      toMicros: next === undefined ? (slotOf(toMicros) + 1) * slotMicros - 1 : next - 1,
      any,
      sides,
    };
  });
}

const slotOf = (micros: number) => Math.floor(micros / slotMicros);

/** The known interval that contains another one completely. */
export const findKnownInterval = (
  known: readonly KnownInterval[] = [],
  { fromMicros, toMicros }: Interval,
): KnownInterval | undefined => known.find((one) => one.fromMicros <= fromMicros && toMicros <= one.toMicros);

/** The readings of a known interval that lie in another one. */
export const readingsIn = ({ readings }: KnownInterval, { fromMicros, toMicros }: Interval): Reading[] =>
  readings.slice(firstFrom(readings, fromMicros), firstFrom(readings, toMicros + 1));

/** The neighbours of each interval: from its known readings, or by one search for all intervals without them. */
export async function fromKnown<Asked extends ReadingsFilter & { known: readonly KnownInterval[] | undefined }, Found>(
  asked: readonly Asked[],
  of: (readings: Reading[], interval: Asked) => Found,
  search: (unknown: readonly Asked[]) => Promise<Found[]>,
): Promise<Found[]> {
  const known = asked.map((interval) => findKnownInterval(interval.known, interval));
  const searched = (await search(asked.filter((_, at) => known[at] === undefined))).values();
  return asked.map((interval, at) => {
    const own = known[at];
    if (own !== undefined) return of(readingsIn(own, interval), interval);
    const next = searched.next();
    if (next.done === true) throw new Error('fewer intervals were found than asked for');
    return next.value;
  });
}

/** The position of the first reading at or after an instant. */
function firstFrom(readings: readonly Reading[], micros: number): number {
  let [low, high] = [0, readings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((readings[middle]?.timeMicros ?? Infinity) < micros) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first and the last of some readings, and the first and last of those that have each register. */
export function spansOf(readings: readonly Reading[]): ReadingSpans {
  const span = (has: (reading: Reading) => boolean) =>
    spanOf(readings.find(has)?.timeMicros ?? null, readings.findLast(has)?.timeMicros ?? null);
  return {
    ...noSpans,
    any: span(() => true),
    imported: span((reading) => reading.energyImported !== null),
    exported: span((reading) => reading.energyExported !== null),
  };
}

type Searched = ReadingsFilter & { spans: ReadingSpans; known?: readonly KnownInterval[] | undefined };

/**
 * For each interval, the nearest reading on both sides and the nearest `count` readings of each register. `spans` are the spans
 * of all readings of the device, so nothing is searched outside them. Readings in `known` are not searched again.
 */
export async function listNeighbours(
  tx: Transaction,
  intervals: readonly Searched[],
  count: number,
): Promise<Neighbours[]> {
  const found = intervals.map((): Neighbours => ({ before: emptySide, after: emptySide }));
  const isFound = (known: KnownInterval | undefined, interval: Searched, position: number): boolean => {
    if (known === undefined) return false;
    const near = neighboursIn(known, interval, count);
    found[position] = near;
    const reach = { before: interval.fromMicros - known.fromMicros, after: known.toMicros - interval.toMicros };
    return isAllThatCounts(near, interval, count, reach);
  };
  const unknown = intervals
    .map((interval, position) => ({ ...interval, any: interval.spans.any, sides: bothSides, position }))
    .filter((one) => !isFound(findKnownInterval(one.known, one), one, one.position));
  const around = await listAround(tx, unknown, { beyond: count, inside: 0 });
  let open = unknown.filter((one, at) => !isFound(around[at], one, one.position));
  // Only meters whose readings do not all have registers are left here.
  for (let reach = firstReachMicros; open.length > 0; reach *= reachFactor) {
    const farther: typeof open = [];
    for (const batch of nearEachOther(open)) {
      const has = (['imported', 'exported'] as const).map((name) => batch.map(({ spans }) => spans[name] !== null));
      const partOf = await listParts(tx, LIST_REGISTERS, [...valuesOf(batch, reach), count, ...has]);
      for (const [index, one] of batch.entries()) {
        const side = (name: SideName): Side => ({
          sample: found[one.position]?.[name].sample ?? null,
          imported: registerOf(name, 'imported', partOf(index, `${name} imported`), one.spans, count),
          exported: registerOf(name, 'exported', partOf(index, `${name} exported`), one.spans, count),
        });
        const near = { before: side('before'), after: side('after') };
        found[one.position] = near;
        if (!isAllThatCounts(near, one, count, { before: reach, after: reach })) farther.push(one);
      }
    }
    open = farther;
  }
  return found;
}

const bothSides: readonly SideName[] = ['before', 'after'];

/** The neighbours of an interval among known readings on both sides of it. */
function neighboursIn(
  { readings }: KnownInterval,
  { fromMicros, toMicros, spans }: Searched,
  count: number,
): Neighbours {
  const side = (name: SideName, start: number): Side => ({
    sample: sampleOf(readings[start]),
    imported: registerOf(name, 'imported', readings, spans, count, start),
    exported: registerOf(name, 'exported', readings, spans, count, start),
  });
  return {
    before: side('before', firstFrom(readings, fromMicros) - 1),
    after: side('after', firstFrom(readings, toMicros + 1)),
  };
}

/** The nearest `count` readings of a register on one side, from readings that ascend by time. */
function registerOf(
  side: SideName,
  name: 'imported' | 'exported',
  readings: readonly Reading[],
  spans: ReadingSpans,
  count: number,
  start = side === 'before' ? readings.length - 1 : 0,
): RegisterSide {
  if (spans[name] === null) return emptyRegister;
  const found: RegisterReading[] = [];
  for (let at = start; found.length < count; at += side === 'before' ? -1 : 1) {
    const reading = readings[at];
    if (reading === undefined) break;
    const kwh = name === 'imported' ? reading.energyImported : reading.energyExported;
    if (kwh !== null) found.push({ timeMicros: reading.timeMicros, kwh: fromFixedUnits(kwh, milliOfKilo) });
  }
  return { readings: side === 'before' ? found.toReversed() : found, isComplete: found.length < count };
}

const emptyRegister: RegisterSide = { readings: [], isComplete: true };
const emptySide: Side = { sample: null, imported: emptyRegister, exported: emptyRegister };

/** Whether a search up to `reach` has found all the readings it needs, or all that exist. */
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

function sampleOf(row: Reading | undefined): EnergyReading | null {
  if (row === undefined) return null;
  return {
    timeMicros: row.timeMicros,
    activePowerKw: fromFixedUnits(row.activePower, milliOfKilo),
    importedKwh: null,
    exportedKwh: null,
  };
}
