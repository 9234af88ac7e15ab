import {
  type EnergyBuckets,
  type EnergyFlag,
  type EnergyReading,
  type EnergyRules,
  emptyEnergy,
  endOfGrid,
  gapLimitMicros,
  type Grid,
  type RegisterSpan,
  type RegisterSpans,
} from './energy.rules.ts';
import { addTrapezoid } from './power-energy.rules.ts';
import { findGlitches, type RegisterReading, registerSteps } from './registers.rules.ts';

export type Direction = 'imported' | 'exported';

/** A finding, and for a gap the reading that ends it. */
export interface FlaggedReading {
  timeMicros: number;
  kind: EnergyFlag;
  /** Null for a gap of measured power, which concerns both. */
  direction: Direction | null;
  untilMicros: number | null;
}

/** A gap of a register over which its increase was spread. */
export interface InterpolatedGap {
  fromMicros: number;
  untilMicros: number;
  direction: Direction;
  kwh: number;
}

export interface MeasuredEnergy extends EnergyBuckets {
  /** The flags at times within the grid, and gaps that overlap it, ascending. */
  flags: FlaggedReading[];
  /** The gaps that overlap the grid, ascending. */
  gaps: InterpolatedGap[];
}

/** The readings of one direction's register, without nulls. */
export function registerReadings(readings: readonly EnergyReading[], direction: Direction): RegisterReading[] {
  const found: RegisterReading[] = [];
  for (const reading of readings) {
    const kwh = direction === 'imported' ? reading.importedKwh : reading.exportedKwh;
    if (kwh !== null) found.push({ timeMicros: reading.timeMicros, kwh });
  }
  return found;
}

/**
 * The energy of one device by bucket (energy-and-cost.md 2 to 4). `readings` ascend by time, each time once, and reach on
 * both sides so far beyond the grid that every step and trapezoid in it is whole and every glitch judged; `spans` are those
 * of all readings that the device has. A bucket comes out the same, to the bit, whatever the grid around it.
 */
export function measureEnergy(
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  spans: RegisterSpans,
  grid: Grid,
): MeasuredEnergy {
  const measured: MeasuredEnergy = {
    ...emptyEnergy(grid.count),
    flags: [],
    gaps: [],
  };
  if (rules.energySource !== 'power') {
    addRegister(measured, readings, 'imported', rules, grid);
    addRegister(measured, readings, 'exported', rules, grid);
  }
  if (rules.energySource !== 'register') {
    addPower(
      measured,
      readings,
      rules,
      rules.energySource === 'auto' ? spans : { imported: null, exported: null },
      grid,
    );
  }
  measured.flags.sort((a, b) => a.timeMicros - b.timeMicros);
  measured.gaps.sort((a, b) => a.fromMicros - b.fromMicros);
  return measured;
}

function addRegister(
  measured: MeasuredEnergy,
  readings: readonly EnergyReading[],
  direction: Direction,
  rules: EnergyRules,
  grid: Grid,
): void {
  const found = registerReadings(readings, direction);
  const isGlitch = findGlitches(found);
  const limit = gapLimitMicros(rules);
  const end = endOfGrid(grid);
  const flag = (timeMicros: number, kind: EnergyFlag) => {
    if (timeMicros >= grid.startMicros && timeMicros < end) {
      measured.flags.push({ timeMicros, kind, direction, untilMicros: null });
    }
  };
  for (const [at, reading] of found.entries()) if (isGlitch[at] === true) flag(reading.timeMicros, 'glitch');
  const [energy, interpolated] =
    direction === 'imported'
      ? [measured.importedKwh, measured.interpolatedImportedKwh]
      : [measured.exportedKwh, measured.interpolatedExportedKwh];
  for (const step of registerSteps(found, isGlitch, rules)) {
    const { fromMicros, toMicros, kwh } = step;
    if (step.flag !== null) flag(toMicros, step.flag);
    if (toMicros <= grid.startMicros || fromMicros >= end) continue;
    const isInterpolated = toMicros - fromMicros > limit;
    if (isInterpolated) measured.gaps.push({ fromMicros, untilMicros: toMicros, direction, kwh });
    if (kwh === 0) continue;
    const first = Math.max(0, Math.floor((fromMicros - grid.startMicros) / grid.widthMicros));
    for (let bucket = first; bucket < grid.count; bucket += 1) {
      const start = grid.startMicros + bucket * grid.widthMicros;
      if (start >= toMicros) break;
      const overlap = Math.min(toMicros, start + grid.widthMicros) - Math.max(fromMicros, start);
      const part = overlap === toMicros - fromMicros ? kwh : (kwh * overlap) / (toMicros - fromMicros);
      energy[bucket] = (energy[bucket] ?? 0) + part;
      if (isInterpolated) interpolated[bucket] = (interpolated[bucket] ?? 0) + part;
    }
  }
}

function addPower(
  measured: MeasuredEnergy,
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  spans: RegisterSpans,
  grid: Grid,
): void {
  const limit = gapLimitMicros(rules);
  const end = endOfGrid(grid);
  const add = (at: number, importedKwh: number, exportedKwh: number) => {
    measured.importedKwh[at] = (measured.importedKwh[at] ?? 0) + importedKwh;
    measured.exportedKwh[at] = (measured.exportedKwh[at] ?? 0) + exportedKwh;
  };
  let a: EnergyReading | undefined;
  for (const b of readings) {
    const before = a;
    a = b;
    // A span ends at readings, so a pair of readings is either inside or outside.
    if (before === undefined || b.timeMicros <= grid.startMicros || before.timeMicros >= end) continue;
    if (isWithin(spans.imported, before, b) || isWithin(spans.exported, before, b)) continue;
    if (b.timeMicros - before.timeMicros <= limit) {
      addTrapezoid(before, b, grid, add);
    } else {
      measured.flags.push({
        timeMicros: before.timeMicros,
        kind: 'gap',
        direction: null,
        untilMicros: b.timeMicros,
      });
    }
  }
}

const isWithin = (span: RegisterSpan, a: EnergyReading, b: EnergyReading) =>
  span !== null && a.timeMicros >= span.firstMicros && b.timeMicros <= span.lastMicros;
