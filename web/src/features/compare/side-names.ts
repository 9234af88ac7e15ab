import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { deviceNames, devicesOfChoice, isChoice, type DeviceChoice } from '../../lib/device-choice.ts';

/** Words in the reader's language for sides that have no name. */
export interface SideWords {
  sites: (count: number) => string;
  /** "Riverside, 19 of 20 devices". */
  someDevices: (name: string, count: number, all: number) => string;
  /** "Riverside, 19 of 20 devices, with Oven". */
  withDevice: (name: string, device: string) => string;
}

/** With more parts than this, the side gets no name. */
const maxListed = 3;

/** The difference between the two sides: the range, the devices, or both. */
export function sideNames(
  choices: readonly [DeviceChoice, DeviceChoice],
  [range, otherRange]: readonly [string, string],
  all: readonly DeviceWithSite[],
  words: SideWords,
): [string, string] {
  const [own, other] = [devicesOfChoice(choices[0], all), devicesOfChoice(choices[1], all)];
  if (new Set(own).symmetricDifference(new Set(other)).size === 0) return [range, otherRange];
  const names = deviceNames(all);
  const listed = (devices: readonly DeviceWithSite[]) => devices.map(({ id }) => names.get(id)).join(', ');
  const siteNames = (devices: readonly DeviceWithSite[]) => {
    const sites = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
    return sites.size > maxListed ? words.sites(sites.size) : [...sites.values()].join(', ');
  };
  /** A device that was chosen individually; otherwise the sites. Empty if all devices are chosen. */
  const choiceName = (choice: DeviceChoice, chosen: readonly DeviceWithSite[]): string => {
    if (!isChoice(choice)) return '';
    return chosen.length === 1 && choice.sites === undefined ? listed(chosen) : siteNames(chosen);
  };
  /** The devices, or how many of their sites' devices these are. */
  const devicesName = (chosen: readonly DeviceWithSite[]): string => {
    if (chosen.length <= maxListed) return listed(chosen);
    const sites = new Set(chosen.map(({ siteId }) => siteId));
    const count = all.filter(({ siteId }) => sites.has(siteId)).length;
    return count === chosen.length ? siteNames(chosen) : words.someDevices(siteNames(chosen), chosen.length, count);
  };
  const withFirst = (name: string, chosen: readonly DeviceWithSite[], others: readonly DeviceWithSite[]) => {
    const first = chosen.filter((device) => !others.includes(device)).slice(0, 1);
    return first.length === 0 ? name : words.withDevice(name, listed(first));
  };
  let [ownName, otherName] = [choiceName(choices[0], own), choiceName(choices[1], other)];
  if (ownName === otherName) [ownName, otherName] = [devicesName(own), devicesName(other)];
  if (ownName === otherName) [ownName, otherName] = [withFirst(ownName, own, other), withFirst(otherName, other, own)];
  const nameOf = (choice: string, label: string) =>
    [choice, range === otherRange ? '' : label].filter((part) => part !== '').join(' · ') || label;
  return [nameOf(ownName, range), nameOf(otherName, otherRange)];
}
