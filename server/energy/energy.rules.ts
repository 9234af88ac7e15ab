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

/** First and last reading (of a direction's register), epoch microseconds; null if there is none. */
export type RegisterSpan = { firstMicros: number; lastMicros: number } | null;
export const spanOf = (firstMicros: number | null, lastMicros: number | null): RegisterSpan =>
  firstMicros === null || lastMicros === null ? null : { firstMicros, lastMicros };
export interface RegisterSpans {
  imported: RegisterSpan;
  exported: RegisterSpan;
}
/** The same, that of all readings, and from the start of the first interval to the end of the last. */
export interface ReadingSpans extends RegisterSpans {
  any: RegisterSpan;
  intervals: RegisterSpan;
}
export const noSpans: ReadingSpans = { any: null, imported: null, exported: null, intervals: null };

/** The span of both. */
export function unionOfSpans(a: RegisterSpan, b: RegisterSpan): RegisterSpan {
  if (a === null || b === null) return a ?? b;
  return { firstMicros: Math.min(a.firstMicros, b.firstMicros), lastMicros: Math.max(a.lastMicros, b.lastMicros) };
}

/** From the first to the last that is known of a device, readings and intervals. */
export const wholeSpan = ({ any, intervals }: Pick<ReadingSpans, 'any' | 'intervals'>): RegisterSpan =>
  intervals === null ? any : unionOfSpans(any, intervals);

/** The same of readings alone: where registers alone count, nothing is known outside them. */
export const spanOfReadings = (
  { energySource }: Pick<EnergyRules, 'energySource'>,
  spans: ReadingSpans,
): RegisterSpan => (energySource === 'register' ? unionOfSpans(spans.imported, spans.exported) : spans.any);

/** Whether energy is computed in the same way. */
export const hasSameRules = (a: EnergyRules, b: EnergyRules) =>
  a.energySource === b.energySource &&
  a.ratedPowerKw === b.ratedPowerKw &&
  a.registerMaxKwh === b.registerMaxKwh &&
  a.expectedIntervalSeconds === b.expectedIntervalSeconds;
