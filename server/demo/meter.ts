import type { Reading } from '../domain/readings.ts';
import { minutesPerDay, type Moment } from './moments.ts';
import { createNoise } from './noise.ts';
import type { DemoDevice } from './plan.ts';

/** Energy that flowed since the start of the demo's first day, in mWh; negative before it. Integers, so that sums are exact. */
export interface Energy {
  imported: number;
  exported: number;
}

export interface DemoMeter {
  readonly externalId: string;
  /** The reading at an instant in epoch seconds; null where the device has none then. */
  reading(second: number): Reading | null;
  /** Energy up to the start of a UTC day. Walks there from the nearest day that is known, about 2 ms a day. */
  energyAt(day: number): Energy;
  /** Takes over what `energyAt` answered earlier, perhaps in another process, to spare the walk. */
  remember(day: number, energy: Energy): void;
}

export interface MeterParts {
  seed: number;
  /** The first day of the demo, in days since 1970-01-01 UTC. */
  firstDay: number;
  device: DemoDevice;
  /** Devices at one grid share its key, and so its voltage and frequency. */
  gridKey: string;
  momentsOf: (day: number) => readonly Moment[];
}

interface DayCurve {
  activeKw: Float64Array;
  reactiveKvar: Float64Array;
  /** Energy since the start of the day, at the start of each minute and at the end of the day. */
  imported: Float64Array;
  exported: Float64Array;
}

const milliwattsPerWatt = 1000;
/** The last digit of the registers is 10 Wh. */
const registerStep = 10_000;
const curvesKept = 3;

/**
 * A meter of the demo: a pure function of the seed, the first day, the device and the instant; it keeps results only to be
 * quick. Its registers are the exact sum of its minutes.
 */
export function createMeter({ seed, firstDay, device, gridKey, momentsOf }: MeterParts): DemoMeter {
  const { externalId, events, meter, ratedPowerKw } = device;
  const load = device.load(seed);
  const flicker = createNoise(seed, `${externalId}/flicker`);
  const voltage = createNoise(seed, `${gridKey}/voltage`);
  const feeder = createNoise(seed, `${externalId}/voltage`);
  const frequency = createNoise(seed, `${gridKey}/frequency`);
  const starts = createNoise(seed, `${externalId}/registers`);
  const importedAtFirstDay = Math.floor(60_000e6 + starts.uniform(0) * 300_000e6);
  const exportedAtFirstDay = Math.floor(20_000e6 + starts.uniform(1) * 40_000e6);

  const curves = new Map<number, DayCurve>();
  const known = new Map<number, Energy>([[firstDay, { imported: 0, exported: 0 }]]);

  const curveOf = (day: number): DayCurve => {
    const kept = curves.get(day);
    if (kept !== undefined) return kept;
    const curve = drawCurve(momentsOf(day), load);
    for (const [oldest] of curves) {
      if (curves.size < curvesKept) break;
      curves.delete(oldest);
    }
    curves.set(day, curve);
    return curve;
  };

  const energyAt = (day: number): Energy => {
    let at = nearest(known, day);
    let energy = known.get(at) ?? { imported: 0, exported: 0 };
    while (at !== day) {
      const isForward = at < day;
      const { imported, exported } = curveOf(isForward ? at : at - 1);
      const sign = isForward ? 1 : -1;
      energy = {
        imported: energy.imported + sign * (imported[minutesPerDay] ?? 0),
        exported: energy.exported + sign * (exported[minutesPerDay] ?? 0),
      };
      at += sign;
      known.set(at, energy);
    }
    return energy;
  };

  /** Energy up to an instant; within a minute it grows evenly. */
  const energyUntil = (second: number): Energy => {
    const { day, minute, rest } = split(second);
    const { imported, exported } = curveOf(day);
    const before = energyAt(day);
    return {
      imported: before.imported + between(imported, minute, rest),
      exported: before.exported + between(exported, minute, rest),
    };
  };

  const secondOf = (minutes: number) => (firstDay * minutesPerDay + minutes) * 60;
  const replaced = events.replaced && { from: secondOf(events.replaced.from), to: secondOf(events.replaced.to) };
  const retiredAt = events.retiredAt === undefined ? Infinity : secondOf(events.retiredAt);
  let importedUntilReplaced: number | undefined;

  const registers = (second: number): Energy => {
    const { imported, exported } = energyUntil(second);
    if (replaced === undefined || second < replaced.to) {
      return { imported: importedAtFirstDay + imported, exported: exportedAtFirstDay + exported };
    }
    importedUntilReplaced ??= energyUntil(replaced.to).imported;
    return { imported: imported - importedUntilReplaced, exported };
  };

  return {
    externalId,
    energyAt,
    remember: (day, energy) => void known.set(day, energy),
    reading(second) {
      if (second >= retiredAt) return null;
      if (replaced !== undefined && second >= replaced.from && second < replaced.to) return null;
      const { day, minute } = split(second);
      const curve = curveOf(day);
      const wobble = 1 + 0.008 * (flicker.uniform(second) - 0.5);
      const activeW = Math.round((curve.activeKw[minute] ?? 0) * wobble * 1000);
      const timeMicros = second * 1e6;
      const activePower = activeW * milliwattsPerWatt;
      if (meter.sends === 'power') return { ...activePowerAlone, timeMicros, activePower };

      const reactiveVar = Math.round((curve.reactiveKvar[minute] ?? 0) * wobble * 1000);
      const apparentVa = Math.round(Math.hypot(activeW, reactiveVar));
      const droop = 0.012 * Math.min(1.2, activeW / 1000 / ratedPowerKw);
      const swing =
        0.65 * voltage.smooth(second / 2700) + 0.25 * voltage.smooth(second / 190) + 0.1 * feeder.smooth(second / 45);
      const volts = meter.nominalVoltageV * (1 + meter.voltageSwing * swing - droop);
      const drift = 0.6 * frequency.smooth(second / 410) + 0.4 * frequency.smooth(second / 37);
      const hertz = meter.nominalFrequencyHz * (1 + meter.frequencySwing * drift);
      const { imported, exported } = registers(second);
      return {
        timeMicros,
        activePower,
        reactivePower: reactiveVar * milliwattsPerWatt,
        apparentPower: apparentVa * milliwattsPerWatt,
        powerFactor: apparentVa === 0 ? null : Math.round((activeW / apparentVa) * 1000) * 1000,
        voltage: Math.round(volts * 10) * 100,
        frequency: Math.round(hertz * 1000) * 10,
        energyImported: Math.floor(imported / registerStep) * registerStep,
        energyExported: meter.sends === 'both' ? Math.floor(exported / registerStep) * registerStep : null,
      };
    },
  };
}

