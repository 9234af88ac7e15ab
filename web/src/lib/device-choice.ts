import type { DeviceWithSite } from '../../../shared/sites.ts';
import { type TimeRangeSearch, rangeKey } from './time-range.ts';

/** The devices that a page is about as they stand in the URL, ids with commas between them. Neither is all of them. */
export interface DeviceChoice {
  /** Sites with all their devices, also those that they get later. */
  sites?: string;
  /** Devices beside those of the sites. */
  devices?: string;
}

/** The form of an id: a mistyped id beside others is dropped instead of an error. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ids of a list in the URL, each once; undefined where there is none. */
export function readIds(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const ids = text.split(',').filter((item) => id.test(item));
  return ids.length === 0 ? undefined : [...new Set(ids.map((item) => item.toLowerCase()))].join(',');
}

/** Replaces a choice without any id: no site has it, so it means no devices rather than all. */
const noSite = '00000000-0000-0000-0000-000000000000';

const isMistyped = (text: unknown) => text !== undefined && text !== '' && text !== 'all';

export function readDeviceChoice(search: Record<string, unknown>): DeviceChoice {
  const [sites, devices] = [readIds(search.sites), readIds(search.devices)];
  if (sites === undefined && devices === undefined && [search.sites, search.devices].some(isMistyped)) {
    return { sites: noSite };
  }
  return { ...(sites === undefined ? {} : { sites }), ...(devices === undefined ? {} : { devices }) };
}

export const isChoice = ({ sites, devices }: DeviceChoice): boolean => sites !== undefined || devices !== undefined;

/** The choice in the query of a route of the API. */
export const wireChoice = ({ sites, devices }: DeviceChoice): { siteIds?: string; deviceIds?: string } => ({
  ...(sites === undefined ? {} : { siteIds: sites }),
  ...(devices === undefined ? {} : { deviceIds: devices }),
});

/** What a range and a choice of the URL are called in the key of a query. */
export const viewKey = (search: TimeRangeSearch & DeviceChoice, timeZone: string): readonly string[] => [
  ...rangeKey(search, timeZone),
  search.sites ?? '',
  search.devices ?? '',
];

/** The devices of the choice, in their order. */
export function devicesOfChoice(choice: DeviceChoice, devices: readonly DeviceWithSite[]): readonly DeviceWithSite[] {
  if (!isChoice(choice)) return devices;
  const sites = new Set(choice.sites?.split(','));
  const ids = new Set(choice.devices?.split(','));
  return devices.filter((device) => sites.has(device.siteId) || ids.has(device.id));
}

/** The choice for these devices. An existing site with several devices, all of them chosen, is chosen as a whole. */
export function choiceOfDevices(ids: ReadonlySet<string>, devices: readonly DeviceWithSite[]): DeviceChoice {
  if (ids.size === 0 || devices.every((device) => ids.has(device.id))) return {};
  const bySite = Map.groupBy(devices, ({ siteId }) => siteId);
  const whole = [...bySite].filter(([, own]) => own.length > 1 && own.every((device) => ids.has(device.id)));
  const sites = whole.map(([siteId]) => siteId);
  const others = devices.filter((device) => ids.has(device.id) && !sites.includes(device.siteId));
  return readDeviceChoice({ sites: sites.join(','), devices: others.map((device) => device.id).join(',') });
}

/** How each device is called among the others: one whose name repeats by its site first, then by what its gateway calls it. */
export function deviceNames(
  devices: readonly Pick<DeviceWithSite, 'id' | 'name' | 'siteName' | 'externalId'>[],
): ReadonlyMap<string, string> {
  type Named = (typeof devices)[number];
  const levels: ((device: Named) => string)[] = [
    ({ name }) => name,
    ({ name, siteName }) => `${siteName} · ${name}`,
    ({ name, siteName, externalId }) => `${siteName} · ${name} (${externalId})`,
  ];
  const names = new Map<string, string>();
  let left = devices;
  for (const nameOf of levels) {
    const counts = new Map<string, number>();
    for (const device of left) counts.set(nameOf(device), (counts.get(nameOf(device)) ?? 0) + 1);
    for (const device of left) names.set(device.id, nameOf(device));
    left = left.filter((device) => (counts.get(nameOf(device)) ?? 0) > 1);
  }
  return names;
}
