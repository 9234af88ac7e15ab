import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import {
  type EmbeddedDashboard,
  embeddedDashboard,
  type EmbeddedDashboardWrite,
} from '../../../../shared/embedded-dashboards.ts';
import { embeddedDashboardVersion } from '../../../../shared/versions.ts';
import { saveOver } from '../../lib/edit-conflict.ts';
import { embeddedDashboardsPath, embeddedDashboardsQuery } from '../../lib/embedded-dashboards.ts';
import { fetchJson } from '../../lib/http.ts';
import { useDelete } from '../../lib/use-delete.ts';
import { useRenew } from '../../lib/use-renew.ts';

const useRenewDashboards = () => useRenew(embeddedDashboardsQuery.queryKey);

const put = (id: string, json: EmbeddedDashboardWrite, ifMatch: string | undefined) =>
  fetchJson(`${embeddedDashboardsPath}/${id}`, embeddedDashboard, { method: 'PUT', json, ifMatch });

/** Over the one that was seen; null adds one. */
export function useSaveEmbeddedDashboard() {
  const t = useTranslations('settings.dashboards');
  return useMutation({
    mutationFn: ({ seen, values }: { seen: EmbeddedDashboard | null; values: EmbeddedDashboardWrite }) =>
      saveOver({
        seen,
        versionOf: embeddedDashboardVersion,
        write: (ifMatch) =>
          seen === null
            ? fetchJson(embeddedDashboardsPath, embeddedDashboard, { method: 'POST', json: values })
            : put(seen.id, values, ifMatch),
        read: async () =>
          (await fetchJson(embeddedDashboardsPath, z.array(embeddedDashboard))).find(({ id }) => id === seen?.id),
        describe: (theirs) => [
          { label: t('title'), mine: values.title.trim(), theirs: theirs.title },
          { label: t('text'), mine: values.description?.trim() ?? '', theirs: theirs.description },
          { label: t('path'), mine: values.path.trim(), theirs: theirs.path },
        ],
      }),
    onSettled: useRenewDashboards(),
  });
}

/** Numbers all in this order; only those that have another place are written. */
export function useOrderEmbeddedDashboards() {
  return useMutation({
    mutationFn: async (inOrder: readonly EmbeddedDashboard[]) => {
      for (const [index, dashboard] of inOrder.entries()) {
        const sortOrder = (index + 1) * 10;
        if (sortOrder === dashboard.sortOrder) continue;
        await put(dashboard.id, { ...dashboard, sortOrder }, `"${embeddedDashboardVersion(dashboard)}"`);
      }
    },
    onSettled: useRenewDashboards(),
  });
}

export const useDeleteEmbeddedDashboard = () =>
  useDelete<EmbeddedDashboard>(embeddedDashboardsPath, embeddedDashboardVersion, useRenewDashboards());