const activePowerAlone = {
  reactivePower: null,
  apparentPower: null,
  powerFactor: null,
  voltage: null,
  frequency: null,
  energyImported: null,
  energyExported: null,
};

function drawCurve(moments: readonly Moment[], load: ReturnType<DemoDevice['load']>): DayCurve {
  const curve = {
    activeKw: new Float64Array(minutesPerDay),
    reactiveKvar: new Float64Array(minutesPerDay),
    imported: new Float64Array(minutesPerDay + 1),
    exported: new Float64Array(minutesPerDay + 1),
  };
  let imported = 0;
  let exported = 0;
  for (const [minute, moment] of moments.entries()) {
    const activeKw = load.activeKw(moment);
    curve.activeKw[minute] = activeKw;
    curve.reactiveKvar[minute] = load.reactiveKvar(moment, activeKw);
    const milliwatthours = Math.round((activeKw * 1e6) / 60);
    if (milliwatthours > 0) imported += milliwatthours;
    else exported -= milliwatthours;
    curve.imported[minute + 1] = imported;
    curve.exported[minute + 1] = exported;
  }
  return curve;
}

function split(second: number): { day: number; minute: number; rest: number } {
  const day = Math.floor(second / 86_400);
  const ofDay = second - day * 86_400;
  const minute = Math.floor(ofDay / 60);
  return { day, minute, rest: ofDay - minute * 60 };
}

function between(sums: Float64Array, minute: number, rest: number): number {
  const from = sums[minute] ?? 0;
  return from + Math.floor((((sums[minute + 1] ?? from) - from) * rest) / 60);
}

function nearest(known: ReadonlyMap<number, unknown>, day: number): number {
  let best = Number.NaN;
  for (const candidate of known.keys()) {
    if (candidate === day) return day;
    if (Number.isNaN(best) || Math.abs(candidate - day) < Math.abs(best - day)) best = candidate;
  }
  return best;
}
