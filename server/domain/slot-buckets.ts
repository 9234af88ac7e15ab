import { type EnergyBuckets, emptyEnergy, slotMicros } from './energy.ts';
import { dayMicros, energyColumns, slotsPerDay, type StoredDay } from './energy-day.ts';
import { wholeSlots } from './energy-totals.ts';
import type { Reading } from './readings.ts';
import type { MicrosRange } from './simulation.ts';
import { addReading, addStatistics, emptyStatistics, type Statistics } from './statistics.ts';

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
export function createSlotBuckets(range: MicrosRange, edges: readonly number[]): SlotBuckets {
  const count = edges.length - 1;
  const energy = emptyEnergy(count);
  const statistics = emptyStatistics(count);
  const slots = wholeSlots(range);
  const bucketOf = finder(edges);
  return {
    energy,
    statistics,
    addDay(day) {
      const own = emptyEnergy(slotsPerDay);
      day.fillEnergy(own, 0);
      const ownStatistics = day.readStatistics();
      const first = Math.max(0, Math.floor(range.fromMicros / slotMicros) - day.day * slotsPerDay);
      const last = Math.min(slotsPerDay, Math.ceil(range.toMicros / slotMicros) - day.day * slotsPerDay);
      for (let slot = first; slot < last; slot += 1) {
        const start = day.day * dayMicros + slot * slotMicros;
        const overlap = Math.min(range.toMicros, start + slotMicros) - Math.max(range.fromMicros, start);
        const share = overlap === slotMicros ? 1 : overlap / slotMicros;
        const bucket = bucketOf(start);
        for (const name of energyColumns) {
          energy[name][bucket] = (energy[name][bucket] ?? 0) + (own[name][slot] ?? 0) * share;
        }
        const number = day.day * slotsPerDay + slot;
        if (number >= slots.first && number < slots.last) addStatistics(statistics, bucket, ownStatistics, slot);
      }
    },
    addReading(reading) {
      addReading(statistics, bucketOf(reading.timeMicros), reading);
    },
  };
}

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
