import type { FixedUnits } from './fixed-units.ts';

/** One measurement of one device: the instant in epoch microseconds, the quantities in fixed units. */
export interface Reading {
  timeMicros: number;
  activePower: FixedUnits;
  reactivePower: FixedUnits | null;
  apparentPower: FixedUnits | null;
  powerFactor: FixedUnits | null;
  voltage: FixedUnits | null;
  frequency: FixedUnits | null;
  energyImported: FixedUnits | null;
  energyExported: FixedUnits | null;
}
