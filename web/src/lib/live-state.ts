import type { Device } from '../../../shared/sites.ts';

/** Every device may send nothing for this long before it counts as offline. */
const silentAfterAtLeastMs = 30 * 60_000;
const missedIntervals = 3;

/** How old the last reading of a device may be before it counts as silent: three of its intervals, at least 30 minutes. */
export function silentAfterMs(expectedIntervalSeconds: number | null): number {
  return Math.max(silentAfterAtLeastMs, missedIntervals * (expectedIntervalSeconds ?? 0) * 1000);
}

/** `off`: switched off, so nobody waits for it. `noData`: it has never sent a reading. */
export type DeviceState = 'off' | 'noData' | 'silent' | 'live';

/** Clocks differ by less; up to this age the page shows "now". */
const aheadAfterMs = 60_000;

/** Whether a reading is in the future. Until its time comes, no arriving reading is newer. */
export const isAhead = (at: string, nowMs: number): boolean => Date.parse(at) - nowMs >= aheadAfterMs;

type Watched = Pick<Device, 'isActive' | 'lastMeasuredAt' | 'expectedIntervalSeconds'>;

export function deviceState(device: Watched, nowMs: number): DeviceState {
  if (!device.isActive) return 'off';
  if (device.lastMeasuredAt === null) return 'noData';
  const age = nowMs - Date.parse(device.lastMeasuredAt);
  return age > silentAfterMs(device.expectedIntervalSeconds) ? 'silent' : 'live';
}
