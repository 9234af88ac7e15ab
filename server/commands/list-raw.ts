import { countReadings, listReadingsPage, type MeasurementRow } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { findKeptFrom } from '../db/retention.ts';
import { slotMicros } from '../domain/energy.ts';
import { dayMicros, slotsPerDay } from '../domain/energy-day.ts';
import { findPageDays, findSlot, startOfSlot } from '../domain/raw-page.ts';
import type { MicrosRange } from '../domain/simulation.ts';
import { emptyStatistics } from '../domain/statistics.ts';
import { type EnergySnapshot, readEnergy } from './read-energy.ts';

export interface RawPage {
  /** Of all readings that match, exact. */
  totalCount: number;
  /** Newest first; of one time in the order in which the devices were made. */
  rows: MeasurementRow[];
}

/**
 * One page of readings. How many there are, and where a page begins, is counted in the slots, so that no page costs more for
 * what lies before or after it: no more than the readings of its own quarter-hours are looked at.
 */
export async function listRawMeasurements(
  database: Database,
  { deviceIds, range }: { deviceIds: readonly string[] | null; range: MicrosRange },
  limit: number,
  offset: number,
): Promise<RawPage> {
  return readEnergy(database, { deviceIds, range }, async (snapshot) => {
    const fromMicros = Math.max(range.fromMicros, await findKeptFrom(snapshot.tx));
    if (fromMicros >= range.toMicros) return { totalCount: 0, rows: [] };
    const kept = { fromMicros, toMicros: range.toMicros };
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
    const part = {
      fromMicros: Math.max(kept.fromMicros, startOfSlot(first.at)),
      toMicros: Math.min(kept.toMicros, startOfSlot(last.at + 1)),
    };
    const rows = await listReadingsPage(snapshot.tx, numbers, part, { limit: rowCount, offset: offset - last.newer });
    return { totalCount, rows };
  });
}

/** Readings of all devices by day, within the range. */
async function countByDay(snapshot: EnergySnapshot, range: MicrosRange): Promise<Map<number, number>> {
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
async function countBySlot(snapshot: EnergySnapshot, range: MicrosRange, day: number): Promise<Float64Array> {
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
    const part = {
      fromMicros: Math.max(range.fromMicros, start),
      toMicros: Math.min(range.toMicros, start + slotMicros),
    };
    if (part.toMicros - part.fromMicros === slotMicros) continue;
    // What the range cuts is counted itself.
    counts[slot] = part.fromMicros < part.toMicros ? await countReadings(snapshot.tx, numbers, part) : 0;
  }
  return counts;
}
