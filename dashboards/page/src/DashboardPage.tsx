import { DashboardProvider, DatasourceStoreProvider, VariableProviderWithQueryParams } from '@perses-dev/dashboards';
import type { DatasourceApi } from '@perses-dev/dashboards';
import { LinearProgress } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { getDashboard, type StoredDashboard } from './api.ts';
import { DashboardView } from './DashboardView.tsx';
import { Message } from './Message.tsx';
import { useIsNewPanelLoading } from './new-panel.ts';
import { RangeProvider } from './RangeProvider.tsx';
import { useToolUser } from './tool-user.ts';

/** There is only one data source, and the plugins know it. */
const noDatasources: DatasourceApi = {
  getDatasource: async () => undefined,
  getGlobalDatasource: async () => undefined,
  listDatasources: async () => [],
  listGlobalDatasources: async () => [],
};

export function DashboardPage() {
  const { name = '' } = useParams();
  const { brand } = useToolUser();
  // Never refetched automatically: that would overwrite edits.
  const { data, error } = useQuery({
    queryKey: ['dashboard', name],
    queryFn: () => getDashboard(name),
    staleTime: Infinity,
    cacheTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) document.title = `${data.title} · ${brand.applicationName}`;
  }, [data, brand.applicationName]);
  if (error !== null) return <Message error={error} />;
  if (data === undefined) return <LinearProgress />;
  return <StoredDashboardPage key={`${name} ${data.version}`} stored={data} />;
}

function StoredDashboardPage({ stored }: { stored: StoredDashboard }) {
  const { name, version, spec } = stored;
  const isNew = isMarkedNew(useLocation().state) && version === 1;
  const isNewPanelLoading = useIsNewPanelLoading();
  const resource = useMemo(
    () => ({
      kind: 'Dashboard' as const,
      metadata: { name, project: 'portal', version },
      spec: {
        ...spec,
        duration: spec.duration ?? '24h',
        variables: spec.variables ?? [],
        panels: spec.panels ?? {},
        layouts: spec.layouts ?? [],
      },
    }),
    [name, version, spec],
  );
  if (isNew && isNewPanelLoading) return <LinearProgress />;
  return (
    <DatasourceStoreProvider dashboardResource={resource} datasourceApi={noDatasources}>
      <DashboardProvider initialState={{ dashboardResource: resource, isEditMode: isNew }}>
        <RangeProvider duration={resource.spec.duration} refreshInterval={spec.refreshInterval ?? '0s'}>
          <VariableProviderWithQueryParams initialVariableDefinitions={resource.spec.variables}>
            <DashboardView stored={stored} />
          </VariableProviderWithQueryParams>
        </RangeProvider>
      </DashboardProvider>
    </DatasourceStoreProvider>
  );
}

const isMarkedNew = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isEditing' in state && state.isEditing === true;
