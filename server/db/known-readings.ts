import { type ReadingSpans, spanOf } from '../domain/energy.ts';
import { dayMicros } from '../domain/energy-day.ts';
import type { Interval } from '../domain/energy-window.ts';
import type { Reading } from '../domain/readings.ts';
import { energyStatement } from './energy-layout.ts';
import { asked, isBetween, nearEachOther, readingColumns, valuesOf } from './energy-readings.ts';
import type { Queryable } from './pool.ts';
import { listRows } from './rows.ts';

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

// One probe on measurements_device_time_key for each interval.
const LIST_FIRST_READINGS = energyStatement(
  (t) => `SELECT asked.position::integer AS position, ${readingColumns}
         FROM ${asked} CROSS JOIN LATERAL (SELECT * FROM ${t.table('measurements')} m WHERE ${t.own('m')}${isBetween}
                                           ORDER BY m.time LIMIT $6) m ORDER BY m.time`,
);

/**
 * The readings in and between the intervals of each device (disjoint, ascending), where there are few of them. A meter that sends
 * once a month is then read once, not again around each of its readings.
 */
export async function listKnownIntervals(
  db: Queryable,
  devices: readonly { deviceNumber: number; intervals: readonly Interval[] }[],
): Promise<Map<number, KnownInterval[]>> {
  const segments = devices.flatMap(({ deviceNumber, intervals }) =>
    segmentsOf(intervals).map((segment) => ({ deviceNumber, ...segment })),
  );
  const found = segments.map((): Reading[] | null => null);
  let known = 0;
  for (const batch of nearEachOther(segments, batchMicros)) {
    if (known > maxKnownReadings) break;
    const rows = await listRows<Reading & { position: number }>(
      db,
      LIST_FIRST_READINGS,
      ...valuesOf(batch),
      maxReadingsInRow,
    );
    for (const { at } of batch) found[at] = [];
    for (const row of rows) found[batch[row.position - 1]?.at ?? -1]?.push(row);
    known += rows.length;
  }
  const intervalsOf = new Map<number, (KnownInterval & { readings: Reading[] })[]>();
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
  return intervalsOf;
}

/** From a day before the first interval to a day after the last, cut where each begins. */
function segmentsOf(intervals: readonly Interval[]): Interval[] {
  const [first, last] = [intervals[0], intervals.at(-1)];
  // The search for neighbours finds what is around a single interval.
  if (first === undefined || last === undefined || first === last) return [];
  const starts = [first.fromMicros - dayMicros, ...intervals.map(({ fromMicros }) => fromMicros)];
  return starts.map((fromMicros, at) => ({
    fromMicros,
    toMicros: (starts[at + 1] ?? last.toMicros + dayMicros) - 1,
  }));
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
