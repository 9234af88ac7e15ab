import { type MicrosRange, overlapOf, dayMicros, weekdayOf } from '../base/instants.ts';
import { type Statistics, statisticsColumns } from './statistics.rules.ts';

export const slotsPerDay = 96;

/** The quarter-hours of one device and UTC day: energy and statistics of the readings. */
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

/** Sums of the readings of an interval, in fixed units: the part of the statistics that totals need. */
export interface PowerSums {
  samples: number;
  powerSum: number;
  factorActiveSum: number;
  factorReactiveSum: number;
}

/** One stored UTC day of one device: the sums of the day, and the rest decoded on demand. */
export interface StoredDay extends PowerSums {
  deviceNumber: number;
  /** Days since 1970-01-01. */
  day: number;
  /** Writes the energy of its 96 slots into buckets, from `at` on, that are still 0. */
  fillEnergy(target: EnergyBuckets, at: number): void;
  /** Whether any of its energy is interpolated. */
  hasInterpolated: boolean;
  /** Copies the statistics of its slots, as far as they were read, to `target`. */
  readStatistics(target: Statistics): void;
}

/** Recomputed slots of an interval of one device. */
export interface EnergyPatch extends EnergyBuckets {
  deviceNumber: number;
  /** A whole number of slots. */
  startMicros: number;
  statistics: Statistics;
}

export const dayOf = (micros: number): number => Math.floor(micros / dayMicros);

export const daysPerWeek = 7;
/** The first day of a week in UTC, which is a Monday; days since 1970-01-01. */
export const weekOf = (day: number): number => day - weekdayOf(day);

/** A range in pieces of the given number of days, cut at midnight UTC. */
export function* piecesOfDays({ fromMicros, toMicros }: MicrosRange, days: number): Generator<MicrosRange> {
  for (let start = fromMicros; start < toMicros;) {
    const end = Math.min(toMicros, (dayOf(start) + days) * dayMicros);
    yield { fromMicros: start, toMicros: end };
    start = end;
  }
}

/** The time that a patch covers, epoch microseconds. */
export const intervalOfPatch = ({ deviceNumber, startMicros, importedKwh }: EnergyPatch) => ({
  deviceNumber,
  fromMicros: startMicros,
  toMicros: startMicros + importedKwh.length * slotMicros,
});

