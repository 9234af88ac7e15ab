import { useMutation } from '@tanstack/react-query';
import { device, site, type DeviceWrite, type SiteWrite } from '../../../../shared/sites.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { useRenewAll } from '../../lib/rates.ts';

/** What is to be written: without an id it is created. */
interface Write<Values> {
  id: string | null;
  values: Values;
}

const target = (path: string, id: string | null) =>
  id === null ? ({ path, method: 'POST' } as const) : ({ path: `${path}/${id}`, method: 'PUT' } as const);

const sitesPath = '/api/admin/sites';
const devicesPath = '/api/admin/devices';

export function useSaveSite() {
  const renew = useRenewAll();
  return useMutation({
    mutationFn: ({ id, values }: Write<SiteWrite>) => {
      const { path, method } = target(sitesPath, id);
      return fetchJson(path, site, { method, json: values });
    },
    onSuccess: renew,
  });
}

export function useSaveDevice() {
  const renew = useRenewAll();
  return useMutation({
    mutationFn: ({ id, values }: Write<DeviceWrite>) => {
      const { path, method } = target(devicesPath, id);
      return fetchJson(path, device, { method, json: values });
    },
    onSuccess: renew,
  });
}

/** `leave` goes away from a page of what was deleted, before that page asks for it once more. */
function useDelete(path: string, leave?: () => Promise<unknown>) {
  const renew = useRenewAll();
  return useMutation({
    mutationFn: async (id: string) => {
      await fetchNothing(`${path}/${id}`, { method: 'DELETE' });
      await leave?.();
    },
    onSuccess: renew,
  });
}

export const useDeleteSite = (leave?: () => Promise<unknown>) => useDelete(sitesPath, leave);
export const useDeleteDevice = (leave?: () => Promise<unknown>) => useDelete(devicesPath, leave);
