import { listReadings, energyReadingOf, type ReadingsFilter } from './energy-readings.sql.ts';
import { fromKnown, type KnownInterval, listNeighbours } from './energy-neighbours.sql.ts';
import type { Transaction } from '../database/pool.ts';
import {
  type EnergyReading,
  type EnergyRules,
  endOfGrid,
  type Grid,
  noSpans,
  type ReadingSpans,
  type IntervalEnergy,
} from './energy.rules.ts';
import { listIntervalsNear } from './intervals.sql.ts';
import { isJudgedBeyond, type Side, type Interval, type Neighbours, rangeOfPart } from './energy-window.rules.ts';
import { type MeasuredEnergy, measureEnergy, registerReadings } from './measure-energy.rules.ts';
import type { Reading } from '../base/quantities.ts';

/** The input for computing the energy of a device. */
export interface MeasuredDevice {
  deviceNumber: number;
  rules: EnergyRules;
  /** The spans of all readings in the snapshot. */
  spans: ReadingSpans;
  /** The intervals whose readings are known already. */
  known?: readonly KnownInterval[] | undefined;
}

export interface MeasuredGrid {
  energy: MeasuredEnergy;
  /** The readings in the grid, ascending. */
  readings: Reading[];
}

/** Register readings beyond each end; nearly always enough to detect glitches at the end. */
export const fewNeighbours = 8;
export const moreNeighbours = 4;

/** The spans in which registers are searched: none if the energy comes from power. */
export const spansOfInterest = ({ rules, spans }: MeasuredDevice): ReadingSpans =>
  rules.energySource === 'power' ? { ...noSpans, any: spans.any } : spans;

/** A grid of a device. For a long gap, its first day represents `days` days. */
export interface AskedGrid {
  device: MeasuredDevice;
  grid: Grid;
  days?: number | null;
}

/** The energy and readings of devices by bucket, computed from the snapshot of `tx`. */
export async function measureGrids(tx: Transaction, asked: readonly AskedGrid[]): Promise<MeasuredGrid[]> {
  const intervals = intervalsOf(asked);
  const readings = await fromKnown(
    intervals,
    (own) => own,
    (unknown) => listReadings(tx, unknown),
  );
  const withNeighbours = await addNeighbours(tx, intervals, readings);
  const energies = await listIntervalsOf(tx, asked);
  return intervals.flatMap(({ grids }, at) =>
    grids.map(({ device, grid }) => ({
      energy: measureEnergy(withNeighbours[at] ?? [], device.rules, device.spans, grid, energies.get(grid)),
      readings: grids.length === 1 ? (readings[at] ?? []) : readingsWithin(readings[at] ?? [], grid),
    })),
  );
}

/** The intervals of each grid whose device has any. */
async function listIntervalsOf(
  tx: Transaction,
  asked: readonly AskedGrid[],
): Promise<ReadonlyMap<Grid, IntervalEnergy[]>> {
  const grids = asked.flatMap(({ device: { deviceNumber, spans }, grid }) =>
    spans.intervals === null ? [] : [{ deviceNumber, grid }],
  );
  if (grids.length === 0) return new Map();
  const found = await listIntervalsNear(tx, grids);
  return new Map(grids.map(({ grid }, at) => [grid, found[at] ?? []]));
}

/** For most meters, the readings this close to a cut are enough. Slower meters need a search. */
const reachMicros = 10 * 60_000_000;

/** Measures short grids, such as cut quarter-hours. This takes one query if readings come every minute. */
export async function measureCuts(tx: Transaction, asked: readonly AskedGrid[]): Promise<MeasuredGrid[]> {
  const around = asked.map(({ device: { deviceNumber }, grid }) => ({
    deviceNumber,
    fromMicros: grid.startMicros - reachMicros,
    toMicros: endOfGrid(grid) - 1 + reachMicros,
  }));
  const found = await listReadings(tx, around);
  const knownOf = (at: number) => around.slice(at, at + 1).map((one) => ({ ...one, readings: found[at] ?? [] }));
  return measureGrids(
    tx,
    asked.map(({ device, grid }, at) => ({ grid, device: { ...device, known: knownOf(at) } })),
  );
}

interface AskedInterval extends ReadingsFilter {
  spans: ReadingSpans;
  known: readonly KnownInterval[] | undefined;
  grids: AskedGrid[];
}

/**
 * The intervals whose readings must be read. Grids on both sides of a long silence share one interval, so that one search
 * serves both.
 */
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
        known: device.known,
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
async function addNeighbours(
  tx: Transaction,
  intervals: readonly AskedInterval[],
  inside: readonly Reading[][],
): Promise<EnergyReading[][]> {
  const found = intervals.map((): EnergyReading[] => []);
  let open = intervals.map((interval, at) => ({ interval, at }));
  for (let count = fewNeighbours; open.length > 0; count *= moreNeighbours) {
    const asked = open.map(({ interval }) => interval);
    const neighbours = await listNeighbours(tx, asked, count);
    open = open.filter(({ interval, at }, position) => {
      const near = neighbours[position];
      if (near === undefined) return false;
      const own = (inside[at] ?? []).map(energyReadingOf);
      const readings = [...readingsOfSide(near.before), ...own, ...readingsOfSide(near.after)];
      found[at] = readings;
      return !isEnough(readings, interval, near);
    });
  }
  return found;
}

function isEnough(readings: readonly EnergyReading[], interval: Interval, { before, after }: Neighbours): boolean {
  return (['imported', 'exported'] as const).every((direction) =>
    isJudgedBeyond(registerReadings(readings, direction), interval, {
      before: before[direction].isComplete,
      after: after[direction].isComplete,
    }),
  );
}

/** The known readings of one side in one list; only the power of the nearest sample counts. */
function readingsOfSide({ sample, imported, exported }: Side): EnergyReading[] {
  const byTime = new Map<number, EnergyReading>();
  if (sample !== null) byTime.set(sample.timeMicros, { ...sample });
  const empty = (timeMicros: number) => ({ timeMicros, activePowerKw: 0, importedKwh: null, exportedKwh: null });
  const at = (timeMicros: number) => byTime.getOrInsertComputed(timeMicros, empty);
  for (const { timeMicros, kwh } of imported.readings) at(timeMicros).importedKwh = kwh;
  for (const { timeMicros, kwh } of exported.readings) at(timeMicros).exportedKwh = kwh;
  return [...byTime.values()].toSorted((a, b) => a.timeMicros - b.timeMicros);
}
