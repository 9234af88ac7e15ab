import type { DashboardSummary, LoadCurve } from '../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import type { WatchedDevice } from '../../lib/devices.ts';
import { bucketLength } from '../../../../shared/charts/buckets.ts';
import type { SparkPoint } from '../../charts/sparkline.ts';

/** The devices with their last reading, which only the summary contains. */
export function watchedDevices(devices: readonly DeviceWithSite[], summary: DashboardSummary): WatchedDevice[] {
  const measured = new Map(summary.devices.map(({ deviceId, lastMeasuredAt }) => [deviceId, lastMeasuredAt]));
  return devices.map(({ id, isActive, expectedIntervalSeconds }) => ({
    id,
    isActive,
    expectedIntervalSeconds,
    lastMeasuredAt: measured.get(id) ?? null,
  }));
}

export type RecentBucket = '15min' | 'hour';

/**
 * The bucket of the small line: an hour if a device sends less than once a quarter-hour. Otherwise each quarter-hour would have
 * other devices.
 */
export function recentBucket(
  devices: readonly Pick<DeviceWithSite, 'isActive' | 'expectedIntervalSeconds'>[],
): RecentBucket {
  const isSlow = devices.some(
    (device) => device.isActive && (device.expectedIntervalSeconds ?? 0) * 1000 > bucketLength('15min'),
  );
  return isSlow ? 'hour' : '15min';
}

/** The last hours of the total power. Each bucket is drawn at its middle; the last point is the current power. */
export function recentPoints(curve: LoadCurve | undefined, currentPowerKw: number | null, nowMs: number): SparkPoint[] {
  const [total] = curve?.series ?? [];
  const length = bucketLength(curve?.bucket ?? '15min');
  const points = (curve?.times ?? []).flatMap((time, index): SparkPoint[] => {
    const value = total?.averagePowerKw[index] ?? null;
    return value === null ? [] : [{ at: Date.parse(time) + length / 2, value }];
  });
  return currentPowerKw === null ? points : [...points, { at: nowMs, value: currentPowerKw }];
}

/** The devices by site and name, in natural order. */
export const devicesByPlace = <D extends Pick<DashboardSummary['devices'][number], 'siteName' | 'deviceName'>>(
  devices: readonly D[],
  compareNames: (a: string, b: string) => number,
): D[] => devices.toSorted((a, b) => compareNames(a.siteName, b.siteName) || compareNames(a.deviceName, b.deviceName));

export const deviceOrders = ['place', 'power', 'average', 'silence'] as const;
export type DeviceOrder = (typeof deviceOrders)[number];

type Listed = DashboardSummary['devices'][number];

/** The devices by place, by current or average power (most first), or by age of the last reading (oldest first). */
export function sortDevices(
  devices: readonly Listed[],
  order: DeviceOrder,
  compareNames: (a: string, b: string) => number,
): Listed[] {
  const byPlace = devicesByPlace(devices, compareNames);
  const most = (read: (device: Listed) => number | null) =>
    byPlace.toSorted((a, b) => (read(b) ?? -Infinity) - (read(a) ?? -Infinity) || 0);
  if (order === 'power') return most(({ currentPowerKw }) => currentPowerKw);
  if (order === 'average') return most(({ averagePowerKw }) => averagePowerKw);
  if (order === 'place') return byPlace;
  const lastMs = ({ lastMeasuredAt }: Listed) => (lastMeasuredAt === null ? -Infinity : Date.parse(lastMeasuredAt));
  return byPlace.toSorted((a, b) => lastMs(a) - lastMs(b) || 0);
}

/** The newest of all readings, ms; null before the first reading. */
export function lastReadingMs({ devices }: Pick<DashboardSummary, 'devices'>): number | null {
  const times = devices.flatMap(({ lastMeasuredAt }) => (lastMeasuredAt === null ? [] : [Date.parse(lastMeasuredAt)]));
  return times.length === 0 ? null : Math.max(...times);
}
