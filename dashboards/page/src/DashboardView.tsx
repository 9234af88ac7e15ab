import { Alert, Box, Stack } from '@mui/material';
import { ErrorAlert, ErrorBoundary } from '@perses-dev/components';
import {
  Dashboard,
  useEditJsonDialog,
  useEditMode,
  useVariableDefinitions,
  VariableList,
} from '@perses-dev/dashboards';
import { useAllVariableValues, ValidationProvider } from '@perses-dev/plugin-system';
import { lazy, Suspense, useState } from 'react';
import type { StoredDashboard } from './api.ts';
import { usePendingCustomers } from './pending.ts';
import { texts } from './texts.ts';
import { Toolbar } from './Toolbar.tsx';
import { showCurrency } from './units.ts';

const EditingDialogs = lazy(() =>
  import('./EditingDialogs.tsx').then((module) => ({ default: module.EditingDialogs })),
);

export function DashboardView({ stored }: { stored: StoredDashboard }) {
  const { isEditMode } = useEditMode();
  const { editJsonDialog } = useEditJsonDialog();
  useShownCurrency();
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
          {texts.pendingCustomers(pendingCustomers)}
        </Alert>
      )}
      <Box sx={{ px: 2, pt: 1 }}>
        <ErrorBoundary FallbackComponent={ErrorAlert}>
          <Dashboard />
        </ErrorBoundary>
      </Box>
      {(isEditMode || editJsonDialog?.isOpen === true) && (
        <Suspense>
          <ValidationProvider>
            <EditingDialogs />
          </ValidationProvider>
        </Suspense>
      )}
    </Box>
  );
}

/** Amounts get their sign from the currency that is chosen for the dashboard, before the panels below are drawn. */
function useShownCurrency(): void {
  const definition = useVariableDefinitions().find(
    (variable) => variable.kind === 'ListVariable' && variable.spec.plugin.kind === 'PortalCurrencies',
  );
  const value = useAllVariableValues()[definition?.spec.name ?? '']?.value;
  const [shown, setShown] = useState<string | null>(null);
  if (typeof value === 'string' && value !== shown) {
    setShown(value);
    showCurrency(value);
  }
}
