import { type EnergyReading, microsPerHour } from './energy.ts';

/** Called with the energy of an interval that lies in one bucket and has one sign, kWh. */
type AddEnergy = (bucket: number, importedKwh: number, exportedKwh: number) => void;

/**
 * The trapezoid between two samples of power (energy-and-cost.md 4), split where it crosses zero and at the edges of
 * buckets of `widthMicros` (counted from the epoch) at the interpolated power. Buckets outside `[from, to)` are left out.
 */
export function addTrapezoid(
  a: EnergyReading,
  b: EnergyReading,
  widthMicros: number,
  range: { from: number; to: number },
  add: AddEnergy,
): void {
  const duration = b.timeMicros - a.timeMicros;
  const slope = (b.activePowerKw - a.activePowerKw) / duration;
  const powerAt = (micros: number) => a.activePowerKw + slope * (micros - a.timeMicros);
  const crossing = a.activePowerKw * b.activePowerKw < 0 ? a.timeMicros - a.activePowerKw / slope : null;
  const first = Math.max(range.from, Math.floor(a.timeMicros / widthMicros));
  for (let bucket = first; bucket < range.to && bucket * widthMicros < b.timeMicros; bucket += 1) {
    const start = Math.max(a.timeMicros, bucket * widthMicros);
    const end = Math.min(b.timeMicros, (bucket + 1) * widthMicros);
    const isSplit = crossing !== null && crossing > start && crossing < end;
    const parts = isSplit ? [start, crossing, end] : [start, end];
    for (let at = 1; at < parts.length; at += 1) {
      const [x = 0, y = 0] = [parts[at - 1], parts[at]];
      // At the crossing the power is zero, whatever the division left of it.
      const [px, py] = [isSplit && at === 2 ? 0 : powerAt(x), isSplit && at === 1 ? 0 : powerAt(y)];
      const kwh = (((px + py) / 2) * (y - x)) / microsPerHour;
      if (kwh >= 0) add(bucket, kwh, 0);
      else add(bucket, 0, -kwh);
    }
  }
}
