/** A device of `GET /api/dashboard/summary`, as far as its place among the others is concerned. */
export interface PlacedDevice {
  deviceId: string;
  countedIn: string | null;
}

/** Each device behind the one above it, a level deeper; the others in their order. `placeOf` has the ids of both. */
export function inTreeOrder<Device>(
  devices: readonly Device[],
  placeOf: (device: Device) => readonly [id: string, above: string | null],
): { device: Device; level: number }[] {
  const below = Map.groupBy(devices, (device) => placeOf(device)[1]);
  const walk = (above: string | null, level: number): { device: Device; level: number }[] =>
    (below.get(above) ?? []).flatMap((device) => [{ device, level }, ...walk(placeOf(device)[0], level + 1)]);
  return walk(null, 0);
}

/** The place of a device of a summary. */
export const placeOf = ({ deviceId, countedIn }: PlacedDevice) => [deviceId, countedIn] as const;

/** Whether a device counts in another one of them, so that not all add up. */
export const hasTree = (devices: readonly Pick<PlacedDevice, 'countedIn'>[]): boolean =>
  devices.some(({ countedIn }) => countedIn !== null);
