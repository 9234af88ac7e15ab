import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { devicesQuery } from '../../lib/devices.ts';
import { useDeviceStates } from '../../lib/use-device-states.ts';
import { liveQuery } from './queries.ts';
import { siteState, type LiveDevice, type SiteState } from './site-state.ts';

/** The live state of every site by its id; `states` is undefined until it is known. */
export function useSiteStates() {
  const devices = useQuery(devicesQuery);
  const live = useQuery(liveQuery);

  const known = useMemo(() => {
    const measured = new Map(live.data?.devices.map((device) => [device.deviceId, device]));
    return (devices.data ?? []).map(({ id, siteId, isActive, parentDeviceId, expectedIntervalSeconds }) => ({
      id,
      parentDeviceId,
      siteId,
      isActive,
      expectedIntervalSeconds,
      lastMeasuredAt: measured.get(id)?.lastMeasuredAt ?? null,
      currentPowerKw: measured.get(id)?.currentPowerKw ?? null,
    }));
  }, [devices.data, live.data]);
  const deviceStates = useDeviceStates(known);

  const bySite = new Map<string, LiveDevice[]>();
  for (const device of known) {
    const members = bySite.get(device.siteId) ?? [];
    members.push({ ...device, state: deviceStates.get(device.id) ?? 'noData' });
    bySite.set(device.siteId, members);
  }
  const isKnown = devices.data !== undefined && live.data !== undefined;
  const states: ReadonlyMap<string, SiteState> = new Map(
    [...bySite].map(([siteId, members]) => [siteId, siteState(members)]),
  );

  return {
    states: isKnown ? states : undefined,
    error: devices.error ?? live.error,
    retry: () => {
      void devices.refetch();
      void live.refetch();
    },
  };
}
