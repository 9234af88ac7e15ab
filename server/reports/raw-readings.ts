import { countReadings, listReadingsPage, type MeasurementRow } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { type AskedRange, rangesOf, segmentsOf } from '../base/ranges.ts';
import { dayMicros, isAny, type MicrosRange, overlapOf } from '../base/instants.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { type EnergyQuestion, readEnergy } from '../energy/read-energy.ts';
import { slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';

interface RawPage {
  /** The exact number of matching readings. */
  totalCount: number;
  /** Newest first, then by device number. */
  rows: MeasurementRow[];
}

/**
 * One page of readings. The total and the start of the page are computed from the counts of the slots, so every page costs the
 * same: only the readings of its own quarter-hours are read.
 */
export async function listRawMeasurements(
  database: Database,
  question: Omit<EnergyQuestion, 'range'> & { range: AskedRange },
  limit: number,
  offset: number,
): Promise<RawPage> {
  return readEnergy(database, question, async (snapshot) => {
    const page: RawPage = { totalCount: 0, rows: [] };
    for (const part of await keptParts(snapshot, question.range)) {
      const place = { limit: limit - page.rows.length, offset: Math.max(0, offset - page.totalCount) };
      const { rows, totalCount } = await listPart(part, place);
      page.rows.push(...rows);
      page.totalCount += totalCount;
    }
    return page;
  });
}

async function listPart(
  { part: snapshot, kept }: KeptPart,
  { limit, offset }: { limit: number; offset: number },
): Promise<RawPage> {
  const numbers = snapshot.devices.map((device) => device.number);
  const { totalCount, rowCount, newest, oldest } = findPageDays(await countByDay(snapshot, kept), limit, offset);
  if (newest === null || oldest === null) return { totalCount, rows: [] };
  const slots = await countBySlot(snapshot, kept, newest.at);
  const last = findSlot(newest, slots, offset);
  const first = findSlot(
    oldest,
    oldest.at === newest.at ? slots : await countBySlot(snapshot, kept, oldest.at),
    offset + rowCount - 1,
  );
  if (first === null || last === null) throw new Error('the slots of a day do not add up to its readings');
  const part = overlapOf(kept, { fromMicros: startOfSlot(first.at), toMicros: startOfSlot(last.at + 1) });
  const rows = await listReadingsPage(snapshot.tx, numbers, part, { limit: rowCount, offset: offset - last.newer });
  return { totalCount, rows };
}

/** A part of a range in which readings are kept, and the snapshot of those devices that count in it. */
interface KeptPart {
  part: EnergyReader;
  kept: MicrosRange;
}

/** The parts of a range in which readings are kept, newest first. */
export async function keptParts(snapshot: EnergyReader, range: AskedRange): Promise<KeptPart[]> {
  const { devices } = snapshot;
  const since = { fromMicros: await snapshot.findKeptFrom(), toMicros: Infinity };
  const timeZones = devices.map((device) => device.timeZone);
  return segmentsOf(rangesOf(range, timeZones), devices)
    .map((segment) => ({ part: snapshot.only(segment.devices), kept: overlapOf(segment, since) }))
    .filter(({ kept }) => isAny(kept));
}

/** Readings of all devices by day, within the range. */
export async function countByDay(snapshot: EnergyReader, range: MicrosRange): Promise<Map<number, number>> {
  const days = snapshot.clipDays(range);
  if (days.fromDay >= days.toDay) return new Map();
  const counts = await snapshot.countSamples(days);
  for (const day of new Set([days.fromDay, days.toDay - 1])) {
    const isWhole = day * dayMicros >= range.fromMicros && (day + 1) * dayMicros <= range.toMicros;
    if (!isWhole) counts.set(day, sum(await countBySlot(snapshot, range, day)));
  }
  return counts;
}

const sum = (counts: Float64Array) => counts.reduce((all, count) => all + count, 0);

/** Readings of all devices by quarter-hour of a day, within the range. */
export async function countBySlot(snapshot: EnergyReader, range: MicrosRange, day: number): Promise<Float64Array> {
  const counts = new Float64Array(slotsPerDay);
  const statistics = emptyStatistics(slotsPerDay);
  const stored = await snapshot.listDays({ fromDay: day, toDay: day + 1, statistics: { depth: 'power', days: 'all' } });
  for (const one of stored) {
    one.readStatistics(statistics);
    for (const [slot, count] of statistics.samples.entries()) counts[slot] = (counts[slot] ?? 0) + count;
  }
  const numbers = snapshot.devices.map((device) => device.number);
  for (const slot of counts.keys()) {
    const start = startOfSlot(day * slotsPerDay + slot);
    const part = overlapOf(range, { fromMicros: start, toMicros: start + slotMicros });
    if (part.toMicros - part.fromMicros === slotMicros) continue;
    // The range cuts this quarter-hour, so its readings are counted.
    counts[slot] = isAny(part) ? await countReadings(snapshot.tx, numbers, part) : 0;
  }
  return counts;
}

/** The day or slot that contains a certain reading, counted from the newest, and how many readings are newer than it. */
interface Place {
  at: number;
  newer: number;
}

interface PageDays {
  totalCount: number;
  /** How many readings the page has. */
  rowCount: number;
  /** The days (since 1970-01-01) of its first and last reading; null if it has none. */
  newest: Place | null;
  oldest: Place | null;
}

/** Finds the days of a page of readings, newest first, from the counts by day. */
function findPageDays(counts: ReadonlyMap<number, number>, limit: number, offset: number): PageDays {
  const days = [...counts].toSorted(([a], [b]) => b - a);
  const totalCount = days.reduce((sum, [, count]) => sum + count, 0);
  const rowCount = Math.max(0, Math.min(limit, totalCount - offset));
  if (rowCount === 0) return { totalCount, rowCount, newest: null, oldest: null };
  return {
    totalCount,
    rowCount,
    newest: findRow(days, 0, offset),
    oldest: findRow(days, 0, offset + rowCount - 1),
  };
}

/** Finds the slot (since 1970-01-01) of the reading at a position of a day, from the counts by slot. */
function findSlot(day: Place, counts: Iterable<number>, position: number): Place | null {
  const slots = [...counts].map((count, slot): [number, number] => [day.at * slotsPerDay + slot, count]);
  return findRow(slots.toReversed(), day.newer, position);
}

/** An interval of time and how many readings it has. */
export interface CountedSpan extends MicrosRange {
  count: number;
}

/** Splits a span into equal parts, newest first, so that each has at most this many readings if they are evenly spread. */
export function cutSpan({ fromMicros, toMicros, count }: CountedSpan, maxCount: number): MicrosRange[] {
  const parts = Math.min(Math.ceil(count / maxCount), toMicros - fromMicros);
  const edge = (part: number) => toMicros - Math.round(((toMicros - fromMicros) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ fromMicros: edge(part + 1), toMicros: edge(part) }));
}

/** Where the slot begins, epoch microseconds. */
export const startOfSlot = (slot: number): number => slot * slotMicros;

function findRow(parts: readonly (readonly [number, number])[], newerThanAll: number, position: number): Place | null {
  let newer = newerThanAll;
  for (const [at, count] of parts) {
    if (newer + count > position) return { at, newer };
    newer += count;
  }
  return null;
}
