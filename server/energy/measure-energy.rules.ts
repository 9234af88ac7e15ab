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
  microsPerHour,
  type IntervalEnergy,
  isSpread,
  partsOutside,
  rangesOfSpan,
} from './energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { milliOfKilo } from '../base/quantities.ts';

/** One reading of a cumulative register: epoch microseconds and kWh. */
export interface RegisterReading {
  timeMicros: number;
  kwh: number;
}

/** The step between two successive register readings that are not glitches; a flag belongs to the later one. */
interface RegisterStep {
  fromMicros: number;
  toMicros: number;
  kwh: number;
  flag: EnergyFlag | null;
}

/** A glitch is at most this many readings in a row. */
export const longestGlitch = 3;
const glitchPatienceMicros = microsPerHour;

// Comparisons hold with a tolerance (energy-and-cost.md 2): in binary floats 1.1 - 1.0 > 0.1.
const tolerance = (x: number, y: number) => Math.max(1e-9, 1e-9 * Math.max(Math.abs(x), Math.abs(y)));
const isAtMost = (x: number, y: number) => x <= y + tolerance(x, y);
const isLess = (x: number, y: number) => !isAtMost(y, x);
const jitterOf = (kwh: number) => Math.max(0.1, 0.001 * kwh);

/**
 * Which readings are glitches (energy-and-cost.md 2), by position; `readings` ascend by time. This depends on the three
 * original readings before and after each.
 */
export function findGlitches(readings: readonly RegisterReading[]): boolean[] {
  const isGlitch = readings.map(() => false);
  for (let at = 0; at < readings.length; at += 1) {
    for (let length = 1; length <= longestGlitch; length += 1) {
      if (isGlitchRun(readings, at, length)) isGlitch.fill(true, at + 1, at + 1 + length);
    }
  }
  return isGlitch;
}

/** Whether the `length` readings after the one at `before` are a run of glitches. */
function isGlitchRun(readings: readonly RegisterReading[], before: number, length: number): boolean {
  const a = readings[before];
  const first = readings[before + 1];
  const c = readings[before + length + 1];
  if (a === undefined || first === undefined || c === undefined || a.kwh <= 0) return false;
  if (c.timeMicros - first.timeMicros > glitchPatienceMicros) return false;
  if (!isAtMost(a.kwh - jitterOf(a.kwh), c.kwh) || !isAtMost(c.kwh, 1.1 * a.kwh)) return false;
  for (let at = before + 1; at <= before + length; at += 1) {
    const kwh = readings[at]?.kwh ?? 0;
    if (!isLess(kwh, 0.9 * a.kwh) && !isLess(c.kwh / 0.9, kwh)) return false;
  }
  return true;
}

/** The steps between readings that are not glitches, ascending. */
export function registerSteps(
  readings: readonly RegisterReading[],
  isGlitch: readonly boolean[],
  rules: EnergyRules,
): RegisterStep[] {
  const steps: RegisterStep[] = [];
  let a: RegisterReading | undefined;
  for (const [at, b] of readings.entries()) {
    if (isGlitch[at] === true) continue;
    if (a !== undefined) steps.push(stepBetween(a, b, rules));
    a = b;
  }
  return steps;
}

function stepBetween(a: RegisterReading, b: RegisterReading, rules: EnergyRules): RegisterStep {
  const step = { fromMicros: a.timeMicros, toMicros: b.timeMicros, ...increase(a.kwh, b.kwh, rules.registerMaxKwh) };
  const { ratedPowerKw } = rules;
  const hours = (b.timeMicros - a.timeMicros) / microsPerHour;
  const isImplausible = ratedPowerKw !== null && isLess(1.2 * ratedPowerKw * hours, step.kwh);
  return isImplausible ? { ...step, kwh: 0, flag: 'implausible' } : step;
}

function increase(a: number, b: number, registerMaxKwh: number | null): { kwh: number; flag: EnergyFlag | null } {
  // Noise in the last digit: small steps down count, so that the sum stays right.
  if (isAtMost(a, b) || isAtMost(a - b, jitterOf(a))) return { kwh: differenceOf(b, a), flag: null };
  if (isAtMost(0.9 * a, b)) return { kwh: 0, flag: 'stepBack' };
  if (registerMaxKwh !== null && isAtMost(0.9 * registerMaxKwh, a) && isAtMost(b, 0.1 * registerMaxKwh)) {
    return { kwh: differenceOf(registerMaxKwh, a) + b, flag: 'rollover' };
  }
  return { kwh: b, flag: 'reset' };
}

