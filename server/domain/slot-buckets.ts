import { type EnergyBuckets, emptyEnergy, slotMicros } from './energy.ts';
import { dayMicros, energyColumns, slotsPerDay, type StoredDay } from './energy-day.ts';
import { wholeSlots } from './energy-totals.ts';
import type { Reading } from './readings.ts';
import type { MicrosRange } from './instants.ts';
import {
  addReading,
  addStatistics,
  emptyStatistics,
  type Statistics,
  type StatisticsDepth,
  sumBetween,
} from './statistics.ts';

/** Buckets of a quarter-hour and more, filled from slots; the edges ascend, one more than there are buckets. */
export interface SlotBuckets {
  energy: EnergyBuckets;
  statistics: Statistics;
  addDay: (day: StoredDay) => void;
  /** Takes a reading of a slot that the range cuts. */
  addReading: (reading: Reading) => void;
}

/**
 * Sums slots into buckets. Only the part inside the range counts: of the energy of a slot that the range cuts its share
 * (energy-and-cost.md 3), of the readings those that come through `addReading`.
 */
export function createSlotBuckets(
  range: MicrosRange,
  edges: readonly number[],
  depth: StatisticsDepth,
  scratch: SlotScratch,
): SlotBuckets {
  const count = edges.length - 1;
  const energy = emptyEnergy(count);
  const statistics = emptyStatistics(count);
  const slots = wholeSlots(range);
  const bucketOf = finder(edges);

  const addCut = (bucket: number, slot: number, start: number) => {
    const overlap = Math.min(range.toMicros, start + slotMicros) - Math.max(range.fromMicros, start);
    for (const name of energyColumns) {
      energy[name][bucket] = (energy[name][bucket] ?? 0) + ((scratch.energy[name][slot] ?? 0) * overlap) / slotMicros;
    }
  };

  return {
    energy,
    statistics,
    addDay(day) {
      for (const name of energyColumns) scratch.energy[name].fill(0);
      day.fillEnergy(scratch.energy, 0);
      day.readStatistics(scratch.statistics);
      const midnight = day.day * dayMicros;
      const firstSlot = day.day * slotsPerDay;
      const first = Math.max(0, Math.floor(range.fromMicros / slotMicros) - firstSlot);
      const last = Math.min(slotsPerDay, Math.ceil(range.toMicros / slotMicros) - firstSlot);
      for (let slot = first; slot < last;) {
        const start = midnight + slot * slotMicros;
        const bucket = bucketOf(start);
        if (firstSlot + slot < slots.first || firstSlot + slot >= slots.last) {
          addCut(bucket, slot, start);
          slot += 1;
          continue;
        }
        // All whole slots of the day that lie in this bucket at once.
        const end = Math.ceil(((edges[bucket + 1] ?? Infinity) - midnight) / slotMicros);
        const to = Math.max(slot + 1, Math.min(last, slots.last - firstSlot, end));
        for (const name of energyColumns) {
          energy[name][bucket] = (energy[name][bucket] ?? 0) + sumBetween(scratch.energy[name], slot, to);
        }
        addStatistics(statistics, bucket, scratch.statistics, { from: slot, to }, depth);
        slot = to;
      }
    },
    addReading(reading) {
      addReading(statistics, bucketOf(reading.timeMicros), reading);
    },
  };
}

/** Room for one day, which all days of a question share. */
export interface SlotScratch {
  energy: EnergyBuckets;
  statistics: Statistics;
}

export const slotScratch = (): SlotScratch => ({
  energy: emptyEnergy(slotsPerDay),
  statistics: emptyStatistics(slotsPerDay),
});

/** Finds the bucket of an instant; most questions are about the one of the last answer or the next. */
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
