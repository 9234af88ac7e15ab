import { describe, expect, it } from 'vitest';
import {
  emptyEnergy,
  slotMicros,
  clearOutside,
  cutSlots,
  energyColumns,
  type EnergyDay,
  estimateCut,
  partialDays,
} from './energy.rules.ts';
import { emptyStatistics } from './statistics.rules.ts';
import { dayMicros } from '../base/instants.ts';

const minute = 60_000_000;
const day = 20_000;
const start = day * dayMicros;
/** Minutes from the start of the day. */
const range = (from: number, to: number) => ({ fromMicros: start + from * minute, toMicros: start + to * minute });

/** A day whose slots have 1 kWh in each column, and a reading. */
function dayOfOnes(): EnergyDay {
  const energy = emptyEnergy(96);
  for (const name of energyColumns) energy[name].fill(1);
  const statistics = emptyStatistics(96);
  statistics.samples.fill(1);
  return { deviceNumber: 1, day, ...energy, statistics };
}

describe('a range that begins or ends inside a quarter-hour (energy-and-cost.md 3)', () => {
  it('cuts the quarter-hours at its ends, each once, and none at a boundary', () => {
    const cuts = (from: number, to: number) =>
      cutSlots(range(from, to)).map(({ slotStartMicros, fromMicros, toMicros }) =>
        [slotStartMicros, fromMicros, toMicros].map((micros) => (micros - start) / minute),
      );
    expect(cuts(0, 60)).toEqual([]);
    expect(cuts(5, 60)).toEqual([[0, 5, 15]]);
    expect(cuts(0, 50)).toEqual([[45, 45, 50]]);
    expect(cuts(5, 50)).toEqual([
      [0, 5, 15],
      [45, 45, 50],
    ]);
    expect(cuts(5, 12)).toEqual([[0, 5, 12]]);
    expect(cuts(-5, 7)).toEqual([
      [-15, -5, 0],
      [0, 0, 7],
    ]);
  });

  it('keeps the slots that it touches, and clears the others', () => {
    const kept = (from: number, to: number) => {
      const own = dayOfOnes();
      clearOutside(own, range(from, to));
      const found = [...own.importedKwh.keys()].filter((slot) => own.importedKwh[slot] !== 0);
      expect([...own.statistics.samples.keys()].filter((slot) => own.statistics.samples[slot] !== 0)).toEqual(found);
      return [found[0] ?? null, found.at(-1) ?? null, found.length];
    };
    expect(kept(0, 1440)).toEqual([0, 95, 96]);
    expect(kept(15, 45)).toEqual([1, 2, 2]);
    expect(kept(14, 46)).toEqual([0, 3, 4]);
    expect(kept(16, 44)).toEqual([1, 2, 2]);
    expect(kept(-100, 1)).toEqual([0, 0, 1]);
    expect(kept(1439, 2000)).toEqual([95, 95, 1]);
    expect(kept(1500, 2000)).toEqual([null, null, 0]);
  });

  it('is estimated by its share of the time if its readings are no longer kept', () => {
    const own = dayOfOnes();
    own.interpolatedImportedKwh.fill(0);
    own.interpolatedExportedKwh.fill(0);
    const [cut] = cutSlots(range(20, 60));
    if (cut === undefined) throw new Error('no cut');
    estimateCut(own, cut);
    for (const name of energyColumns) expect(own[name][1], name).toBeCloseTo(10 / 15, 12);
    expect(own.statistics.samples[1]).toBe(0);
    // The slots on either side stay.
    for (const slot of [0, 2]) {
      expect([own.importedKwh[slot], own.interpolatedImportedKwh[slot], own.statistics.samples[slot]]).toEqual([
        1, 0, 1,
      ]);
    }
  });

  it('covers the days at its ends partly, unless it starts or ends at their boundary', () => {
    expect(partialDays(range(0, 1440))).toEqual([]);
    expect(partialDays(range(1, 1439))).toEqual([day]);
    expect(partialDays({ fromMicros: start + slotMicros, toMicros: start + 3 * dayMicros + slotMicros })).toEqual([
      day,
      day + 3,
    ]);
  });
});
