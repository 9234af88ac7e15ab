import { microsPerHour, type EnergyFlag, type EnergyRules } from './energy.rules.ts';
import { milliOfKilo } from '../base/quantities.ts';

/** One reading of a cumulative register: epoch microseconds and kWh. */
export interface RegisterReading {
  timeMicros: number;
  kwh: number;
}

/** The step between two successive register readings that are not glitches; a flag belongs to the later one. */
export interface RegisterStep {
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

/** Readings are whole mWh, and so is what lies between two of them: a register of millions of kWh loses none of it in binary. */
function differenceOf(later: number, earlier: number): number {
  const whole = Math.round(later * milliOfKilo.perUnit) - Math.round(earlier * milliOfKilo.perUnit);
  const isExact = Math.max(Math.abs(later), Math.abs(earlier)) * milliOfKilo.perUnit < Number.MAX_SAFE_INTEGER / 4;
  return isExact ? whole / milliOfKilo.perUnit : later - earlier;
}
