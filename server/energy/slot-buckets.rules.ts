import {
  type EnergyBuckets,
  emptyEnergy,
  slotMicros,
  endOfGrid,
  type Grid,
  energyColumns,
  slotsPerDay,
  type StoredDay,
  dayOf,
} from './energy.rules.ts';
import {
  addStatistics,
  emptyStatistics,
  type Statistics,
  type StatisticsDepth,
  sumBetween,
} from './statistics.rules.ts';
import { dayMicros, type MicrosRange } from '../base/instants.ts';

/** Readings from which fine buckets are computed at a time: about 10 ms of the event loop. */
export const readingsAtOnce = 5_000;

/** The buckets in the range. Of a bucket that the range cuts, only the part inside. */
export function fineGrids({ fromMicros, toMicros }: MicrosRange, start: number, width: number): Grid[] {
  const first = start + Math.ceil((fromMicros - start) / width) * width;
  const last = start + Math.floor((toMicros - start) / width) * width;
  const part = (from: number, to: number) => ({ startMicros: from, widthMicros: to - from, count: 1 });
  if (first > last) return [part(fromMicros, toMicros)];
  const whole = { startMicros: first, widthMicros: width, count: (last - first) / width };
  return [part(fromMicros, first), whole, part(last, toMicros)].filter(
    ({ widthMicros, count }) => widthMicros > 0 && count > 0,
  );
}

/** A grid in parts. Each has about as many readings as are computed at once. `counts` has the number of readings by day. */
export function gridsOfFewReadings(grid: Grid, counts: ReadonlyMap<number, number>): Grid[] {
  const { widthMicros } = grid;
  const parts: Grid[] = [];
  let open = { startMicros: grid.startMicros, readings: 0 };
  const close = (toMicros: number) => {
    parts.push({ startMicros: open.startMicros, widthMicros, count: (toMicros - open.startMicros) / widthMicros });
    open = { startMicros: toMicros, readings: 0 };
  };
  for (let day = dayOf(grid.startMicros); day * dayMicros < endOfGrid(grid); day += 1) {
    const pieces = Math.max(1, Math.ceil((counts.get(day) ?? 0) / readingsAtOnce));
    const readings = (counts.get(day) ?? 0) / pieces;
    const step = Math.ceil(dayMicros / pieces / widthMicros) * widthMicros;
    const dayEnd = Math.min((day + 1) * dayMicros, endOfGrid(grid));
    for (let at = Math.max(day * dayMicros, grid.startMicros); at < dayEnd; at += step) {
      if (open.readings > 0 && open.readings + readings > readingsAtOnce) close(at);
      open.readings += readings;
    }
  }
  close(endOfGrid(grid));
  return parts;
}

/** Buckets of a quarter-hour and more, filled from slots; the edges ascend, one more than there are buckets. */
export interface SlotBuckets {
  energy: EnergyBuckets;
  statistics: Statistics;
  /** Adds a day, which must be clipped to the requested range. */
  addDay: (day: StoredDay) => void;
}

/** Sums slots into buckets. */
export function createSlotBuckets(edges: readonly number[], depth: StatisticsDepth, scratch: SlotScratch): SlotBuckets {
  const count = edges.length - 1;
  const energy = emptyEnergy(count);
  const statistics = emptyStatistics(count);
  const bucketOf = finder(edges);
  const [firstEdge = 0, lastEdge = 0] = [edges[0], edges.at(-1)];

  return {
    energy,
    statistics,
    addDay(day) {
      for (const name of energyColumns) scratch.energy[name].fill(0);
      day.fillEnergy(scratch.energy, 0);
      day.readStatistics(scratch.statistics);
      const midnight = day.day * dayMicros;
      const first = Math.max(0, Math.floor((firstEdge - midnight) / slotMicros));
      const last = Math.min(slotsPerDay, Math.ceil((lastEdge - midnight) / slotMicros));
      for (let slot = first; slot < last;) {
        const bucket = bucketOf(midnight + slot * slotMicros);
        // All slots of the day that lie in this bucket at once.
        const end = Math.ceil(((edges[bucket + 1] ?? Infinity) - midnight) / slotMicros);
        const to = Math.max(slot + 1, Math.min(last, end));
        for (const name of energyColumns) {
          energy[name][bucket] = (energy[name][bucket] ?? 0) + sumBetween(scratch.energy[name], slot, to);
        }
        addStatistics(statistics, bucket, scratch.statistics, { from: slot, to }, depth);
        slot = to;
      }
    },
  };
}

/** Arrays for one day, shared by all days of a query. */
export interface SlotScratch {
  energy: EnergyBuckets;
  statistics: Statistics;
}

export const slotScratch = (): SlotScratch => ({
  energy: emptyEnergy(slotsPerDay),
  statistics: emptyStatistics(slotsPerDay),
});

/** Finds the bucket of an instant. It first tries the last bucket found and the next one, which are usually right. */
function finder(edges: readonly number[]): (micros: number) => number {
  let at = 0;
  const isIn = (bucket: number, micros: number) =>
    micros >= (edges[bucket] ?? Infinity) && micros < (edges[bucket + 1] ?? Infinity);
  return (micros) => {
    if (isIn(at, micros)) return at;
    if (isIn(at + 1, micros)) return (at += 1);
    let [low, high] = [0, edges.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((edges[middle] ?? Infinity) <= micros) low = middle;
      else high = middle - 1;
    }
    return (at = low);
  };
}
