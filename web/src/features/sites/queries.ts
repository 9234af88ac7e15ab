import { queryOptions, useMutation, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { dashboardSummary } from '../../../../shared/dashboard.ts';
import { rawMeasurementsPage } from '../../../../shared/measurements.ts';
import {
  siteWithDevices,
  device,
  type Device,
  type DevicesChange,
  devicesChanged,
  deviceWithSite,
  type DeviceWrite,
  site,
  type Site,
  type SiteWrite,
} from '../../../../shared/sites.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { dayMs, toInstant } from '../../../../shared/time.ts';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { deviceVersion, siteVersion } from '../../../../shared/versions.ts';
import { useDeviceFields } from './device-values.ts';
import { type RecordFields, urlUnder, useSaveRecord } from '../../lib/records.ts';
import { ratesQuery, useRenewAll } from '../../entities/rates.ts';
import { loadAllErrorTexts } from '../../lib/i18n/error-texts.ts';
import { tableCheck, tableCounts } from '../../../../shared/site-table.ts';

const path = '/api/admin/site-table';
type Rows = readonly Partial<Record<string, unknown>>[];

/** `POST /api/admin/site-table/check`: changes nothing, so it is a query. */
export const tableCheckQuery = (rows: Rows) =>
  queryOptions({
    queryKey: ['site-table', rows],
    queryFn: async ({ signal }) => {
      const [found] = await Promise.all([
        fetchJson(`${path}/check`, tableCheck, { method: 'POST', json: { rows }, signal }),
        loadAllErrorTexts(),
      ]);
      return found;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

/** `POST /api/admin/site-table` */
export function useCreateTable() {
  return useMutation({
    mutationFn: (rows: Rows) => fetchJson(path, tableCounts, { method: 'POST', json: { rows } }),
    onSuccess: useRenewAll(),
  });
}

const sitesPath = '/api/admin/sites';
const devicesPath = '/api/admin/devices';

export function useSiteFields(): RecordFields<SiteWrite> {
  const t = useTranslations();
  const client = useQueryClient();
  const nameOf = (wanted: string) =>
    client.getQueryData(ratesQuery.queryKey)?.find(({ id }) => id === wanted)?.name ?? wanted;
  return {
    name: { label: t('common.name') },
    municipalityId: { label: t('terms.municipality'), text: ({ municipalityId }) => nameOf(municipalityId) },
  };
}

export const useSaveSite = () =>
  useSaveRecord<SiteWrite, Site>({
    urlOf: urlUnder(sitesPath),
    answer: site,
    versionOf: siteVersion,
    read: ({ id }) => fetchJson(`/api/sites/${id}`, site),
    fields: useSiteFields(),
    renew: useRenewAll(),
  });

export const useSaveDevice = () =>
  useSaveRecord<DeviceWrite, Device>({
    urlOf: urlUnder(devicesPath),
    answer: device,
    versionOf: deviceVersion,
    read: ({ id }) => findDevice(id),
    fields: useDeviceFields(),
    renew: useRenewAll(),
  });

/** A device, whatever site it belongs to now. */
async function findDevice(id: string): Promise<Device | undefined> {
  const listed = await fetchJson('/api/sites/devices', z.array(deviceWithSite));
  const siteId = listed.find((each) => each.id === id)?.siteId;
  if (siteId === undefined) return undefined;
  const { devices } = await fetchJson(`/api/sites/${siteId}`, siteWithDevices);
  return devices.find((each) => each.id === id);
}

interface Deletion<Stored> {
  seen: Stored;
  withMeasurements?: boolean;
}

/** `leave` leaves the page of the deleted item, before that page requests the item again. */
function useDelete<Stored extends { id: string }>(
  path: string,
  versionOf: (seen: Stored) => string,
  leave?: () => Promise<unknown>,
) {
  const renew = useRenewAll();
  return useMutation({
    mutationFn: async ({ seen, withMeasurements }: Deletion<Stored>) => {
      const query = withMeasurements ? { withMeasurements } : {};
      await fetchNothing(`${path}/${seen.id}`, { method: 'DELETE', query, ifMatch: `"${versionOf(seen)}"` });
      await leave?.();
    },
    onSettled: renew,
  });
}

/** The effects of deleting a site. */
export type DeletedSite = Pick<Site, 'id' | 'name' | 'municipalityId' | 'deviceCount'>;

export const useDeleteSite = (leave?: () => Promise<unknown>) => useDelete<DeletedSite>(sitesPath, siteVersion, leave);
export const useDeleteDevice = (leave?: () => Promise<unknown>) => useDelete<Device>(devicesPath, deviceVersion, leave);

/** Changes several devices in the same way: all of them or none. */
export function useChangeDevices() {
  return useMutation({
    mutationFn: (json: DevicesChange) => fetchJson(`${devicesPath}/change`, devicesChanged, { method: 'POST', json }),
    onSuccess: useRenewAll(),
  });
}

const refreshMs = 30_000;

/** `GET /api/sites/{id}`: a site with its devices. */
export const siteQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['sites', siteId],
    queryFn: ({ signal }) => fetchJson(`/api/sites/${encodeURIComponent(siteId)}`, siteWithDevices, { signal }),
    refetchInterval: refreshMs,
  });

/** `GET /api/dashboard/summary` of the last 24 hours: the current power of each device, and its last reading. */
export const liveQuery = queryOptions({
  queryKey: ['sites', 'live'],
  queryFn: ({ signal }) => {
    const now = Date.now();
    const query = { from: toInstant(now - dayMs), to: toInstant(now) };
    return fetchJson('/api/dashboard/summary', dashboardSummary, { query, signal });
  },
  refetchInterval: refreshMs,
});

/** The number of all readings of a device, including accepted readings in the future. */
export const readingCountQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['measurements', 'count', deviceId],
    queryFn: async ({ signal }) => {
      const query = {
        deviceIds: deviceId,
        from: '2000-01-01T00:00:00Z',
        to: toInstant(Date.now() + 2 * dayMs),
        limit: 1,
      };
      return (await fetchJson('/api/measurements/raw', rawMeasurementsPage, { query, signal })).totalCount;
    },
    staleTime: 0,
  });
