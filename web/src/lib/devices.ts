import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { deviceWithSite, type Device, type DeviceWithSite } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { ownApi } from './readings-api.ts';
import { deviceState, type DeviceState, type Watched } from '../../../shared/states.rules.ts';
import { useNow } from './use-now.ts';

/** `GET /api/sites/devices`: every device with its site, flat. */
export const devicesQueryOf = (api: string) =>
  queryOptions({
    queryKey: ['devices', api],
    queryFn: ({ signal }) => fetchJson(`${api}/sites/devices`, z.array(deviceWithSite), { signal }),
    staleTime: 60_000,
  });

export const devicesQuery = devicesQueryOf(ownApi);

/** The numbers that determine the colors of devices and their sites, by id; the first of them has the color of the brand. */
export const colorNumbers = (devices: readonly DeviceWithSite[]): ReadonlyMap<string, number> =>
  new Map(
    devices.flatMap(({ id, number, siteId, siteNumber }): [string, number][] => [
      ...(number === undefined ? [] : [[id, number - 1] satisfies [string, number]]),
      ...(siteNumber === undefined ? [] : [[siteId, siteNumber - 1] satisfies [string, number]]),
    ]),
  );

export type WatchedDevice = Watched & Pick<Device, 'id'>;

/** The state of each device by its id. */
export function useDeviceStates(devices: readonly WatchedDevice[]): ReadonlyMap<string, DeviceState> {
  const nowMs = useNow(10_000);
  return new Map(devices.map((device) => [device.id, deviceState(device, nowMs)]));
}
