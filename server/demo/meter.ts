import type { JudgedReading, Reading } from '../domain/readings.ts';
import { createNoise } from './noise.ts';
import { momentsOf, type Moment, quartersPerDay } from './place.ts';
import { type DemoDevice, type DemoSite, demoSites } from './sites.ts';

export interface DemoMeter {
  readonly externalId: string;
  /** The reading at an instant in epoch seconds; null if the device has none then. */
  reading(second: number): Reading | null;
}

export interface DemoSeed {
  seed: number;
  /** Days since 1970-01-01 UTC on which the demo began; events and registers count from it. */
  firstDay: number;
}

/** Energy of a quarter-hour or up to an instant, in mWh. Integers, so that sums are exact. */
interface Energy {
  imported: number;
  exported: number;
}

/** Energy up to the start of each quarter-hour of a day and to its end, since the registers began. */
type Day = readonly Energy[];

/** Registers begin this many days before the demo; no earlier reading is requested. */
const daysBefore = 100;
const daysKept = 3;
const secondsPerQuarter = 900;
/** The last digit of the registers is 10 Wh. */
const registerStep = 10_000;

/** All meters of the demo. The same seed and first day give the same readings, in any order and in any process. */
export function createMeters(demo: DemoSeed, sites: readonly DemoSite[] = demoSites): DemoMeter[] {
  return sites.flatMap((site) => {
    const moments = keepNewest((day: number) => momentsOf(demo.seed, site.place, day));
    return site.devices.map((device) => createMeter(demo, site, device, moments));
  });
}

/** What meters read at some instants in epoch seconds, as the ingest takes it. */
export function readingsAt(meters: readonly DemoMeter[], ...seconds: number[]): JudgedReading[] {
  return meters
    .flatMap((meter) => seconds.map((second) => ({ reading: meter.reading(second), externalId: meter.externalId })))
    .flatMap(({ reading, externalId }) => (reading === null ? [] : [{ ...reading, externalId }]))
    .map((reading, index) => ({ ...reading, index }));
}

function createMeter(
  { seed, firstDay }: DemoSeed,
  site: DemoSite,
  device: DemoDevice,
  momentsOfDay: (day: number) => readonly Moment[],
): DemoMeter {
  const { externalId, powerFactor, ratedPowerKw, sends } = device;
  const [depth, perQuarter] = device.ripple;
  const { frequencyHz, voltageSwing, voltageV } = site.grid;
  const noise = createNoise(seed, externalId);
  const grid = createNoise(seed, site.name);
  const registersBegin = firstDay - daysBefore;
  /** Energy up to the start of each day since the registers began. */
  const starts: Energy[] = [{ imported: 60e9 + noise.uniform(0) * 300e9, exported: 20e9 + noise.uniform(1) * 40e9 }];

  const addUp = (day: number, start: Energy): Day => {
    const sums = [start];
    let { imported, exported } = start;
    for (const moment of momentsOfDay(day)) {
      const milliwatthours = Math.round(device.load(moment, noise) * 250_000);
      imported += Math.max(0, milliwatthours);
      exported += Math.max(0, -milliwatthours);
      sums.push({ imported, exported });
    }
    return sums;
  };
  const startOf = (day: number): Energy => {
    for (let known = starts.length - 1; known < day - registersBegin; known += 1) {
      const end = addUp(registersBegin + known, starts[known] ?? none).at(-1);
      starts.push(end ?? none);
    }
    return starts[day - registersBegin] ?? none;
  };
  const dayOf = keepNewest((day: number) => addUp(day, startOf(day)));

  /** Where in its quarter-hour an instant is, and what flows in it. */
  const at = (second: number) => {
    const quarter = Math.floor(second / secondsPerQuarter);
    const day = Math.floor(quarter / quartersPerDay);
    const sums = dayOf(day);
    const before = sums[quarter - day * quartersPerDay] ?? none;
    const after = sums[quarter - day * quartersPerDay + 1] ?? none;
    const swing = depth * (0.5 + 0.5 * noise.uniform(quarter));
    return { before, after, swing, turns: 2 * Math.PI * perQuarter * (second / secondsPerQuarter - quarter) };
  };
  /** Swings even out over a quarter-hour, so power is exactly what the registers grow by. */
  const powerW = (second: number) => {
    const { before, after, swing, turns } = at(second);
    const milliwatthours = after.imported - before.imported - (after.exported - before.exported);
    return Math.round((milliwatthours / 250) * (1 + swing * Math.cos(turns)));
  };
  const registers = (second: number): Energy => {
    const { before, after, swing, turns } = at(second);
    const share = (turns + swing * Math.sin(turns)) / (2 * Math.PI * perQuarter);
    return {
      imported: before.imported + (after.imported - before.imported) * share,
      exported: before.exported + (after.exported - before.exported) * share,
    };
  };

  const secondOf = (minutes: number) => firstDay * 86_400 + minutes * 60;
  const replaced = device.replaced && { from: secondOf(device.replaced.from), to: secondOf(device.replaced.to) };
  const retiredAt = device.retiredAt === undefined ? Infinity : secondOf(device.retiredAt);
  const onRegister = (energy: number) => Math.floor(energy / registerStep) * registerStep;

  return {
    externalId,
    reading(second) {
      if (second >= retiredAt) return null;
      if (replaced !== undefined && second >= replaced.from && second < replaced.to) return null;
      const activeW = powerW(second);
      const times = { timeMicros: second * 1e6, activePower: activeW * 1000 };
      if (sends === 'power') return { ...nothingElse, ...times };
      const isReplaced = replaced !== undefined && second >= replaced.to;
      const energy = registers(second);
      const zero = isReplaced ? registers(replaced.to).imported : 0;
      const load = Math.min(1, Math.abs(activeW) / 1000 / ratedPowerKw);
      const reactiveVar = Math.round(Math.abs(activeW) * Math.tan(Math.acos(powerFactor - 0.06 * (1 - load))));
      const apparentVa = Math.round(Math.hypot(activeW, reactiveVar));
      const volts = voltageV * (1 + voltageSwing * grid.smooth(second / 700) - 0.012 * load);
      const hertz = frequencyHz * (1 + 0.0008 * grid.smooth(second / 90 + 0.5));
      return {
        ...times,
        reactivePower: reactiveVar * 1000,
        apparentPower: apparentVa * 1000,
        powerFactor: apparentVa === 0 ? null : Math.round((activeW / apparentVa) * 1000) * 1000,
        voltage: Math.round(volts * 10) * 100,
        frequency: Math.round(hertz * 1000) * 10,
        energyImported: onRegister(energy.imported - zero),
        energyExported: sends === 'both' ? onRegister(energy.exported) : null,
      };
    },
  };
}

const none: Energy = { imported: 0, exported: 0 };
const nothingElse = {
  reactivePower: null,
  apparentPower: null,
  powerFactor: null,
  voltage: null,
  frequency: null,
  energyImported: null,
  energyExported: null,
};

/** A function that remembers its last few answers. */
function keepNewest<T>(work: (day: number) => T): (day: number) => T {
  const kept = new Map<number, T>();
  return (day) => {
    const known = kept.get(day);
    if (known !== undefined) return known;
    const made = work(day);
    for (const [oldest] of kept) if (kept.size >= daysKept) kept.delete(oldest);
    kept.set(day, made);
    return made;
  };
}
