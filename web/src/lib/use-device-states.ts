import { useQueries } from '@tanstack/react-query';
import type { Device } from '../../../shared/sites.ts';
import { siteWithDevices } from '../../../shared/sites.ts';
import { fetchJson } from './http.ts';
import { deviceState, needsInterval, type DeviceState } from './live-state.ts';
import { useNow } from './use-now.ts';

type KnownDevice = Pick<Device, 'id' | 'siteId' | 'isActive' | 'lastMeasuredAt'>;

/** Intervals are changed by hand: they need not be asked for with every refresh. */
const intervalsStaleMs = 5 * 60_000;

/**
 * The state of each device by its id. The expected interval of a device is told only by its site, which is asked where a
 * long interval could mean that a device is not silent. Until it answers, and where it does not, the least limit holds: an
 * old reading never looks live.
 */
export function useDeviceStates(devices: readonly KnownDevice[]): ReadonlyMap<string, DeviceState> {
  const nowMs = useNow(10_000);
  const suspects = devices.filter((device) => needsInterval(device, nowMs));
  const siteIds = [...new Set(suspects.map(({ siteId }) => siteId))];
  const sites = useQueries({
    queries: siteIds.map((siteId) => ({
      queryKey: ['sites', siteId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchJson(`/api/sites/${encodeURIComponent(siteId)}`, siteWithDevices, { signal }),
      staleTime: intervalsStaleMs,
    })),
  });
  const intervals = new Map(
    sites.flatMap(({ data }) => data?.devices.map((one) => [one.id, one.expectedIntervalSeconds] as const) ?? []),
  );
  return new Map(
    devices.map((device) => {
      const expectedIntervalSeconds = intervals.get(device.id) ?? null;
      return [device.id, deviceState({ ...device, expectedIntervalSeconds }, nowMs)];
    }),
  );
}
