import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { deviceWithSite, type Device } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { ownApi } from './readings-api.ts';
import { deviceState, type DeviceState } from './live-state.ts';
import { useNow } from './use-now.ts';

/** `GET /api/sites/devices`: every device with its site, flat. */
export const devicesQueryOf = (api: string) =>
  queryOptions({
    queryKey: ['devices', api],
    queryFn: ({ signal }) => fetchJson(`${api}/sites/devices`, z.array(deviceWithSite), { signal }),
    staleTime: 60_000,
  });

export const devicesQuery = devicesQueryOf(ownApi);

export type WatchedDevice = Pick<Device, 'id' | 'isActive' | 'lastMeasuredAt' | 'expectedIntervalSeconds'>;

/** The state of each device by its id. */
export function useDeviceStates(devices: readonly WatchedDevice[]): ReadonlyMap<string, DeviceState> {
  const nowMs = useNow(10_000);
  return new Map(devices.map((device) => [device.id, deviceState(device, nowMs)]));
}
