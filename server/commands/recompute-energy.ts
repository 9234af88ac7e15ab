import type { StoredFlag } from '../db/energy-flags.ts';
import type { DirtyRange } from '../db/dirty-ranges.ts';
import { listSpansWithin } from '../db/energy-readings.ts';
import { listNeighbours } from '../db/energy-neighbours.ts';
import type { Queryable } from '../db/pool.ts';
import {
  type EnergyRules,
  endOfGrid,
  type Grid,
  microsPerHour,
  noSpans,
  type ReadingSpans,
  slotMicros,
} from '../domain/energy.ts';
import { type EnergyPatch, slotsPerDay } from '../domain/energy-day.ts';
import { affectedSlots, mergeGrids, mergeIntervals, type Interval, unionOfSpans } from '../domain/energy-window.ts';
import type { MeasuredEnergy } from '../domain/measure-energy.ts';
import { addReading, emptyStatistics } from '../domain/statistics.ts';
import {
  fewNeighbours,
  type KnownSilence,
  type MeasuredDevice,
  measureGrids,
  moreNeighbours,
  spansOfInterest,
} from './measure-grids.ts';

/** A device with the intervals in which readings came since its slots were computed. */
export interface TouchedDevice extends MeasuredDevice {
  intervals: Interval[];
}

/** Slots computed anew, and every flag that stands in them. */
export interface RecomputedSlots {
  patch: EnergyPatch;
  flags: StoredFlag[];
}

/** Dirty ranges nearer than this are one interval: asking once for both is cheaper. */
const apartMicros = microsPerHour;
const maxDaysAtOnce = 16;
const maxSlotsAtOnce = 64 * slotsPerDay;

/** The devices of dirty ranges, with the spans of their registers as the dirty readings make them. */
export async function openTouched(
  db: Queryable,
  dirtyRanges: readonly DirtyRange[],
  rules: ReadonlyMap<number, EnergyRules>,
  materialized: ReadonlyMap<number, ReadingSpans>,
): Promise<TouchedDevice[]> {
  const touched: TouchedDevice[] = [];
  for (const [deviceNumber, own] of Map.groupBy(dirtyRanges, (dirtyRange) => dirtyRange.deviceNumber)) {
    const ownRules = rules.get(deviceNumber);
    // A device that is gone has no measurements either.
    if (ownRules === undefined) continue;
    const spans = materialized.get(deviceNumber) ?? noSpans;
    touched.push({ deviceNumber, rules: ownRules, spans, intervals: mergeIntervals(own, apartMicros) });
  }
  const asked = touched.flatMap(({ deviceNumber, intervals }) =>
    intervals.map((interval) => ({ deviceNumber, ...interval })),
  );
  const within = await listSpansWithin(db, asked);
  const byNumber = new Map(touched.map((device) => [device.deviceNumber, device]));
  for (const [at, { deviceNumber }] of asked.entries()) {
    const [device, found] = [byNumber.get(deviceNumber), within[at]];
    if (device === undefined || found === undefined) continue;
    device.spans = {
      any: unionOfSpans(device.spans.any, found.any),
      imported: unionOfSpans(device.spans.imported, found.imported),
      exported: unionOfSpans(device.spans.exported, found.exported),
    };
  }
  return touched;
}

/**
 * Computes every slot that the touched intervals can change, and no more, from the readings that `db` sees; some at a time.
 * With a range, only what reaches into it.
 */
