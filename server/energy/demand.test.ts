import { describe, expect, it } from 'vitest';
import { type DemandSlots, emptyDemand, markInterpolated, peakDemand } from './power.rules.ts';
import { emptyEnergy, slotMicros } from './energy.rules.ts';

const slotsOf = (importedKwh: readonly number[], interpolated: readonly number[] = []): DemandSlots => {
  const slots = emptyDemand(0, importedKwh.length);
  slots.importedKwh.set(importedKwh);
  for (const at of interpolated) slots.isInterpolated[at] = 1;
  return slots;
};
/** From and to in slots. */
const peakOf = (slots: DemandSlots, from: number, to: number) =>
  peakDemand(slots, { fromMicros: from * slotMicros, toMicros: to * slotMicros });

describe('energy-and-cost 6: peak demand', () => {
  it('is four times the energy of the greatest slot', () => {
    expect(peakOf(slotsOf([1, 3, 2]), 0, 3)).toEqual({ kw: 12, slotStartMicros: slotMicros });
  });

  it('is the earliest of equal ones', () => {
    expect(peakOf(slotsOf([1, 3, 3]), 0, 3)?.slotStartMicros).toBe(slotMicros);
  });

  it('leaves out slots that the range cuts, at both ends', () => {
    expect(peakOf(slotsOf([9, 1, 2, 8]), 0.5, 4)).toEqual({ kw: 32, slotStartMicros: 3 * slotMicros });
    expect(peakOf(slotsOf([9, 1, 2, 8]), 0.5, 3.5)).toEqual({ kw: 8, slotStartMicros: 2 * slotMicros });
    expect(peakOf(slotsOf([9, 1, 2, 8]), 0.5, 1.5)).toBeNull();
  });

  it('leaves out slots with interpolated energy, imported or exported', () => {
    expect(peakOf(slotsOf([9, 1, 2], [0]), 0, 3)).toEqual({ kw: 8, slotStartMicros: 2 * slotMicros });
    const energy = emptyEnergy(3);
    energy.interpolatedImportedKwh[0] = 1;
    energy.interpolatedExportedKwh[2] = 1;
    const isInterpolated = new Uint8Array(3);
    markInterpolated(isInterpolated, energy);
    expect([...isInterpolated]).toEqual([1, 0, 1]);
  });

  it('is null if nothing was imported', () => {
    expect(peakOf(slotsOf([0, 0]), 0, 2)).toBeNull();
    expect(peakOf(slotsOf([]), 0, 2)).toBeNull();
  });
});
