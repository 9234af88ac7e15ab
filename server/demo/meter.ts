import type { JudgedReading } from '../ingest/readings.rules.ts';
import { Reading } from '../base/quantities.ts';
import { createNoise, momentsOf, type Moment, quartersPerDay } from './place.ts';
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

/** Energy of a quarter-hour, or up to an instant, in mWh. All values are integers, so that sums are exact. */
interface Energy {
  imported: number;
  exported: number;
}

/** The energy since the registers began: up to the start of each quarter-hour of a day, and up to the end of the day. */
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
    const feeders = site.devices.map((device) => ({ device, feeder: createFeeder(demo, device, moments) }));
    return site.devices.map((device) => {
      const behind = feeders.filter(({ device: one }) => one === device || one.partOf === device.externalId);
      return createMeter(
        demo,
        site,
        device,
        behind.map(({ feeder }) => feeder),
      );
    });
  });
}

/** What meters read at some instants in epoch seconds, as the ingest takes it. */
export function readingsAt(meters: readonly DemoMeter[], ...seconds: number[]): JudgedReading[] {
  return meters
    .flatMap((meter) => seconds.map((second) => ({ reading: meter.reading(second), externalId: meter.externalId })))
    .flatMap(({ reading, externalId }) => (reading === null ? [] : [{ ...reading, externalId }]))
    .map((reading, index) => ({ ...reading, index }));
}

/** The power of a device, without that of its sub-meters. */
interface Feeder {
  powerW: (second: number) => number;
  /** The energy up to an instant since the registers began. */
  energy: (second: number) => Energy;
}

function createFeeder(
  { seed, firstDay }: DemoSeed,
  device: DemoDevice,
  momentsOfDay: (day: number) => readonly Moment[],
): Feeder {
  const [depth, perQuarter] = device.ripple;
  const retiredAt = secondOf(firstDay, device.retiredAt ?? Infinity);
  const noise = createNoise(seed, device.externalId);
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

  /** The position of an instant in its quarter-hour, and the power at that instant. */
  const at = (second: number) => {
    const quarter = Math.floor(second / secondsPerQuarter);
    const day = Math.floor(quarter / quartersPerDay);
    const sums = dayOf(day);
    const before = sums[quarter - day * quartersPerDay] ?? none;
    const after = sums[quarter - day * quartersPerDay + 1] ?? none;
    const swing = depth * (0.5 + 0.5 * noise.uniform(quarter));
    return { before, after, swing, turns: 2 * Math.PI * perQuarter * (second / secondsPerQuarter - quarter) };
  };
  return {
    /** The swings of power even out over a quarter-hour, so the power matches the growth of the registers exactly. */
    powerW(second) {
      if (second >= retiredAt) return 0;
      const { before, after, swing, turns } = at(second);
      const milliwatthours = after.imported - before.imported - (after.exported - before.exported);
      return Math.round((milliwatthours / 250) * (1 + swing * Math.cos(turns)));
    },
    energy(second) {
      const { before, after, swing, turns } = at(Math.min(second, retiredAt));
      const share = (turns + swing * Math.sin(turns)) / (2 * Math.PI * perQuarter);
      return {
        imported: before.imported + (after.imported - before.imported) * share,
        exported: before.exported + (after.exported - before.exported) * share,
      };
    },
  };
}

/** The second that is this number of minutes after the start of the first day. */
const secondOf = (firstDay: number, minutes: number) => firstDay * 86_400 + minutes * 60;

function createMeter(
  { seed, firstDay }: DemoSeed,
  site: DemoSite,
  device: DemoDevice,
  feeders: readonly Feeder[],
): DemoMeter {
  const { externalId, powerFactor, ratedPowerKw, sends } = device;
  const { frequencyHz, voltageSwing, voltageV } = site.grid;
  const grid = createNoise(seed, site.name);
  const sumOf = (valueOf: (feeder: Feeder) => number) => feeders.reduce((sum, feeder) => sum + valueOf(feeder), 0);
  const importedAt = (second: number) => sumOf((feeder) => feeder.energy(second).imported);

  const { replaced } = device;
  const outAt = secondOf(firstDay, replaced?.from ?? Infinity);
  const backAt = secondOf(firstDay, replaced?.to ?? Infinity);
  const retiredAt = secondOf(firstDay, device.retiredAt ?? Infinity);
  const onRegister = (energy: number) => Math.floor(energy / registerStep) * registerStep;

  return {
    externalId,
    reading(second) {
      if (second >= retiredAt || (second >= outAt && second < backAt)) return null;
      const activeW = sumOf((feeder) => feeder.powerW(second));
      const power = { timeMicros: second * 1e6, activePowerKw: activeW * 1000 };
      if (sends === 'power') return Reading.of(power);
      const zero = second >= backAt ? importedAt(backAt) : 0;
      const load = Math.min(1, Math.abs(activeW) / 1000 / ratedPowerKw);
      const reactiveVar = Math.round(Math.abs(activeW) * Math.tan(Math.acos(powerFactor - 0.06 * (1 - load))));
      const apparentVa = Math.round(Math.hypot(activeW, reactiveVar));
      const volts = voltageV * (1 + voltageSwing * grid.smooth(second / 700) - 0.012 * load);
      const hertz = frequencyHz * (1 + 0.0008 * grid.smooth(second / 90 + 0.5));
      return Reading.of({
        ...power,
        reactivePowerKvar: reactiveVar * 1000,
        apparentPowerKva: apparentVa * 1000,
        powerFactor: apparentVa === 0 ? null : Math.round((activeW / apparentVa) * 1000) * 1000,
        voltageV: Math.round(volts * 10) * 100,
        frequencyHz: Math.round(hertz * 1000) * 10,
        energyImportedKwh: onRegister(importedAt(second) - zero),
        energyExportedKwh: sends === 'both' ? onRegister(sumOf((feeder) => feeder.energy(second).exported)) : null,
      });
    },
  };
}

const none: Energy = { imported: 0, exported: 0 };

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
