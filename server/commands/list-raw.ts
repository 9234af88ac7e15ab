import { listReadingsPage, type MeasurementRow } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { findKeptFrom } from '../db/retention.ts';
import { type AskedRange, rangesOf, segmentsOf } from '../domain/asked-range.ts';
import { findPageDays, findSlot, startOfSlot } from '../domain/raw-page.ts';
import type { MicrosRange } from '../domain/instants.ts';
import { countByDay, countBySlot, withDevices } from './count-readings.ts';
import { type EnergyQuestion, type EnergySnapshot, readEnergy } from './read-energy.ts';

export interface RawPage {
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
  const { range } = question;
  return readEnergy(database, question, async (snapshot) => {
    const keptFrom = await findKeptFrom(snapshot.tx);
    const ranges = rangesOf(
      range,
      snapshot.devices.map((device) => device.timeZone),
    );
    const page: RawPage = { totalCount: 0, rows: [] };
    for (const { devices, fromMicros, toMicros } of segmentsOf(ranges, snapshot.devices)) {
      const kept = { fromMicros: Math.max(fromMicros, keptFrom), toMicros };
      if (kept.fromMicros >= toMicros) break;
      const place = { limit: limit - page.rows.length, offset: Math.max(0, offset - page.totalCount) };
      const part = await listPart(withDevices(snapshot, devices), kept, place);
      page.rows.push(...part.rows);
      page.totalCount += part.totalCount;
    }
    return page;
  });
}

async function listPart(
  snapshot: EnergySnapshot,
  kept: MicrosRange,
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
  const part = {
    fromMicros: Math.max(kept.fromMicros, startOfSlot(first.at)),
    toMicros: Math.min(kept.toMicros, startOfSlot(last.at + 1)),
  };
  const rows = await listReadingsPage(snapshot.tx, numbers, part, { limit: rowCount, offset: offset - last.newer });
  return { totalCount, rows };
}
