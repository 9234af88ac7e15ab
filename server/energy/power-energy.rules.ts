import { type EnergyReading, type Grid, microsPerHour } from './energy.rules.ts';

/** Called with the energy of an interval that lies in one bucket and has one sign, kWh. */
type AddEnergy = (bucket: number, importedKwh: number, exportedKwh: number) => void;

/**
 * The trapezoid between two samples of power (energy-and-cost.md 4), split where it crosses zero and at the edges of the
 * buckets of the grid at the interpolated power; what lies outside the grid is left out.
 */
export function addTrapezoid(
  a: EnergyReading,
  b: EnergyReading,
  { startMicros, widthMicros, count }: Grid,
  add: AddEnergy,
): void {
  const duration = b.timeMicros - a.timeMicros;
  const slope = (b.activePowerKw - a.activePowerKw) / duration;
  const powerAt = (micros: number) => a.activePowerKw + slope * (micros - a.timeMicros);
  const crossing = a.activePowerKw * b.activePowerKw < 0 ? a.timeMicros - a.activePowerKw / slope : null;
  const first = Math.max(0, Math.floor((a.timeMicros - startMicros) / widthMicros));
  for (let bucket = first; bucket < count && startMicros + bucket * widthMicros < b.timeMicros; bucket += 1) {
    const start = Math.max(a.timeMicros, startMicros + bucket * widthMicros);
    const end = Math.min(b.timeMicros, startMicros + (bucket + 1) * widthMicros);
    const isSplit = crossing !== null && crossing > start && crossing < end;
    const parts = isSplit ? [start, crossing, end] : [start, end];
    for (let at = 1; at < parts.length; at += 1) {
      const [x = 0, y = 0] = [parts[at - 1], parts[at]];
      // Exactly zero at the crossing, free of rounding.
      const [px, py] = [isSplit && at === 2 ? 0 : powerAt(x), isSplit && at === 1 ? 0 : powerAt(y)];
      const kwh = (((px + py) / 2) * (y - x)) / microsPerHour;
      if (kwh >= 0) add(bucket, kwh, 0);
      else add(bucket, 0, -kwh);
    }
  }
}
