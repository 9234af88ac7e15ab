import type { Device, DeviceWrite, DeviceWithSite } from '../../../../shared/sites.ts';
import { readDecimal, writeDecimal } from '../../lib/decimal.ts';
import { inTreeOrder } from '../../../../shared/reports.ts';

/** The same limits as in the wire contract. */
export const limits = { ratedPowerKw: 1e9, registerMaxKwh: 1e12, expectedIntervalSeconds: 86_400 } as const;

/** What the form of a device holds; numbers as they are typed. */
export interface DeviceValues {
  siteId: string;
  name: string;
  externalId: string;
  isActive: boolean;
  energySource: DeviceWrite['energySource'];
  ratedPowerKw: string;
  registerMaxKwh: string;
  expectedIntervalSeconds: string;
  parentDeviceId: string | null;
  endUse: string;
}

/** Fills the form from a device, or for a new one of the site. `separator` stands before decimals. */
export function valuesOf(device: Device | null, siteId: string, separator: string): DeviceValues {
  const write = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : writeDecimal(value, separator);
  return {
    siteId: device?.siteId ?? siteId,
    name: device?.name ?? '',
    externalId: device?.externalId ?? '',
    isActive: device?.isActive ?? true,
    energySource: device?.energySource ?? 'auto',
    ratedPowerKw: write(device?.ratedPowerKw),
    registerMaxKwh: write(device?.registerMaxKwh),
    expectedIntervalSeconds: write(device?.expectedIntervalSeconds),
    parentDeviceId: device?.parentDeviceId ?? null,
    endUse: device?.endUse ?? '',
  };
}

/** Whether the field is empty or holds a number above zero that is not more than `max`. */
export function isAboveZero(text: string, max: number, separator: string): boolean {
  const value = readDecimal(text, separator);
  return value === null || (value !== undefined && value > 0 && value <= max);
}

export function isWholeSeconds(text: string, separator: string): boolean {
  const value = readDecimal(text, separator);
  return isAboveZero(text, limits.expectedIntervalSeconds, separator) && (value === null || Number.isInteger(value));
}

/** What is sent to the portal; the numbers have been checked. */
export function toDeviceWrite(values: DeviceValues, separator: string): DeviceWrite {
  const read = (text: string) => readDecimal(text, separator) ?? null;
  return {
    ...values,
    ratedPowerKw: read(values.ratedPowerKw),
    registerMaxKwh: read(values.registerMaxKwh),
    expectedIntervalSeconds: read(values.expectedIntervalSeconds),
    endUse: values.endUse.trim() || null,
  };
}

/** The devices of a site that a device (null: a new one) may measure a part of: all but itself and its own parts. */
export function parentChoices<Device extends Pick<DeviceWithSite, 'id' | 'siteId' | 'parentDeviceId'>>(
  devices: readonly Device[],
  siteId: string,
  deviceId: string | null,
): Device[] {
  const ofSite = devices.filter((one) => one.siteId === siteId);
  const above = (one: Device) => (one.id === deviceId ? 'itself' : one.parentDeviceId);
  return inTreeOrder(ofSite, (one) => [one.id, above(one)]).map(({ device }) => device);
}

type Placed = Pick<DeviceWithSite, 'id' | 'parentDeviceId'>;

/** What a tree of meters has beside the chosen ones: it moves as a whole. */
export function othersOfTrees<Device extends Placed>(
  devices: readonly Device[],
  chosen: ReadonlySet<string>,
): Device[] {
  const known = new Map(devices.map((device) => [device.id, device]));
  const rootOf = (device: Device): Device => {
    const parent = known.get(device.parentDeviceId ?? '');
    return parent === undefined ? device : rootOf(parent);
  };
  const roots = new Set(devices.filter(({ id }) => chosen.has(id)).map(rootOf));
  return devices.filter((device) => !chosen.has(device.id) && roots.has(rootOf(device)));
}
