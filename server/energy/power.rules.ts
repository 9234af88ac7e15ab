import { deviceLimits } from '../../shared/states.rules.ts';
import { type EnergyBuckets, slotMicros, type EnergyRules, gapLimitMicros, type ReadingSpans } from './energy.rules.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../base/quantities.ts';
import { microsPerSecond } from '../base/instants.ts';

/**
 * A device's latest reading counts as its current power until the device is offline, microseconds (decisions.md 4); one from the
 * future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  deviceLimits(expectedIntervalSeconds).offlineAfterSeconds * microsPerSecond;

/**
 * The longest time for which a device delays comparisons. Without this limit a meter that is read once a day would delay all
 * others.
 */
const longestLagMicros = 2 * 3_600 * microsPerSecond;
/** With many devices, this share of them may be late: their missing readings matter less than a delay for all others. */
const lateShare = 0.02;

/**
 * The instant up to which all sending devices have sent, epoch microseconds. Later readings may be in transit, so a
 * lower total after it proves nothing. Devices that are inactive, or without readings for longer than their gap limit
 * (at most two hours), do not count. Without any, it is now.
 */
export function arrivedUntil(
  devices: readonly { isActive: boolean; rules: EnergyRules; spans: Pick<ReadingSpans, 'any'> }[],
  nowMicros: number,
): number {
  const last = devices.flatMap(({ isActive, rules, spans: { any } }) => {
    const isSending = any !== null && nowMicros - any.lastMicros <= Math.min(longestLagMicros, gapLimitMicros(rules));
    return isActive && isSending ? [any.lastMicros] : [];
  });
  return Math.min(nowMicros, last.toSorted((a, b) => a - b)[Math.floor(last.length * lateShare)] ?? nowMicros);
}

/** The current power of the active devices that have one and add up, null if none has; and how many have one. */
export function sumCurrentPower(
  devices: readonly { number: number; isActive: boolean; countedIn: string | null }[],
  currentPower: ReadonlyMap<number, FixedUnits>,
): { deviceCount: number; powerKw: number | null } {
  const current = devices.filter(({ number, isActive }) => isActive && currentPower.has(number));
  const summed = current.filter(({ countedIn }) => countedIn === null);
  const sum = summed.reduce((all, { number }) => all + BigInt(currentPower.get(number) ?? 0), 0n);
  return { deviceCount: current.length, powerKw: summed.length === 0 ? null : fromFixedUnits(sum, milliOfKilo) };
}

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
