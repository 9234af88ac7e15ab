import { type EnergyBuckets, slotMicros } from './energy.rules.ts';

/** The peak demand of a range (energy-and-cost.md 6): kW over the quarter-hour that starts at `slotStartMicros`. */
export interface PeakDemand {
  kw: number;
  slotStartMicros: number;
}

/** Slots from `startMicros` on: the imported energy of one device, or the sum of several, and where any was interpolated. */
export interface DemandSlots {
  startMicros: number;
  importedKwh: Float64Array;
  /** 1 where a slot holds interpolated energy of any device. */
  isInterpolated: Uint8Array;
}

export const emptyDemand = (startMicros: number, count: number): DemandSlots => ({
  startMicros,
  importedKwh: new Float64Array(count),
  isInterpolated: new Uint8Array(count),
});

/** Marks the slots that hold interpolated energy. */
export function markInterpolated(isInterpolated: Uint8Array, energy: EnergyBuckets): void {
  const { interpolatedImportedKwh, interpolatedExportedKwh } = energy;
  for (let slot = 0; slot < interpolatedImportedKwh.length; slot += 1) {
    if (interpolatedImportedKwh[slot] !== 0 || interpolatedExportedKwh[slot] !== 0) isInterpolated[slot] = 1;
  }
}

/**
 * The peak demand of the slots that lie wholly in the range, with imported energy and without interpolated; the earliest of
 * equals, null if there is none.
 */
export function peakDemand(
  { startMicros, importedKwh, isInterpolated }: DemandSlots,
  range: { fromMicros: number; toMicros: number },
): PeakDemand | null {
  const first = Math.max(0, Math.ceil((range.fromMicros - startMicros) / slotMicros));
  const last = Math.min(importedKwh.length, Math.floor((range.toMicros - startMicros) / slotMicros));
  let best = 0;
  let at = -1;
  for (let slot = first; slot < last; slot += 1) {
    const kwh = importedKwh[slot] ?? 0;
    if (kwh > best && isInterpolated[slot] === 0) {
      best = kwh;
      at = slot;
    }
  }
  return at < 0 ? null : { kw: best * 4, slotStartMicros: startMicros + at * slotMicros };
}
