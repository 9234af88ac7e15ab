import { Box, Button, Stack, Typography } from '@mui/material';
import { useDashboard, useEditMode } from '@perses-dev/dashboards';
import { lazy, Suspense } from 'react';
import type { StoredDashboard } from './api.ts';
import { DashboardMenu } from './DashboardMenu.tsx';
import { useIsNewPanelLoading } from './new-panel.ts';
import { texts, timesIn } from './texts.ts';
import { TimeControls } from './TimeControls.tsx';
import { useToolUser } from './tool-user.ts';
import { zone } from './zone.ts';

const EditingBar = lazy(() => import('./EditingBar.tsx').then((module) => ({ default: module.EditingBar })));

export function Toolbar({ stored }: { stored: StoredDashboard }) {
  const { canEdit } = useToolUser();
  const { isEditMode, setEditMode } = useEditMode();
  const { dashboard } = useDashboard();
  const isNewPanelLoading = useIsNewPanelLoading();
  return (
    <>
      <Stack
        direction="row"
        useFlexGap
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap={1.5}
        sx={{ px: 2, pt: 2 }}
      >
        <Box sx={{ flexGrow: 1 }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {dashboard.spec.display?.name ?? stored.title}
          </Typography>
          {/* Beside a wide tool, the portal names it. */}
          <Typography variant="body2" color="text.secondary" sx={{ display: { sm: 'none' } }}>
            {timesIn(zone())}
          </Typography>
        </Box>
        <Stack direction="row" useFlexGap flexWrap="wrap" gap={1} alignItems="center">
          <TimeControls />
          {canEdit && !isEditMode && (
            <Button
              variant="outlined"
              disabled={isNewPanelLoading}
              onClick={() => setEditMode(true)}
              sx={{ height: 34 }}
            >
              {texts.edit}
            </Button>
          )}
          <DashboardMenu stored={stored} />
        </Stack>
      </Stack>
      {isEditMode && (
        <Suspense>
          <EditingBar stored={stored} />
        </Suspense>
      )}
    </>
  );
}
