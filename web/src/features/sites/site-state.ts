import { countStates, type DeviceCounts, type DeviceState } from '../../../../shared/states.rules.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { devicesQuery, useDeviceStates } from '../../lib/devices.ts';
import { liveQuery } from './queries.ts';

/** The current state of a device. */
export interface LiveDevice {
  state: DeviceState;
  /** Null if no reading is recent enough. */
  currentPowerKw: number | null;
  /** The power of a sub-meter is included in that of its main meter. */
  parentDeviceId: string | null;
  lastMeasuredAt: string | null;
}

export interface SiteNow {
  state: DeviceState;
  /** Devices by state. */
  counts: DeviceCounts;
  /** Sum of what is measured now; null where nothing is. */
  currentPowerKw: number | null;
  /** The newest reading of all its devices. */
  lastMeasuredAt: string | null;
}

/** A site is as its worst active device that has ever sent; without any, as the others. */
export function siteState(counts: DeviceCounts): DeviceState {
  const order = ['offline', 'late', 'live', 'never', 'inactive'] as const;
  return order.find((state) => counts[state] > 0) ?? 'never';
}

/** What the devices of one site come to. One that is switched off adds no power, and neither does a sub-meter. */
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

/** Every device with its site and its current power, which is missing until it is known. */
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

/** The live state of every site by its id; `states` is undefined until it is known. */
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
