import type { Device } from '../../../shared/sites.ts';
import { deviceState, type DeviceState } from './live-state.ts';
import { useNow } from './use-now.ts';

export type WatchedDevice = Pick<Device, 'id' | 'isActive' | 'lastMeasuredAt' | 'expectedIntervalSeconds'>;

/** The state of each device by its id. */
export function useDeviceStates(devices: readonly WatchedDevice[]): ReadonlyMap<string, DeviceState> {
  const nowMs = useNow(10_000);
  return new Map(devices.map((device) => [device.id, deviceState(device, nowMs)]));
}
