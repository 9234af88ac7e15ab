import { qualityFlagKind, type DataQuality, type QualityFlagKind } from '../../../../../shared/data-quality.ts';
import { countOfSlots, type QualitySlots } from '../../../entities/quality-spans.ts';

type Device = DataQuality['devices'][number];

/** The share of measured quarter-hours; null without any. */
export const measuredShare = (slots: QualitySlots): number | null =>
  countOfSlots(slots) === 0 ? null : slots.measured / countOfSlots(slots);

/** How many anomalies of each kind all devices have, without the kinds that do not occur. */
export function flagTotals(devices: readonly Pick<Device, 'counts'>[]): { kind: QualityFlagKind; count: number }[] {
  return qualityFlagKind.options
    .map((kind) => ({ kind, count: devices.reduce((sum, { counts }) => sum + counts[kind], 0) }))
    .filter(({ count }) => count > 0);
}

/** Devices with missing or interpolated time or anomalies, the worst first, then by name. */
export function troubledDevices(devices: readonly Device[], compareNames: (a: string, b: string) => number): Device[] {
  const flags = ({ counts }: Device) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  return devices
    .filter((device) => flags(device) > 0 || device.slots.interpolated + device.slots.missing > 0)
    .toSorted(
      (a, b) =>
        (measuredShare(a.slots) ?? 1) - (measuredShare(b.slots) ?? 1) ||
        flags(b) - flags(a) ||
        compareNames(a.deviceName, b.deviceName),
    );
}
