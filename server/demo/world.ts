import { createMeter, type DemoMeter, type Energy } from './meter.ts';
import { type Moment, momentsOf, type Place } from './moments.ts';
import { demoSites } from './plan.ts';

/** The interval, in epoch seconds, whose readings the gateway of these meters kept and sent late. */
export interface Outage {
  meters: readonly DemoMeter[];
  from: number;
  to: number;
}

export interface DemoWorld {
  /** The day up to whose start the energy of the meters is known. */
  knownDay: number;
  meters: readonly DemoMeter[];
  outages: readonly Outage[];
  /** Whether this reading did not come at its time, but after the outage. */
  isLate(meter: DemoMeter, second: number): boolean;
}

/** Energy of each meter up to the start of a UTC day, by external id. */
export interface Checkpoint {
  day: number;
  energies: ReadonlyMap<string, Energy>;
}

export interface WorldSeed {
  seed: number;
  /** Days since 1970-01-01 UTC; events and registers count from its start. */
  firstDay: number;
}

const daysKept = 3;

/** All meters of the demo. Two worlds of the same seed and first day give the same readings, with a checkpoint or without. */
export function createWorld({ seed, firstDay }: WorldSeed, checkpoint?: Checkpoint): DemoWorld {
  const meters: DemoMeter[] = [];
  const outages: Outage[] = [];
  for (const site of demoSites) {
    const days = keepDays(seed, site.place);
    const own = site.devices.map((device) =>
      createMeter({ seed, firstDay, device, gridKey: site.place.key, momentsOf: days }),
    );
    meters.push(...own);
    if (site.outage !== undefined) {
      const from = firstDay * 86_400 + site.outage.from * 60;
      outages.push({ meters: own, from, to: firstDay * 86_400 + site.outage.to * 60 });
    }
  }
  if (checkpoint !== undefined) {
    for (const meter of meters) {
      const energy = checkpoint.energies.get(meter.externalId);
      if (energy !== undefined) meter.remember(checkpoint.day, energy);
    }
  }
  return {
    knownDay: checkpoint?.day ?? firstDay,
    meters,
    outages,
    isLate: (meter, second) =>
      outages.some((outage) => second >= outage.from && second < outage.to && outage.meters.includes(meter)),
  };
}

/** The devices of a site ask for the same minutes one after the other. */
function keepDays(seed: number, place: Place): (day: number) => readonly Moment[] {
  const days = new Map<number, readonly Moment[]>();
  return (day) => {
    const kept = days.get(day);
    if (kept !== undefined) return kept;
    const moments = momentsOf(seed, place, day);
    for (const [oldest] of days) {
      if (days.size < daysKept) break;
      days.delete(oldest);
    }
    days.set(day, moments);
    return moments;
  };
}
