import type { DeviceWithSite, Site } from '../../../shared/sites.ts';
import { searchFor } from '../../../shared/search-text.ts';

export interface ChosenDevices {
  /** In the order of the list, which is sorted by site and name. */
  devices: readonly DeviceWithSite[];
  isAll: boolean;
}

/**
 * The meaning of `devices` in the URL: ids, or `all` if it is absent. If there is only one device, it is chosen automatically.
 */
export function chosenDevices(text: string | undefined, devices: readonly DeviceWithSite[]): ChosenDevices {
  if (text === 'all' || text === undefined) return { devices, isAll: text === 'all' || devices.length !== 1 };
  const ids = new Set(text.toLowerCase().split(','));
  return { devices: devices.filter(({ id }) => ids.has(id)), isAll: false };
}

/** The time zone that the sites of the devices share. Null if there are several, or if none is known. */
export function commonTimeZone(devices: readonly DeviceWithSite[], sites: readonly Site[]): string | null {
  const siteIds = new Set(devices.map(({ siteId }) => siteId));
  const zones = new Set(sites.filter(({ id }) => siteIds.has(id)).map(({ timeZone }) => timeZone));
  const [only] = zones;
  return zones.size === 1 && only !== undefined ? only : null;
}

/** Devices by site, in their order. */
export function bySite(
  devices: readonly DeviceWithSite[],
): { siteId: string; siteName: string; devices: DeviceWithSite[] }[] {
  const groups = new Map<string, { siteId: string; siteName: string; devices: DeviceWithSite[] }>();
  for (const device of devices) {
    const { siteId, siteName } = device;
    const group = groups.get(siteId) ?? { siteId, siteName, devices: [] };
    group.devices.push(device);
    groups.set(siteId, group);
  }
  return [...groups.values()];
}

/** The devices of a site with the same name; their external IDs distinguish them. */
export const namesakes = (devices: readonly DeviceWithSite[]): ReadonlySet<string> =>
  new Set(
    [...Map.groupBy(devices, ({ siteId, name }) => `${siteId} ${name}`).values()]
      .filter(({ length }) => length > 1)
      .flatMap((own) => own.map(({ id }) => id)),
  );

/** Whether each word of the search occurs in the names of the device, its external ID or its end use. */
export const isFound = ({ name, siteName, externalId, endUse }: DeviceWithSite, search: string): boolean =>
  searchFor(search)(`${name} ${siteName} ${externalId} ${endUse ?? ''}`);
