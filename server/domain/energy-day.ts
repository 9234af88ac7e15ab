import { type EnergyBuckets, slotMicros } from './energy.ts';
import { type Statistics, statisticsColumns } from './statistics.ts';

export const slotsPerDay = 96;
export const dayMicros = slotsPerDay * slotMicros;

/** The quarter-hours of one device and UTC day: their energy, and what its readings were. */
export interface EnergyDay extends EnergyBuckets {
  deviceNumber: number;
  /** Days since 1970-01-01. */
  day: number;
  statistics: Statistics;
}

export const energyColumns = [
  'importedKwh',
  'exportedKwh',
  'interpolatedImportedKwh',
  'interpolatedExportedKwh',
] as const satisfies readonly (keyof EnergyBuckets)[];

/** What the readings of an interval of time add up to, in fixed units: the part of the statistics that totals need. */
export interface PowerSums {
  samples: number;
  powerSum: number;
  factorActiveSum: number;
  factorReactiveSum: number;
}

/** One UTC day of one device as it is stored: the sums of the day at once, the rest when it is asked for. */
export interface StoredDay extends PowerSums {
  deviceNumber: number;
  /** Days since 1970-01-01. */
  day: number;
  /** Writes the energy of its 96 slots into buckets, from `at` on, that are still 0. */
  fillEnergy(target: EnergyBuckets, at: number): void;
  /** Whether any of its energy was spread over a gap. */
  hasInterpolated: boolean;
  /** Writes the statistics of its slots, as far as they were read, over those of `target`. */
  readStatistics(target: Statistics): void;
}

/** The slots of an interval of time of one device, computed anew. */
export interface EnergyPatch extends EnergyBuckets {
  deviceNumber: number;
  /** A whole number of slots. */
  startMicros: number;
  statistics: Statistics;
}

export const dayOf = (micros: number): number => Math.floor(micros / dayMicros);

/** The UTC days that a patch touches. */
export function daysOfPatch({ startMicros, importedKwh }: EnergyPatch): number[] {
  const first = dayOf(startMicros);
  const last = dayOf(startMicros + (importedKwh.length - 1) * slotMicros);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Puts the slots of a patch that lie in the day in the place of those that were there. */
export function applyPatch(day: EnergyDay, patch: EnergyPatch): void {
  const offset = (patch.startMicros - day.day * dayMicros) / slotMicros;
  const from = Math.max(0, offset);
  const to = Math.min(slotsPerDay, offset + patch.importedKwh.length);
  if (from >= to) return;
  for (const name of energyColumns) day[name].set(patch[name].subarray(from - offset, to - offset), from);
  for (const name of statisticsColumns) {
    day.statistics[name].set(patch.statistics[name].subarray(from - offset, to - offset), from);
  }
}
