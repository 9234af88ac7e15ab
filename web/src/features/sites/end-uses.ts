import type { DeviceWithSite } from '../../../../shared/sites.ts';

/** End uses that exist in most portals. They are suggested if only few are in use. */
export const commonEndUses = [
  'heating',
  'cooling',
  'ventilation',
  'hotWater',
  'lighting',
  'it',
  'refrigeration',
  'compressedAir',
  'production',
  'kitchen',
  'evCharging',
  'generation',
] as const;

/** With this many in use, nobody needs further suggestions. */
const enoughUsed = 8;

type Used = Pick<DeviceWithSite, 'endUse'>;

const keyOf = (endUse: string) => endUse.normalize().toLowerCase();

/** The end uses of devices. Spellings that differ only in form count as one, and the first one is shown. */
const usedBy = (devices: readonly Used[]): ReadonlyMap<string, string> =>
  new Map(devices.toReversed().flatMap(({ endUse }) => (endUse === null ? [] : [[keyOf(endUse), endUse]])));

/** The suggestions: the end uses of devices by name, then common ones if these are few. */
export function offeredEndUses(
  devices: readonly Used[],
  common: readonly string[],
  compareNames: (a: string, b: string) => number,
): string[] {
  const used = usedBy(devices);
  const others = used.size < enoughUsed ? common.filter((name) => !used.has(keyOf(name))) : [];
  return [...[...used.values()].toSorted(compareNames), ...others];
}

/** The existing end use that a text stands for, in its usual spelling. */
export const sameEndUse = (text: string, devices: readonly Used[]): string | undefined =>
  usedBy(devices).get(keyOf(text.trim()));
