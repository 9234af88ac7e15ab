import type { EnergyRules } from './energy.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from './fixed-units.ts';
import { microsPerSecond } from './instants.ts';

const leastSeconds = 15 * 60;

/**
 * A device's latest reading counts as its current power while it is younger than this, microseconds (decisions.md 4); one from
 * the future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  Math.max(leastSeconds, 2 * (expectedIntervalSeconds ?? 0)) * microsPerSecond;

/** The current power of the active devices that have one, and how many those are; null if none has. */
export function sumCurrentPower(
  devices: readonly { number: number; isActive: boolean }[],
  currentPower: ReadonlyMap<number, FixedUnits>,
): { deviceCount: number; powerKw: number | null } {
  const current = devices.flatMap(({ number, isActive }) => (isActive ? (currentPower.get(number) ?? []) : []));
  const sum = current.reduce<bigint>((all, one) => all + BigInt(one), 0n);
  return { deviceCount: current.length, powerKw: current.length === 0 ? null : fromFixedUnits(sum, milliOfKilo) };
}
