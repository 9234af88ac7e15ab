import { Alert, Box, Stack } from '@mui/material';
import { ErrorAlert, ErrorBoundary } from '@perses-dev/components';
import { Dashboard, useEditMode, useVariableDefinitions, VariableList } from '@perses-dev/dashboards';
import { ValidationProvider } from '@perses-dev/plugin-system';
import { lazy, Suspense } from 'react';
import type { StoredDashboard } from './api.ts';
import { usePendingCustomers } from './pending.ts';
import { OpenTable } from './plugins/chart-panel.tsx';
import { fill, texts } from './texts.ts';
import { Toolbar } from './Toolbar.tsx';

const EditingDialogs = lazy(() =>
  import('./EditingDialogs.tsx').then((module) => ({ default: module.EditingDialogs })),
);

export function DashboardView({ stored }: { stored: StoredDashboard }) {
  const { isEditMode } = useEditMode();
  const pendingCustomers = usePendingCustomers();
  const hasVariables = useVariableDefinitions().some(({ spec }) => spec.display?.hidden !== true);
  return (
    <Box component="main" sx={{ minHeight: '100vh', pb: 2 }}>
      <Toolbar stored={stored} />
      {hasVariables && (
        <Stack direction="row" useFlexGap flexWrap="wrap" gap={1} sx={{ px: 2, pt: 1.5 }}>
          <VariableList />
        </Stack>
      )}
      {pendingCustomers > 0 && (
        <Alert severity="info" sx={{ mx: 2, mt: 1.5 }}>
          {fill(texts.pendingCustomers, { count: pendingCustomers })}
        </Alert>
      )}
      <Box sx={{ px: 2, pt: 1 }}>
        <ErrorBoundary FallbackComponent={ErrorAlert}>
          <Dashboard />
        </ErrorBoundary>
      </Box>
      <OpenTable />
      {isEditMode && (
        <Suspense>
          <ValidationProvider>
            <EditingDialogs />
          </ValidationProvider>
        </Suspense>
      )}
    </Box>
  );
}