export async function* recompute(
  db: Queryable,
  touched: readonly TouchedDevice[],
  range?: { fromMicros: number; toMicros: number },
): AsyncGenerator<RecomputedSlots[]> {
  const grids = await listAffected(db, touched);
  const wanted = grids.filter(
    ({ grid }) => range === undefined || (grid.startMicros < range.toMicros && endOfGrid(grid) > range.fromMicros),
  );
  const known: KnownSilence = new Map();
  for (let at = 0; at < wanted.length;) {
    const part: typeof wanted = [];
    let slots = 0;
    for (; at < wanted.length && (part.length === 0 || slots < maxSlotsAtOnce); at += 1) {
      const next = wanted[at];
      if (next === undefined) continue;
      part.push(next);
      slots += next.grid.count;
    }
    const measured = await measureGrids(db, part, known);
    yield part.map(({ device, grid }, position) => {
      const { energy, readings = [] } = measured[position] ?? {};
      if (energy === undefined) throw new Error('a grid was not measured');
      const statistics = emptyStatistics(grid.count);
      for (const reading of readings) {
        addReading(statistics, Math.floor((reading.timeMicros - grid.startMicros) / slotMicros), reading);
      }
      const { deviceNumber } = device;
      const { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh } = energy;
      const buckets = { importedKwh, exportedKwh, interpolatedImportedKwh, interpolatedExportedKwh };
      return {
        patch: { deviceNumber, startMicros: grid.startMicros, ...buckets, statistics },
        flags: flagsOf(deviceNumber, grid, energy),
      };
    });
  }
}

/** Which slots of each device are to be computed anew, in pieces of a bounded size. */
async function listAffected(
  db: Queryable,
  touched: readonly TouchedDevice[],
): Promise<{ device: MeasuredDevice; grid: Grid }[]> {
  const grids = new Map(touched.map((device): [TouchedDevice, Grid[]] => [device, []]));
  let open = touched.flatMap((device) => device.intervals.map((interval) => ({ device, interval })));
  for (let count = fewNeighbours; open.length > 0; count *= moreNeighbours) {
    const asked = open.map(({ device, interval }) => ({
      deviceNumber: device.deviceNumber,
      ...interval,
      spans: spansOfInterest(device),
    }));
    const neighbours = await listNeighbours(db, asked, count);
    open = open.filter(({ device, interval }, at) => {
      const near = neighbours[at];
      if (near === undefined) return false;
      const grid = affectedSlots(interval, near, device.rules);
      if (grid !== null) grids.get(device)?.push(grid);
      return grid === null;
    });
  }
  return [...grids].flatMap(([device, own]) =>
    mergeGrids(own, maxDaysAtOnce * slotsPerDay).map((grid) => ({ device, grid })),
  );
}

/** How many intervals of neighbours: the slots of a change, what judges the readings they begin at, and what judges those. */
const dependenceSteps = 3;

/**
 * From which reading on the slots at and after an instant depend on the readings before it: with those alone they are
 * computed as with all, whatever is stored at and after the instant later. For devices that have readings before it.
 */
export async function listDependence(
  db: Queryable,
  devices: readonly MeasuredDevice[],
  atMicros: number,
): Promise<{ deviceNumber: number; fromMicros: number }[]> {
  let touched = devices.map((device) => ({ ...device, intervals: [{ fromMicros: atMicros, toMicros: atMicros }] }));
  for (let step = 0; step < dependenceSteps; step += 1) {
    touched = (await listAffected(db, touched)).map(({ device, grid: { startMicros } }) => ({
      ...device,
      intervals: [{ fromMicros: startMicros, toMicros: startMicros }],
    }));
  }
  return touched.map(({ deviceNumber, intervals }) => ({
    deviceNumber,
    fromMicros: intervals[0]?.fromMicros ?? atMicros,
  }));
}

function flagsOf(deviceNumber: number, grid: Grid, { flags, gaps }: MeasuredEnergy): StoredFlag[] {
  const end = endOfGrid(grid);
  const stored = flags.map(({ timeMicros, kind, direction, untilMicros }): StoredFlag => ({
    deviceNumber,
    timeMicros,
    kind,
    direction: direction ?? 'both',
    untilMicros,
    kwh: null,
  }));
  for (const { fromMicros, untilMicros, direction, kwh } of gaps) {
    if (fromMicros < grid.startMicros || fromMicros >= end) continue;
    stored.push({ deviceNumber, timeMicros: fromMicros, kind: 'interpolated', direction, untilMicros, kwh });
  }
  return stored;
}
