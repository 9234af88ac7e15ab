/** A device of `GET /api/dashboard/summary`, as far as its place among the others is concerned. */
export interface PlacedDevice {
  deviceId: string;
  countedIn: string | null;
}

/** Each device behind the one that it counts in, a level deeper; the others in their order. */
export function inTreeOrder<Device extends PlacedDevice>(
  devices: readonly Device[],
): { device: Device; level: number }[] {
  const below = Map.groupBy(devices, ({ countedIn }) => countedIn);
  const walk = (above: string | null, level: number): { device: Device; level: number }[] =>
    (below.get(above) ?? []).flatMap((device) => [{ device, level }, ...walk(device.deviceId, level + 1)]);
  return walk(null, 0);
}

/** Whether a device counts in another one of them, so that not all add up. */
export const hasTree = (devices: readonly Pick<PlacedDevice, 'countedIn'>[]): boolean =>
  devices.some(({ countedIn }) => countedIn !== null);
