import type { DeviceWithSite } from '../../../shared/sites.ts';
import { type TimeRangeSearch, rangeKey } from './time-range.ts';

/** The devices of a page as they are in the URL: ids, separated by commas. Without both lists, all devices are meant. */
export interface DeviceChoice {
  /** Sites with all their devices, including later ones. */
  sites?: string;
  /** Devices in addition to those of the sites. */
  devices?: string;
}

/** The form of an id: a mistyped id among others is dropped instead of causing an error. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ids of a list in the URL, each once; undefined if there is none. */
export function readIds(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const ids = text.split(',').filter((item) => id.test(item));
  return ids.length === 0 ? undefined : [...new Set(ids.map((item) => item.toLowerCase()))].join(',');
}

/** Stands for a choice without any valid id. No site has this id, so it means no devices and not all devices. */
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

/** The choice as query parameters of the API. */
export const wireChoice = ({ sites, devices }: DeviceChoice): { siteIds?: string; deviceIds?: string } => ({
  ...(sites === undefined ? {} : { siteIds: sites }),
  ...(devices === undefined ? {} : { deviceIds: devices }),
});

/** A range and a choice of the URL, as part of a query key. */
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

/**
 * The choice for these devices. If all devices of an existing site are chosen (and it has several), the site is chosen as a
 * whole.
 */
export function choiceOfDevices(ids: ReadonlySet<string>, devices: readonly DeviceWithSite[]): DeviceChoice {
  if (ids.size === 0 || devices.every((device) => ids.has(device.id))) return {};
  const bySite = Map.groupBy(devices, ({ siteId }) => siteId);
  const whole = [...bySite].filter(([, own]) => own.length > 1 && own.every((device) => ids.has(device.id)));
  const sites = whole.map(([siteId]) => siteId);
  const others = devices.filter((device) => ids.has(device.id) && !sites.includes(device.siteId));
  return readDeviceChoice({ sites: sites.join(','), devices: others.map((device) => device.id).join(',') });
}

/** The display name of each device: a repeated name is extended by its site first, then by its external ID. */
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
