import { listReadings, listSurroundings, energyReadingOf, type ReadingsFilter } from '../db/energy-readings.ts';
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

/** The energy and readings of devices by bucket, each computed from its readings; all see the snapshot of `db`. */
export async function measureGrids(
  db: Queryable,
  asked: readonly { device: MeasuredDevice; grid: Grid }[],
): Promise<MeasuredGrid[]> {
  const stretches = asked.map(({ device, grid }) => ({
    deviceNumber: device.deviceNumber,
    fromMicros: grid.startMicros,
    toMicros: endOfGrid(grid) - 1,
    spans: spansOfInterest(device),
  }));
  const readings = await listReadings(db, stretches);
  const surrounded = await surround(db, stretches, readings);
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
): Promise<EnergyReading[][]> {
  const found = stretches.map((): EnergyReading[] => []);
  let open = stretches.map((stretch, at) => ({ stretch, at }));
  for (let count = fewSurroundings; open.length > 0; count *= moreSurroundings) {
    const surroundings = await listSurroundings(
      db,
      open.map(({ stretch }) => stretch),
      count,
    );
    open = open.filter(({ stretch, at }, position) => {
      const near = surroundings[position];
      if (near === undefined) return false;
      const readings = [
        ...readingsOfSide(near.before),
        ...(inside[at] ?? []).map(energyReadingOf),
        ...readingsOfSide(near.after),
      ];
      found[at] = readings;
      return !isEnough(readings, stretch, near);
    });
  }
  return found;
}

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