/** Readings are whole mWh, and so is the difference of two of them: a register of millions of kWh loses nothing in binary. */
function differenceOf(later: number, earlier: number): number {
  const whole = Math.round(later * milliOfKilo.perUnit) - Math.round(earlier * milliOfKilo.perUnit);
  const isExact = Math.max(Math.abs(later), Math.abs(earlier)) * milliOfKilo.perUnit < Number.MAX_SAFE_INTEGER / 4;
  return isExact ? whole / milliOfKilo.perUnit : later - earlier;
}

export type Direction = 'imported' | 'exported';

/** A finding at a reading. For a gap it also has the reading that ends the gap. */
export interface FlaggedReading {
  timeMicros: number;
  kind: EnergyFlag;
  /** Null for a gap of measured power, which concerns both directions. */
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
 * The energy of one device by bucket (energy-and-cost.md 2 to 4). `readings` ascend by time, each time once. They reach far
 * enough beyond both ends of the grid that every step and trapezoid in it is whole and every glitch judged. `spans` are those of
 * all readings of the device. `intervals` ascend: those in the grid and the next one on both sides. A bucket is the same, to the
 * bit, whatever the grid around it.
 */
export function measureEnergy(
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  spans: RegisterSpans,
  grid: Grid,
  intervals: readonly IntervalEnergy[] = [],
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
  if (intervals.length > 0) addIntervals(measured, intervals, rules, spans, grid);
  if (rules.energySource !== 'register') {
    addPower(
      measured,
      readings,
      rules,
      rules.energySource === 'auto' ? spans : { imported: null, exported: null },
      grid,
      intervals,
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
  for (const step of registerSteps(found, isGlitch, rules)) {
    const { fromMicros, toMicros, kwh } = step;
    if (step.flag !== null) flag(toMicros, step.flag);
    if (toMicros <= grid.startMicros || fromMicros >= end) continue;
    const isInterpolated = toMicros - fromMicros > limit;
    if (isInterpolated) measured.gaps.push({ fromMicros, untilMicros: toMicros, direction, kwh });
    spread(measured, { direction, kwh, whole: step, part: step, isInterpolated }, grid);
  }
}

interface Spread {
  direction: Direction;
  /** The energy over the whole time. */
  kwh: number;
  whole: MicrosRange;
  /** The part of the time that counts. */
  part: MicrosRange;
  isInterpolated: boolean;
}

/** Adds energy that is spread evenly over a time to the buckets that a part of this time touches. */
function spread(
  measured: MeasuredEnergy,
  { direction, kwh, whole, part: { fromMicros, toMicros }, isInterpolated }: Spread,
  grid: Grid,
): void {
  if (kwh === 0) return;
  const [energy, interpolated] =
    direction === 'imported'
      ? [measured.importedKwh, measured.interpolatedImportedKwh]
      : [measured.exportedKwh, measured.interpolatedExportedKwh];
  const duration = whole.toMicros - whole.fromMicros;
  const first = Math.max(0, Math.floor((fromMicros - grid.startMicros) / grid.widthMicros));
  for (let bucket = first; bucket < grid.count; bucket += 1) {
    const start = grid.startMicros + bucket * grid.widthMicros;
    if (start >= toMicros) break;
    const overlap = Math.min(toMicros, start + grid.widthMicros) - Math.max(fromMicros, start);
    const share = overlap === duration ? kwh : (kwh * overlap) / duration;
    energy[bucket] = (energy[bucket] ?? 0) + share;
    if (isInterpolated) interpolated[bucket] = (interpolated[bucket] ?? 0) + share;
  }
}

/** The energy of intervals outside the time that registers cover (docs/energy.md). */
function addIntervals(
  measured: MeasuredEnergy,
  intervals: readonly IntervalEnergy[],
  { energySource }: EnergyRules,
  { imported, exported }: RegisterSpans,
  grid: Grid,
): void {
  const end = endOfGrid(grid);
  const registers = energySource === 'power' ? [] : [...rangesOfSpan(imported), ...rangesOfSpan(exported)];
  registers.sort((a, b) => a.fromMicros - b.fromMicros);
  for (const whole of intervals) {
    for (const part of partsOutside(whole, registers)) {
      if (part.toMicros <= grid.startMicros || part.fromMicros >= end) continue;
      const isInterpolated = isSpread(whole);
      spread(measured, { direction: 'imported', kwh: whole.importedKwh, whole, part, isInterpolated }, grid);
      spread(measured, { direction: 'exported', kwh: whole.exportedKwh, whole, part, isInterpolated }, grid);
    }
  }
}

function addPower(
  measured: MeasuredEnergy,
  readings: readonly EnergyReading[],
  rules: EnergyRules,
  spans: RegisterSpans,
  grid: Grid,
  intervals: readonly IntervalEnergy[],
): void {
  const limit = gapLimitMicros(rules);
  const end = endOfGrid(grid);
  const add = (at: number, importedKwh: number, exportedKwh: number) => {
    measured.importedKwh[at] = (measured.importedKwh[at] ?? 0) + importedKwh;
    measured.exportedKwh[at] = (measured.exportedKwh[at] ?? 0) + exportedKwh;
  };
  let a: EnergyReading | undefined;
  let next = 0;
  for (const b of readings) {
    const before = a;
    a = b;
    // A span ends at a reading, so a pair of readings lies either inside a span or outside.
    if (before === undefined || b.timeMicros <= grid.startMicros || before.timeMicros >= end) continue;
    if (isWithin(spans.imported, before, b) || isWithin(spans.exported, before, b)) continue;
    while ((intervals[next]?.toMicros ?? Infinity) <= before.timeMicros) next += 1;
    const isKnown = b.timeMicros - before.timeMicros <= limit;
    if (isKnown && (intervals[next]?.fromMicros ?? Infinity) >= b.timeMicros) {
      addTrapezoid(before, b, grid, add);
      continue;
    }
    // Intervals take precedence over power.
    let until = next;
    while ((intervals[until]?.fromMicros ?? Infinity) < b.timeMicros) until += 1;
    const pair = { fromMicros: before.timeMicros, toMicros: b.timeMicros };
    for (const part of partsOutside(pair, intervals.slice(next, until))) {
      if (part.toMicros <= grid.startMicros || part.fromMicros >= end) continue;
      if (isKnown) {
        addTrapezoid(powerAt(before, b, part.fromMicros), powerAt(before, b, part.toMicros), grid, add);
      } else {
        const { fromMicros: timeMicros, toMicros: untilMicros } = part;
        measured.flags.push({ timeMicros, kind: 'gap', direction: null, untilMicros });
      }
    }
  }
}

/** The interpolated power between two samples. */
const powerAt = (a: EnergyReading, b: EnergyReading, timeMicros: number): EnergyReading => ({
  ...a,
  timeMicros,
  activePowerKw:
    a.activePowerKw +
    ((b.activePowerKw - a.activePowerKw) * (timeMicros - a.timeMicros)) / (b.timeMicros - a.timeMicros),
});

const isWithin = (span: RegisterSpan, a: EnergyReading, b: EnergyReading) =>
  span !== null && a.timeMicros >= span.firstMicros && b.timeMicros <= span.lastMicros;

/** Called with the energy of an interval that lies in one bucket and has one sign, kWh. */
type AddEnergy = (bucket: number, importedKwh: number, exportedKwh: number) => void;

/**
 * The trapezoid between two samples of power (energy-and-cost.md 4), split where it crosses zero and at the edges of the
 * buckets of the grid at the interpolated power; what lies outside the grid is left out.
 */
function addTrapezoid(
  a: EnergyReading,
  b: EnergyReading,
  { startMicros, widthMicros, count }: Grid,
  add: AddEnergy,
): void {
  const duration = b.timeMicros - a.timeMicros;
  const slope = (b.activePowerKw - a.activePowerKw) / duration;
  const powerAt = (micros: number) => a.activePowerKw + slope * (micros - a.timeMicros);
  const crossing = a.activePowerKw * b.activePowerKw < 0 ? a.timeMicros - a.activePowerKw / slope : null;
  const first = Math.max(0, Math.floor((a.timeMicros - startMicros) / widthMicros));
  for (let bucket = first; bucket < count && startMicros + bucket * widthMicros < b.timeMicros; bucket += 1) {
    const start = Math.max(a.timeMicros, startMicros + bucket * widthMicros);
    const end = Math.min(b.timeMicros, startMicros + (bucket + 1) * widthMicros);
    const isSplit = crossing !== null && crossing > start && crossing < end;
    const parts = isSplit ? [start, crossing, end] : [start, end];
    for (let at = 1; at < parts.length; at += 1) {
      const [x = 0, y = 0] = [parts[at - 1], parts[at]];
      // Exactly zero at the crossing, free of rounding.
      const [px, py] = [isSplit && at === 2 ? 0 : powerAt(x), isSplit && at === 1 ? 0 : powerAt(y)];
      const kwh = (((px + py) / 2) * (y - x)) / microsPerHour;
      if (kwh >= 0) add(bucket, kwh, 0);
      else add(bucket, 0, -kwh);
    }
  }
}
