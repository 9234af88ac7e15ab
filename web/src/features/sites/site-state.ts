import { countStates, type DeviceCounts, type DeviceState, siteState } from '../../../../shared/states.rules.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { devicesQuery, useDeviceStates } from '../../lib/devices.ts';
import { liveQuery } from './queries.ts';

/** The current state of a device. */
export interface LiveDevice {
  state: DeviceState;
  /** The current power. Null if no reading is recent enough. */
  currentPowerKw: number | null;
  /** Whether the device is a sub-meter, whose power is included in that of its main meter. */
  parentDeviceId: string | null;
  lastMeasuredAt: string | null;
}

export interface SiteNow {
  state: DeviceState;
  /** The number of devices by state. */
  counts: DeviceCounts;
  /** The sum of the current power of the devices; null if none has any. */
  currentPowerKw: number | null;
  /** The newest reading of all devices of the site. */
  lastMeasuredAt: string | null;
}

/** The totals of the devices of one site. Inactive devices and sub-meters add no power. */
export function siteNow(devices: readonly LiveDevice[]): SiteNow {
  const counts = countStates(devices.map(({ state }) => state));
  const site: SiteNow = {
    state: siteState(counts),
    counts,
    currentPowerKw: null,
    lastMeasuredAt: null,
  };
  for (const { state, currentPowerKw, parentDeviceId, lastMeasuredAt } of devices) {
    site.lastMeasuredAt = newer(site.lastMeasuredAt, lastMeasuredAt);
    if (state !== 'inactive' && parentDeviceId === null && currentPowerKw !== null) {
      site.currentPowerKw = (site.currentPowerKw ?? 0) + currentPowerKw;
    }
  }
  return site;
}

function newer(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) > Date.parse(b) ? a : b;
}

/** Every device with its site and current power. The power is missing until it is known. */
export function useLiveDevices() {
  const listed = useQuery(devicesQuery);
  const live = useQuery(liveQuery);
  const devices = useMemo(() => {
    const measured = new Map(live.data?.devices.map((device) => [device.deviceId, device]));
    return (listed.data ?? []).map((device) => {
      const { lastMeasuredAt = null, currentPowerKw = null } = measured.get(device.id) ?? {};
      return { ...device, lastMeasuredAt, currentPowerKw };
    });
  }, [listed.data, live.data]);
  return { devices, queries: [listed, live] as const };
}

/** The live state of every site by its id. `states` is undefined until the states are known. */
export function useSiteStates() {
  const { devices, queries } = useLiveDevices();
  const deviceStates = useDeviceStates(devices);
  const members = devices.map((device) => ({ ...device, state: deviceStates.get(device.id) ?? 'never' }));
  const states: ReadonlyMap<string, SiteNow> = new Map(
    [...Map.groupBy(members, ({ siteId }) => siteId)].map(([siteId, own]) => [siteId, siteNow(own)]),
  );
  return {
    states: queries.every(({ data }) => data !== undefined) ? states : undefined,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
