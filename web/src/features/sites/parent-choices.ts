import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { inTreeOrder } from '../../../../shared/reports.ts';

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
