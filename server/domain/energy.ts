/** Where the energy of a device comes from (energy-and-cost.md 1): `auto` is the register where it has one, else power. */
export type EnergySource = 'auto' | 'register' | 'power';

/** What a device's settings say of its energy; null where not set. */
export interface EnergyRules {
  energySource: EnergySource;
  ratedPowerKw: number | null;
  registerMaxKwh: number | null;
  expectedIntervalSeconds: number | null;
}

/** What energy is computed from: one reading of one device at epoch microseconds; registers are null where none came. */
export interface EnergyReading {
  timeMicros: number;
  /** Positive is import, negative is export. */
  activePowerKw: number;
  importedKwh: number | null;
  exportedKwh: number | null;
}

/** What was odd: `gap` at the reading before a gap of measured power, everything else at the register's own reading. */
export type EnergyFlag = 'gap' | 'glitch' | 'stepBack' | 'rollover' | 'reset' | 'implausible';

export const microsPerHour = 3_600_000_000;
/** Energy is kept in quarter-hours of UTC (energy-and-cost.md 3). */
export const slotMicros = 900_000_000;

/** Over more than this, an increase is interpolated and power is unknown: max(30 min, 3 x the expected interval). */
export function gapLimitMicros({ expectedIntervalSeconds }: EnergyRules): number {
  return Math.max(1800, 3 * (expectedIntervalSeconds ?? 600)) * 1_000_000;
}

/** Buckets of one width that follow each other from `startMicros` on. */
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
  /** How much of each was spread over gaps. */
  interpolatedImportedKwh: Float64Array;
  interpolatedExportedKwh: Float64Array;
}

export const emptyEnergy = (count: number): EnergyBuckets => ({
  importedKwh: new Float64Array(count),
  exportedKwh: new Float64Array(count),
  interpolatedImportedKwh: new Float64Array(count),
  interpolatedExportedKwh: new Float64Array(count),
});

/** First and last reading (of a direction's register), epoch microseconds; null where there is none. */
export type RegisterSpan = { firstMicros: number; lastMicros: number } | null;
export const spanOf = (firstMicros: number | null, lastMicros: number | null): RegisterSpan =>
  firstMicros === null || lastMicros === null ? null : { firstMicros, lastMicros };
export interface RegisterSpans {
  imported: RegisterSpan;
  exported: RegisterSpan;
}
/** The same, and that of all readings. */
export interface ReadingSpans extends RegisterSpans {
  any: RegisterSpan;
}
export const noSpans: ReadingSpans = { any: null, imported: null, exported: null };
