import type { Device, DeviceWrite, DeviceWithSite } from '../../../../shared/sites.ts';
import { typedNumber, writeDecimal } from '../../lib/decimal.ts';
import { inTreeOrder } from '../../../../shared/reports.ts';

type NumberField = 'ratedPowerKw' | 'registerMaxKwh' | 'expectedIntervalSeconds';
/** What the form of a device holds; numbers as they are typed. */
export type DeviceValues = Omit<DeviceWrite, NumberField | 'endUse'> & Record<NumberField | 'endUse', string>;

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

/** What is sent to the portal; what is no number is NaN. */
export const toDeviceWrite = (values: DeviceValues, separator: string): DeviceWrite => ({
  ...values,
  ratedPowerKw: typedNumber(values.ratedPowerKw, separator),
  registerMaxKwh: typedNumber(values.registerMaxKwh, separator),
  expectedIntervalSeconds: typedNumber(values.expectedIntervalSeconds, separator),
  endUse: values.endUse.trim() || null,
});

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
