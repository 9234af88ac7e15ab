import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { type ComparedRanges, changeShare } from '../../lib/compared-ranges.ts';
import type { ChartColors } from '../../../../shared/charts/drawing.ts';
import { hasReadings } from './tiles/comparison.ts';
import type { Comparison } from './queries.ts';

type Device = DashboardSummary['devices'][number];

/** The number of devices listed at first. Users find others by searching. */
export const shownChanges = 10;

/** How much more or less energy a device used than in the previous range. */
export interface DeviceChange {
  device: Device;
  previousKwh: number;
  differenceKwh: number;
  /** The change as a share of the previous energy; null if a share would mean nothing. */
  share: number | null;
}

/** The devices whose energy changed, the largest change (up or down) first. */
export function deviceChanges(
  current: Pick<DashboardSummary, 'devices'>,
  previous: Pick<DashboardSummary, 'devices'>,
): DeviceChange[] {
  const before = new Map(previous.devices.map(({ deviceId, energyImportedKwh }) => [deviceId, energyImportedKwh]));
  return current.devices
    .map((device): DeviceChange => {
      const previousKwh = before.get(device.deviceId) ?? 0;
      const { energyImportedKwh } = device;
      const differenceKwh = energyImportedKwh - previousKwh;
      return { device, previousKwh, differenceKwh, share: changeShare(energyImportedKwh, previousKwh) };
    })
    .filter(({ differenceKwh }) => Math.abs(differenceKwh) > 1e-6)
    .toSorted((a, b) => Math.abs(b.differenceKwh) - Math.abs(a.differenceKwh));
}

/** The maximum number of devices in a stack, because no more colors can be distinguished. */
export const stackedChanges = ({ series }: Pick<ChartColors, 'series'>): number =>
  Math.min(shownChanges, series.length);

/** The devices with the `count` largest changes, for a stack. Sub-meters of another device in the stack are left out. */
export function mostChanged(changes: readonly DeviceChange[], count: number): string[] {
  const most = changes.slice(0, count).map(({ device }) => device);
  const ids = new Set(most.map(({ deviceId }) => deviceId));
  return most.filter(({ countedIn }) => !ids.has(countedIn ?? '')).map(({ deviceId }) => deviceId);
}

/** The changes since the previous range. Undefined while they load; null if there are none. */
export function changesOf(
  summary: DashboardSummary | undefined,
  comparison: Comparison | null | undefined,
): { changes: DeviceChange[]; ranges: ComparedRanges } | null | undefined {
  if (summary === undefined || comparison === undefined) return undefined;
  if (comparison === null || comparison.isEmpty || !hasReadings(comparison.previous)) return null;
  const changes = deviceChanges(comparison.current ?? summary, comparison.previous);
  return changes.length === 0 ? null : { changes, ranges: comparison.ranges };
}