/** The UTC days that a patch touches. */
export function daysOfPatch({ startMicros, importedKwh }: EnergyPatch): number[] {
  const first = dayOf(startMicros);
  const last = dayOf(startMicros + (importedKwh.length - 1) * slotMicros);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Replaces the slots of the day with those of the patch. */
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

/** The part of a quarter-hour that is inside a range that cuts it. */
export interface CutSlot extends MicrosRange {
  slotStartMicros: number;
}

/** The quarter-hours that a range cuts: two at most. */
export function cutSlots({ fromMicros, toMicros }: MicrosRange): CutSlot[] {
  const starts = [fromMicros, toMicros]
    .filter((micros) => micros % slotMicros !== 0)
    .map((micros) => Math.floor(micros / slotMicros) * slotMicros);
  return [...new Set(starts)].map((slotStartMicros) => {
    const slot = { fromMicros: slotStartMicros, toMicros: slotStartMicros + slotMicros };
    return { slotStartMicros, ...overlapOf({ fromMicros, toMicros }, slot) };
  });
}

/** The UTC days that a range covers only in part. */
export function partialDays({ fromMicros, toMicros }: MicrosRange): number[] {
  return [...new Set([fromMicros, toMicros].filter((micros) => micros % dayMicros !== 0).map(dayOf))];
}

/** Empties the slots that lie outside the range; those that it cuts stay. */
export function clearOutside(day: EnergyDay, { fromMicros, toMicros }: MicrosRange): void {
  const start = day.day * dayMicros;
  const first = Math.max(0, Math.floor((fromMicros - start) / slotMicros));
  const end = Math.min(slotsPerDay, Math.ceil((toMicros - start) / slotMicros));
  for (const values of [...energyColumns.map((name) => day[name]), ...Object.values(day.statistics)]) {
    values.fill(0, 0, first).fill(0, Math.max(first, end));
  }
}

/** Reduces a slot to the share of its time inside the cut, all of it as an estimate, without statistics of readings. */
export function estimateCut(day: EnergyDay, { slotStartMicros, fromMicros, toMicros }: CutSlot): void {
  const slot = (slotStartMicros - day.day * dayMicros) / slotMicros;
  const share = (toMicros - fromMicros) / slotMicros;
  for (const [whole, estimated] of [
    [day.importedKwh, day.interpolatedImportedKwh],
    [day.exportedKwh, day.interpolatedExportedKwh],
  ] as const) {
    whole[slot] = (whole[slot] ?? 0) * share;
    estimated[slot] = whole[slot];
  }
  for (const values of Object.values(day.statistics)) values[slot] = 0;
}

/** The source of a device's energy (energy-and-cost.md 1): `auto` means its register if it has one, else power. */
export type EnergySource = 'auto' | 'register' | 'power';

/** The energy settings of a device; null if not set. */
export interface EnergyRules {
  energySource: EnergySource;
  ratedPowerKw: number | null;
  registerMaxKwh: number | null;
  expectedIntervalSeconds: number | null;
}

/** The input of energy: one reading of one device at epoch microseconds; absent registers are null. */
export interface EnergyReading {
  timeMicros: number;
  /** Positive is import, negative is export. */
  activePowerKw: number;
  importedKwh: number | null;
  exportedKwh: number | null;
}

/** A finding: `gap` at the reading before a gap of measured power, all others at the register's reading. */
export type EnergyFlag = 'gap' | 'glitch' | 'stepBack' | 'rollover' | 'reset' | 'implausible';

export const microsPerHour = 3_600_000_000;
/** Energy is kept in quarter-hours of UTC (energy-and-cost.md 3). */
export const slotMicros = 900_000_000;

/** Over a longer time than this, an increase is interpolated and power is unknown: max(30 min, 3 x the expected interval). */
export function gapLimitMicros({ expectedIntervalSeconds }: EnergyRules): number {
  return Math.max(1800, 3 * (expectedIntervalSeconds ?? 600)) * 1_000_000;
}

/** Consecutive buckets of one width from `startMicros` on. */
export interface Grid {
  startMicros: number;
  widthMicros: number;
  count: number;
}

export const endOfGrid = ({ startMicros, widthMicros, count }: Grid): number => startMicros + widthMicros * count;

/** Energy by bucket of a grid, kWh. */
export interface EnergyBuckets {
  importedKwh: Float64Array;
  exportedKwh: Float64Array;
  /** The parts that were spread over gaps. */
  interpolatedImportedKwh: Float64Array;
  interpolatedExportedKwh: Float64Array;
}

export const emptyEnergy = (count: number): EnergyBuckets => ({
  importedKwh: new Float64Array(count),
  exportedKwh: new Float64Array(count),
  interpolatedImportedKwh: new Float64Array(count),
  interpolatedExportedKwh: new Float64Array(count),
});

/** The first and the last reading that has the register of a direction, in epoch microseconds. Null if there is none. */
export type RegisterSpan = { firstMicros: number; lastMicros: number } | null;
export const spanOf = (firstMicros: number | null, lastMicros: number | null): RegisterSpan =>
  firstMicros === null || lastMicros === null ? null : { firstMicros, lastMicros };
export interface RegisterSpans {
  imported: RegisterSpan;
  exported: RegisterSpan;
}
/** The spans of each register, of all readings, and of intervals (from the start of the first to the end of the last). */
export interface ReadingSpans extends RegisterSpans {
  any: RegisterSpan;
  intervals: RegisterSpan;
}
export const noSpans: ReadingSpans = { any: null, imported: null, exported: null, intervals: null };

/** The span that covers two spans. */
export function unionOfSpans(a: RegisterSpan, b: RegisterSpan): RegisterSpan {
  if (a === null || b === null) return a ?? b;
  return { firstMicros: Math.min(a.firstMicros, b.firstMicros), lastMicros: Math.max(a.lastMicros, b.lastMicros) };
}

/** The span of all data of a device: readings and intervals. */
export const wholeSpan = ({ any, intervals }: Pick<ReadingSpans, 'any' | 'intervals'>): RegisterSpan =>
  intervals === null ? any : unionOfSpans(any, intervals);

/** The span of readings alone. If only registers count, nothing is known outside the spans of the registers. */
export const spanOfReadings = (
  { energySource }: Pick<EnergyRules, 'energySource'>,
  spans: ReadingSpans,
): RegisterSpan => (energySource === 'register' ? unionOfSpans(spans.imported, spans.exported) : spans.any);

/** The energy of a device over an interval, kWh. The intervals of a device never overlap. */
export interface IntervalEnergy extends MicrosRange {
  importedKwh: number;
  exportedKwh: number;
}

/**
 * Whether nobody knows when within the interval its energy was used: the interval is longer than a quarter-hour, so its energy
 * never counts as a peak.
 */
export const isSpread = ({ fromMicros, toMicros }: MicrosRange): boolean => toMicros - fromMicros > slotMicros;

/** The parts of a range outside other ranges, which ascend. */
export function partsOutside({ fromMicros, toMicros }: MicrosRange, taken: readonly MicrosRange[]): MicrosRange[] {
  const parts: MicrosRange[] = [];
  let start = fromMicros;
  for (const one of taken) {
    if (one.fromMicros >= toMicros) break;
    const end = Math.min(toMicros, one.fromMicros);
    if (start < end) parts.push({ fromMicros: start, toMicros: end });
    start = Math.max(start, one.toMicros);
  }
  if (start < toMicros) parts.push({ fromMicros: start, toMicros });
  return parts;
}

/** A span as a list of ranges. */
export const rangesOfSpan = (span: RegisterSpan): MicrosRange[] =>
  span === null ? [] : [{ fromMicros: span.firstMicros, toMicros: span.lastMicros }];

/**
 * The gaps that intervals leave: between two of them, unless readings lie there, and between intervals and readings. The flags of
 * the readings cover what lies between two readings. `holes` are the gaps between two intervals.
 */
export function gapsOfIntervals(
  holes: readonly MicrosRange[],
  { intervals, readings }: { intervals: RegisterSpan; readings: RegisterSpan },
): MicrosRange[] {
  const gaps = holes.flatMap((hole) => partsOutside(hole, rangesOfSpan(readings)));
  if (intervals === null || readings === null) return gaps;
  if (intervals.lastMicros < readings.firstMicros)
    gaps.push({ fromMicros: intervals.lastMicros, toMicros: readings.firstMicros });
  if (readings.lastMicros < intervals.firstMicros)
    gaps.push({ fromMicros: readings.lastMicros, toMicros: intervals.firstMicros });
  return gaps;
}

/** Whether energy is computed in the same way. */
export const hasSameRules = (a: EnergyRules, b: EnergyRules) =>
  a.energySource === b.energySource &&
  a.ratedPowerKw === b.ratedPowerKw &&
  a.registerMaxKwh === b.registerMaxKwh &&
  a.expectedIntervalSeconds === b.expectedIntervalSeconds;
