import { listReadings, energyReadingOf, type ReadingsFilter } from '../db/energy-readings.ts';
import { listNeighbours } from '../db/energy-neighbours.ts';
import type { Queryable } from '../db/pool.ts';
import {
  type EnergyReading,
  type EnergyRules,
  endOfGrid,
  type Grid,
  noSpans,
  type ReadingSpans,
} from '../domain/energy.ts';
import { rangeOfPart } from '../domain/energy-gaps.ts';
import { isJudgedBeyond, type Side, type Interval, type Neighbours } from '../domain/energy-window.ts';
import { type MeasuredEnergy, measureEnergy, registerReadings } from '../domain/measure-energy.ts';
import type { Reading } from '../domain/readings.ts';

/** What computing the energy of a device needs. */
export interface MeasuredDevice {
  deviceNumber: number;
  rules: EnergyRules;
  /** The spans of all readings in the snapshot. */
  spans: ReadingSpans;
}

export interface MeasuredGrid {
  energy: MeasuredEnergy;
  /** Those at an instant in the grid, ascending. */
  readings: Reading[];
}

/** Register readings beyond each end; nearly always enough to detect glitches at the end. */
export const fewNeighbours = 8;
export const moreNeighbours = 4;

/** The spans to search for registers: none if the energy comes from power. */
export const spansOfInterest = ({ rules, spans }: MeasuredDevice): ReadingSpans =>
  rules.energySource === 'power' ? { ...noSpans, any: spans.any } : spans;

/** An interval without readings (epoch microseconds, with readings at its ends), and its neighbours. */
interface Silence {
  afterMicros: number;
  beforeMicros: number;
  readings: EnergyReading[];
}

/** The last silence found for each device, so that pieces of one computation need not search across it again. */
export type KnownSilence = Map<number, Silence>;

/** A grid of a device; for a long silence, its first day stands for `days` days. */
export interface AskedGrid {
  device: MeasuredDevice;
  grid: Grid;
  days?: number | null;
}

/**
 * The energy and readings of devices by bucket, computed from the snapshot of `db`; everybody who shares `known` must use the
 * same snapshot.
 */
export async function measureGrids(
  db: Queryable,
  asked: readonly AskedGrid[],
  known: KnownSilence = new Map(),
): Promise<MeasuredGrid[]> {
  const intervals = intervalsOf(asked);
  const readings = await listReadings(db, intervals);
  const surrounded = await surround(db, intervals, readings, known);
  return intervals.flatMap(({ grids }, at) =>
    grids.map(({ device, grid }) => ({
      energy: measureEnergy(surrounded[at] ?? [], device.rules, device.spans, grid),
      readings: grids.length === 1 ? (readings[at] ?? []) : readingsWithin(readings[at] ?? [], grid),
    })),
  );
}

interface AskedInterval extends ReadingsFilter {
  spans: ReadingSpans;
  grids: AskedGrid[];
}

/** The intervals whose readings must be known; what lies on both sides of a long silence is one, so that a search does for both. */
function intervalsOf(asked: readonly AskedGrid[]): AskedInterval[] {
  const intervals: AskedInterval[] = [];
  for (const one of asked) {
    const { device, grid, days = null } = one;
    const { fromMicros, toMicros } = rangeOfPart({ grid, days });
    const last = intervals.at(-1);
    const isNext = last?.deviceNumber === device.deviceNumber && last.toMicros + 1 === fromMicros;
    if (last !== undefined && isNext && (isSilence(one) || last.grids.some(isSilence))) {
      last.toMicros = toMicros - 1;
      last.grids.push(one);
    } else {
      const { deviceNumber } = device;
      intervals.push({
        deviceNumber,
        fromMicros,
        toMicros: toMicros - 1,
        spans: spansOfInterest(device),
        grids: [one],
      });
    }
  }
  return intervals;
}

const isSilence = ({ days }: AskedGrid) => typeof days === 'number';

const readingsWithin = (readings: readonly Reading[], grid: Grid) =>
  readings.filter(({ timeMicros }) => timeMicros >= grid.startMicros && timeMicros < endOfGrid(grid));

/** The readings of each interval, with enough before and after it to determine its energy. */
async function surround(
  db: Queryable,
  intervals: readonly AskedInterval[],
  inside: readonly Reading[][],
  known: KnownSilence,
): Promise<EnergyReading[][]> {
  const found = intervals.map((): EnergyReading[] => []);
  const isSilent = (at: number) => inside[at]?.length === 0;
  let open = intervals.map((interval, at) => ({ interval, at, count: fewNeighbours }));
  while (open.length > 0) {
    const asking = new Set<number>();
    const asked: typeof open = [];
    const later: typeof open = [];
    for (const one of open) {
      const { interval, at } = one;
      const silence = isSilent(at) ? known.get(interval.deviceNumber) : undefined;
      if (silence !== undefined && isWithin(interval, silence)) found[at] = silence.readings;
      // Adjacent silent intervals have the same neighbours.
      else if (isSilent(at) && asking.has(interval.deviceNumber)) later.push(one);
      else asked.push(one);
      if (isSilent(at)) asking.add(interval.deviceNumber);
    }
    for (const [count, own] of Map.groupBy(asked, (one) => one.count)) {
      const neighbours = await listNeighbours(
        db,
        own.map(({ interval }) => interval),
        count,
      );
      for (const [position, { interval, at }] of own.entries()) {
        const near = neighbours[position];
        if (near === undefined) continue;
        const readings = [
          ...readingsOfSide(near.before),
          ...(inside[at] ?? []).map(energyReadingOf),
          ...readingsOfSide(near.after),
        ];
        found[at] = readings;
        if (!isEnough(readings, interval, near)) later.push({ interval, at, count: count * moreNeighbours });
        else if (isSilent(at)) known.set(interval.deviceNumber, silenceOf(near, readings));
      }
    }
    open = later;
  }
  return found;
}

const isWithin = ({ fromMicros, toMicros }: Interval, { afterMicros, beforeMicros }: Silence) =>
  fromMicros > afterMicros && toMicros < beforeMicros;

const silenceOf = ({ before, after }: Neighbours, readings: EnergyReading[]): Silence => ({
  afterMicros: before.sample?.timeMicros ?? -Infinity,
  beforeMicros: after.sample?.timeMicros ?? Infinity,
  readings,
});

function isEnough(readings: readonly EnergyReading[], interval: Interval, { before, after }: Neighbours): boolean {
  return (['imported', 'exported'] as const).every((direction) =>
    isJudgedBeyond(registerReadings(readings, direction), interval, {
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
