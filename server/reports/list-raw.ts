import { listReadingsPage, type MeasurementRow } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import type { AskedRange } from '../base/ranges.ts';
import { findPageDays, findSlot, startOfSlot } from './raw-page.rules.ts';
import { overlapOf } from '../base/instants.ts';
import { countByDay, countBySlot, type KeptPart, keptParts } from './count-readings.ts';
import { type EnergyQuestion, readEnergy } from '../energy/read-energy.ts';

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
