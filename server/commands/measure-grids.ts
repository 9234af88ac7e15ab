import { listReadings, energyReadingOf, type ReadingsFilter } from '../db/energy-readings.ts';
import { listSurroundings } from '../db/energy-surroundings.ts';
import type { Queryable } from '../db/pool.ts';
import {
  type EnergyReading,
  type EnergyRules,
  endOfGrid,
  type Grid,
  noSpans,
  type ReadingSpans,
} from '../domain/energy.ts';
import { isJudgedBeyond, type Side, type Stretch, type Surroundings } from '../domain/energy-window.ts';
import { type MeasuredEnergy, measureEnergy, registerReadings } from '../domain/measure-energy.ts';
import type { Reading } from '../domain/readings.ts';

/** A device as its energy is computed. */
export interface MeasuredDevice {
  deviceNumber: number;
  rules: EnergyRules;
  /** Of all readings that the same snapshot holds. */
  spans: ReadingSpans;
}

export interface MeasuredGrid {
  energy: MeasuredEnergy;
  /** Those at an instant in the grid, ascending. */
  readings: Reading[];
}

/** Register readings beyond each end; nearly always enough to tell those next to it from glitches. */
export const fewSurroundings = 8;
export const moreSurroundings = 4;

/** What must be searched for the registers of a device: nothing where its energy comes from power. */
export const spansOfInterest = ({ rules, spans }: MeasuredDevice): ReadingSpans =>
  rules.energySource === 'power' ? { ...noSpans, any: spans.any } : spans;

/** A stretch in which a device has no reading (epoch microseconds, its ends have one), and what surrounds every part of it. */
interface Silence {
  afterMicros: number;
  beforeMicros: number;
  readings: EnergyReading[];
}

/** By device the last silence that was found: what is computed in pieces need not search beyond it for each of them. */
export type KnownSilence = Map<number, Silence>;

/**
 * The energy and readings of devices by bucket, each computed from its readings; all see the snapshot of `db`, and so must
 * whoever shares `known`.
 */
export async function measureGrids(
  db: Queryable,
  asked: readonly { device: MeasuredDevice; grid: Grid }[],
  known: KnownSilence = new Map(),
): Promise<MeasuredGrid[]> {
  const stretches = asked.map(({ device, grid }) => ({
    deviceNumber: device.deviceNumber,
    fromMicros: grid.startMicros,
    toMicros: endOfGrid(grid) - 1,
    spans: spansOfInterest(device),
  }));
  const readings = await listReadings(db, stretches);
  const surrounded = await surround(db, stretches, readings, known);
  return asked.map(({ device, grid }, at) => ({
    energy: measureEnergy(surrounded[at] ?? [], device.rules, device.spans, grid),
    readings: readings[at] ?? [],
  }));
}

/** The readings of each stretch, with so many before and after it that its energy is certain. */
async function surround(
  db: Queryable,
  stretches: readonly (ReadingsFilter & { spans: ReadingSpans })[],
  inside: readonly Reading[][],
  known: KnownSilence,
): Promise<EnergyReading[][]> {
  const found = stretches.map((): EnergyReading[] => []);
  const isSilent = (at: number) => inside[at]?.length === 0;
  let open = stretches.map((stretch, at) => ({ stretch, at, count: fewSurroundings }));
  while (open.length > 0) {
    const asking = new Set<number>();
    const asked: typeof open = [];
    const later: typeof open = [];
    for (const one of open) {
      const { stretch, at } = one;
      const silence = isSilent(at) ? known.get(stretch.deviceNumber) : undefined;
      if (silence !== undefined && isWithin(stretch, silence)) found[at] = silence.readings;
      // What is silent next to each other has the same surroundings.
      else if (isSilent(at) && asking.has(stretch.deviceNumber)) later.push(one);
      else asked.push(one);
      if (isSilent(at)) asking.add(stretch.deviceNumber);
    }
    for (const [count, own] of Map.groupBy(asked, (one) => one.count)) {
      const surroundings = await listSurroundings(
        db,
        own.map(({ stretch }) => stretch),
        count,
      );
      for (const [position, { stretch, at }] of own.entries()) {
        const near = surroundings[position];
        if (near === undefined) continue;
        const readings = [
          ...readingsOfSide(near.before),
          ...(inside[at] ?? []).map(energyReadingOf),
          ...readingsOfSide(near.after),
        ];
        found[at] = readings;
        if (!isEnough(readings, stretch, near)) later.push({ stretch, at, count: count * moreSurroundings });
        else if (isSilent(at)) known.set(stretch.deviceNumber, silenceOf(near, readings));
      }
    }
    open = later;
  }
  return found;
}

const isWithin = ({ fromMicros, toMicros }: Stretch, { afterMicros, beforeMicros }: Silence) =>
  fromMicros > afterMicros && toMicros < beforeMicros;

const silenceOf = ({ before, after }: Surroundings, readings: EnergyReading[]): Silence => ({
  afterMicros: before.sample?.timeMicros ?? -Infinity,
  beforeMicros: after.sample?.timeMicros ?? Infinity,
  readings,
});

function isEnough(readings: readonly EnergyReading[], stretch: Stretch, { before, after }: Surroundings): boolean {
  return (['imported', 'exported'] as const).every((direction) =>
    isJudgedBeyond(registerReadings(readings, direction), stretch, {
      before: before[direction].isComplete,
      after: after[direction].isComplete,
    }),
  );
}

/** One list of what is known on a side; only its nearest sample has a power that counts. */
function readingsOfSide({ sample, imported, exported }: Side): EnergyReading[] {
  const byTime = new Map<number, EnergyReading>();
  if (sample !== null) byTime.set(sample.timeMicros, { ...sample });
  const at = (timeMicros: number) => {
    const known = byTime.get(timeMicros) ?? { timeMicros, activePowerKw: 0, importedKwh: null, exportedKwh: null };
    byTime.set(timeMicros, known);
    return known;
  };
  for (const { timeMicros, kwh } of imported.readings) at(timeMicros).importedKwh = kwh;
  for (const { timeMicros, kwh } of exported.readings) at(timeMicros).exportedKwh = kwh;
  return [...byTime.values()].toSorted((a, b) => a.timeMicros - b.timeMicros);
}
