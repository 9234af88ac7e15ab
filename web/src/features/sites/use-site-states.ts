import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { devicesQuery } from '../../lib/devices.ts';
import { useDeviceStates } from '../../lib/use-device-states.ts';
import { liveQuery } from './queries.ts';
import { siteState, type SiteState } from './site-state.ts';

/** Every device with its site and what it measures now, which is not there until it is known. */
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
  return {
    devices,
    isKnown: listed.data !== undefined && live.data !== undefined,
    error: listed.error ?? live.error,
    retry: () => {
      void listed.refetch();
      void live.refetch();
    },
  };
}

/** The live state of every site by its id; `states` is undefined until it is known. */
export function useSiteStates() {
  const { devices, isKnown, error, retry } = useLiveDevices();
  const deviceStates = useDeviceStates(devices);
  const members = devices.map((device) => ({ ...device, state: deviceStates.get(device.id) ?? 'noData' }));
  const states: ReadonlyMap<string, SiteState> = new Map(
    [...Map.groupBy(members, ({ siteId }) => siteId)].map(([siteId, own]) => [siteId, siteState(own)]),
  );
  return { states: isKnown ? states : undefined, error, retry };
}
