import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { inTreeOrder } from '../../../../shared/device-tree.ts';

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
