import { countReadings } from '../energy/measurements.sql.ts';
import { findKeptFrom } from '../energy/retention.sql.ts';
import { slotMicros } from '../energy/energy.rules.ts';
import { slotsPerDay } from '../energy/energy-day.rules.ts';
import { startOfSlot } from './raw-page.rules.ts';
import { type AskedRange, rangesOf, segmentsOf } from '../base/ranges.ts';
import { isAny, type MicrosRange, overlapOf, dayMicros } from '../base/instants.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';

/** A part of a range in which readings are kept, and the snapshot of those devices that count in it. */
export interface KeptPart {
  part: EnergySnapshot;
  kept: MicrosRange;
}

/** The parts of a range in which readings are kept, newest first. */
export async function keptParts(snapshot: EnergySnapshot, range: AskedRange): Promise<KeptPart[]> {
  const { devices, tx } = snapshot;
  const since = { fromMicros: await findKeptFrom(tx), toMicros: Infinity };
  const timeZones = devices.map((device) => device.timeZone);
  return segmentsOf(rangesOf(range, timeZones), devices)
    .map((segment) => ({ part: withDevices(snapshot, segment.devices), kept: overlapOf(segment, since) }))
    .filter(({ kept }) => isAny(kept));
}

/** The snapshot restricted to some of its devices. */
function withDevices(snapshot: EnergySnapshot, devices: EnergySnapshot['devices']): EnergySnapshot {
  if (devices.length === snapshot.devices.length) return snapshot;
  const deviceNumbers = devices.map((device) => device.number);
  return {
    ...snapshot,
    devices,
    listDays: (filter) => snapshot.listDays({ deviceNumbers, ...filter }),
    countSamples: (filter) => snapshot.countSamples({ deviceNumbers, ...filter }),
  };
}

/** Readings of all devices by day, within the range. */
export async function countByDay(snapshot: EnergySnapshot, range: MicrosRange): Promise<Map<number, number>> {
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
export async function countBySlot(snapshot: EnergySnapshot, range: MicrosRange, day: number): Promise<Float64Array> {
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
