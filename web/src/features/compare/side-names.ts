import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { deviceNames, devicesOfChoice, isChoice, type DeviceChoice } from '../../lib/device-choice.ts';

/** What tells the two sides apart: the range, the devices, or both. */
export function sideNames(
  choices: readonly [DeviceChoice, DeviceChoice],
  [range, otherRange]: readonly [string, string],
  all: readonly DeviceWithSite[],
): [string, string] {
  const [own, other] = [devicesOfChoice(choices[0], all), devicesOfChoice(choices[1], all)];
  if (new Set(own).symmetricDifference(new Set(other)).size === 0) return [range, otherRange];
  const names = deviceNames(all);
  const listed = (devices: readonly DeviceWithSite[]) => devices.map(({ id }) => names.get(id)).join(', ');
  /** A device that was chosen by itself, else the sites; nothing for all devices. */
  const choiceName = (choice: DeviceChoice, chosen: readonly DeviceWithSite[]): string => {
    if (!isChoice(choice)) return '';
    if (chosen.length === 1 && choice.sites === undefined) return listed(chosen);
    return [...new Set(chosen.map((device) => device.siteName))].join(', ');
  };
  const short = [choiceName(choices[0], own), choiceName(choices[1], other)] as const;
  const [ownName, otherName] = short[0] === short[1] ? [listed(own), listed(other)] : short;
  const nameOf = (choice: string, label: string) =>
    [choice, range === otherRange ? '' : label].filter((part) => part !== '').join(' · ') || label;
  return [nameOf(ownName, range), nameOf(otherName, otherRange)];
}
