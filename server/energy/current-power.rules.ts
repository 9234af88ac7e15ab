import { type EnergyRules, gapLimitMicros, type ReadingSpans } from './energy.rules.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../base/quantities.ts';
import { microsPerSecond } from '../base/instants.ts';

const leastSeconds = 15 * 60;

/**
 * A device's latest reading counts as its current power while it is younger than this, microseconds (decisions.md 4); one from
 * the future never does.
 */
export const currentForMicros = ({ expectedIntervalSeconds }: Pick<EnergyRules, 'expectedIntervalSeconds'>): number =>
  Math.max(leastSeconds, 2 * (expectedIntervalSeconds ?? 0)) * microsPerSecond;

/** The longest that a device holds comparisons back: a meter that is read once a day would hold back all others. */
const longestLagMicros = 2 * 3_600 * microsPerSecond;
/** Of many devices this share may be late: their missing readings weigh less than the delay for all others. */
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
