import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { allOf } from '../../server/energy/dirty-ranges.sql.ts';
import type { EnergyReader } from '../../server/energy/energy-reader.ts';
import { readEnergy } from '../../server/energy/read-energy.ts';
import type { Database } from '../../server/database/pool.ts';
import {
  type EnergyReading,
  type EnergyRules,
  emptyEnergy,
  type Grid,
  slotMicros,
  dayOf,
  type energyColumns,
  slotsPerDay,
  type IntervalEnergy,
} from '../../server/energy/energy.rules.ts';
import { emptyStatistics } from '../../server/energy/statistics.rules.ts';
import { measureEnergy } from '../../server/energy/measure-energy.rules.ts';
import { registerSpans } from './register-spans.ts';
import { dayMicros } from '../../server/base/instants.ts';

/** Materializes all current dirty ranges of the given devices. */
export async function materializeAll(database: Database, deviceNumbers: readonly number[]): Promise<void> {
  while ((await materializeSome(database, { within: allOf(deviceNumbers), skip: false })) > 0);
}

/** The slots of whole UTC days with their flags, in a form that compares two sources to the bit. */
export interface ComparableSlots {
  energy: Record<(typeof energyColumns)[number], Float64Array>;
  samples: Float64Array;
  flags: string[];
}

export interface Days {
  firstDay: number;
  count: number;
}

export function daysAround(readings: readonly { timeMicros: number }[]): Days {
  const times = readings.map((reading) => reading.timeMicros);
  const firstDay = dayOf(Math.min(...times));
  return { firstDay, count: dayOf(Math.max(...times)) - firstDay + 1 };
}

/** The slots of a device by the pure functions, from all its readings in any order; the first of a time wins. */
export function expectedSlots(
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  { firstDay, count }: Days,
  intervals: readonly IntervalEnergy[] = [],
) {
  const first = new Map<number, EnergyReading>();
  for (const reading of readings) if (!first.has(reading.timeMicros)) first.set(reading.timeMicros, reading);
  const ordered = [...first.values()].toSorted((a, b) => a.timeMicros - b.timeMicros);
  const grid: Grid = { startMicros: firstDay * dayMicros, widthMicros: slotMicros, count: count * slotsPerDay };
  const measured = measureEnergy(ordered, rules, registerSpans(ordered), grid, intervals);
  const samples = new Float64Array(grid.count);
  for (const { timeMicros } of ordered) {
    const slot = Math.floor((timeMicros - grid.startMicros) / slotMicros);
    samples[slot] = (samples[slot] ?? 0) + 1;
  }
  const flags = measured.flags.map(({ timeMicros, kind, direction, untilMicros }) =>
    [timeMicros, kind, direction ?? 'both', untilMicros].join(' '),
  );
  for (const { fromMicros, untilMicros, direction } of measured.gaps) {
    flags.push([fromMicros, 'interpolated', direction, untilMicros].join(' '));
  }
  const { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh } = measured;
  const energy = { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh };
  return { energy, samples, flags: flags.toSorted() } satisfies ComparableSlots;
}

/** What a read of the portal sees of a device at this moment. */
export async function readSlots(database: Database, deviceId: string, days: Days): Promise<ComparableSlots> {
  const range = { fromMicros: days.firstDay * dayMicros, toMicros: (days.firstDay + days.count) * dayMicros };
  return readEnergy(database, { scope: { devices: [deviceId] }, range }, (snapshot) =>
    slotsOf(snapshot, snapshot.devices[0]?.number ?? 0, days),
  );
}

/** The same for one of the devices of a snapshot that was opened for these days. */
export async function slotsOf(
  snapshot: EnergyReader,
  deviceNumber: number,
  { firstDay, count }: Days,
): Promise<ComparableSlots> {
  const range = { fromMicros: firstDay * dayMicros, toMicros: (firstDay + count) * dayMicros };
  const energy = emptyEnergy(count * slotsPerDay);
  const samples = new Float64Array(count * slotsPerDay);
  const statistics = emptyStatistics(slotsPerDay);
  for (const day of await snapshot.listDays({ fromDay: firstDay, toDay: firstDay + count, ...everything })) {
    if (day.deviceNumber !== deviceNumber) continue;
    day.fillEnergy(energy, (day.day - firstDay) * slotsPerDay);
    day.readStatistics(statistics);
    samples.set(statistics.samples, (day.day - firstDay) * slotsPerDay);
  }
  const flags = (await snapshot.listFlags(range))
    .filter((flag) => flag.deviceNumber === deviceNumber)
    .map(({ timeMicros, kind, direction, untilMicros }) => [timeMicros, kind, direction, untilMicros].join(' '));
  return { energy, samples, flags: flags.toSorted() };
}

const everything = { statistics: { depth: 'all', days: 'all' } } as const;

/** A digest of every byte of the quarter-hour rollup. */
export async function digestSlots(database: Database): Promise<string> {
  const { rows } = await database.query<{ digest: string }>({
    text: `SELECT md5(concat(
             (SELECT string_agg(d::text, '|' ORDER BY device_number, day) FROM monitoring.energy_days d),
             (SELECT string_agg(g::text, '|' ORDER BY device_number, from_day) FROM monitoring.energy_gaps g),
             (SELECT string_agg(f::text, '|' ORDER BY device_number, time, kind, direction) FROM monitoring.energy_flags f),
             (SELECT string_agg(s::text, '|' ORDER BY device_number) FROM monitoring.energy_state s))) AS digest`,
  });
  return rows[0]?.digest ?? '';
}
