import type { EnergyRules, ReadingSpans } from './energy.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from './fixed-units.ts';
import { microsPerSecond } from './instants.ts';

const leastSeconds = 15 * 60;

/**
 * A device's latest reading counts as its current power while it is younger than this, microseconds (decisions.md 4); one from
 * the future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  Math.max(leastSeconds, 2 * (expectedIntervalSeconds ?? 0)) * microsPerSecond;

/** Whoever has sent nothing for longer than this, or than twice its interval, holds no comparison back. */
const longestLagSeconds = 2 * 3_600;

/**
 * The instant up to which all devices that still send have sent, epoch microseconds: what came after it is on its way, and not less than
 * at another time. Now where none sends.
 */
export function arrivedUntil(
  devices: readonly { rules: EnergyRules; spans: Pick<ReadingSpans, 'any'> }[],
  nowMicros: number,
): number {
  return devices.reduce((until, { rules: { expectedIntervalSeconds }, spans: { any } }) => {
    const lagMicros = Math.max(longestLagSeconds, 2 * (expectedIntervalSeconds ?? 0)) * microsPerSecond;
    return any === null || nowMicros - any.lastMicros > lagMicros ? until : Math.min(until, any.lastMicros);
  }, nowMicros);
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
