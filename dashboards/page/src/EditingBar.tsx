import { Button, Checkbox, FormControlLabel, Stack, TextField } from '@mui/material';
import { useSnackbar } from '@perses-dev/components';
import { isRelativeTimeRange } from '@perses-dev/core';
import {
  EditVariablesButton,
  useDashboard,
  useDashboardActions,
  useEditMode,
  useVariableDefinitionActions,
} from '@perses-dev/dashboards';
import { useTimeRange, ValidationProvider } from '@perses-dev/plugin-system';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../web/src/lib/http.ts';
import { saveDashboard, type StoredDashboard } from './api.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { listEntries, showInMenu } from './menu.ts';
import { sentenceOf } from './Message.tsx';
import { Question } from './Question.tsx';
import { texts } from './texts.ts';

/** The actions while a dashboard is edited. Nothing is stored before it is saved. */
export function EditingBar({ stored }: { stored: StoredDashboard }) {
  const { dashboard, setDashboard } = useDashboard();
  const { openAddPanel, openAddPanelGroup } = useDashboardActions();
  const { setVariableDefaultValues } = useVariableDefinitionActions();
  const { setEditMode } = useEditMode();
  const { timeRange } = useTimeRange();
  const { successSnackbar, errorSnackbar } = useSnackbar();
  const queryClient = useQueryClient();
  const [original] = useState(dashboard);
  const [keepsRange, setKeepsRange] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  // A new dashboard goes into the menu by default; others keep their place.
  const entries = useQuery({ queryKey: ['menu', stored.name], queryFn: () => listEntries(stored.name) }).data?.length;
  const [isWanted, setIsWanted] = useState<boolean | null>(null);
  const isShown = isWanted ?? (entries !== 0 || (stored.version === 1 && !stored.isProvisioned));
  const isChanged = JSON.stringify(dashboard.spec) !== JSON.stringify(original.spec);

  const placing = useMutation({
    mutationFn: (saved: StoredDashboard) => showInMenu(saved, isShown, stored.title),
    onSuccess: () => queryClient.invalidateQueries(['menu']),
    onError: (error) => errorSnackbar(sentenceOf(error)),
  });

  const save = useMutation({
    mutationFn: (spec: StoredDashboard['spec']) => saveDashboard(stored.name, stored.version, spec),
    onSuccess: (saved) => {
      setEditMode(false);
      queryClient.setQueryData(['dashboard', stored.name], saved);
      void queryClient.invalidateQueries(['dashboards']);
      successSnackbar(texts.saved);
      if (entries === undefined) return;
      if (isShown !== entries > 0 || (isShown && saved.title !== stored.title)) placing.mutate(saved);
    },
    onError: (error) => {
      if (!isConflict(error)) errorSnackbar(sentenceOf(error));
    },
  });

  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);

  const specToSave = (): StoredDashboard['spec'] => ({
    ...dashboard.spec,
    ...(keepsRange && isRelativeTimeRange(timeRange) && { duration: timeRange.pastDuration }),
    ...(keepsRange && { variables: setVariableDefaultValues() }),
  });
  const rename = (name: string) => {
    if (dashboard.kind !== 'Dashboard') return;
    setDashboard({ ...dashboard, spec: { ...dashboard.spec, display: { ...dashboard.spec.display, name } } });
  };
  const leave = () => {
    if (isChanged) setDashboard(original);
    setEditMode(false);
  };

  return (
    <Stack
      direction="row"
      useFlexGap
      flexWrap="wrap"
      alignItems="center"
      gap={1}
      sx={{ mx: 2, mt: 1.5, p: 1.5, border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'background.paper' }}
    >
      <TextField
        label={texts.title}
        value={dashboard.spec.display?.name ?? ''}
        onChange={({ target }) => rename(target.value)}
        sx={{ minWidth: 220 }}
      />
      <Button variant="outlined" onClick={openAddPanel}>
        {texts.addPanel}
      </Button>
      <Button variant="outlined" onClick={openAddPanelGroup}>
        {texts.addGroup}
      </Button>
      <ValidationProvider>
        <EditVariablesButton variant="outlined" color="secondary" label={texts.variables} />
      </ValidationProvider>
      <FormControlLabel
        control={
          <Checkbox size="small" checked={keepsRange} onChange={({ target }) => setKeepsRange(target.checked)} />
        }
        label={texts.saveRange}
        sx={{ mr: 0 }}
      />
      {entries !== undefined && (
        <FormControlLabel
          control={<Checkbox size="small" checked={isShown} onChange={({ target }) => setIsWanted(target.checked)} />}
          label={texts.showInMenu}
          sx={{ mr: 0 }}
        />
      )}
      <Stack direction="row" gap={1} sx={{ ml: 'auto' }}>
        <Button onClick={() => (isChanged ? setIsDiscarding(true) : leave())}>{texts.cancel}</Button>
        <Button variant="contained" disabled={save.isLoading} onClick={() => save.mutate(specToSave())}>
          {save.isLoading ? texts.saving : texts.save}
        </Button>
      </Stack>
      {isDiscarding && (
        <Question
          question={texts.discard}
          yes={texts.discardYes}
          onYes={leave}
          onClose={() => setIsDiscarding(false)}
        />
      )}
      {isConflict(save.error) && save.variables !== undefined && (
        <ConflictDialog stored={stored} spec={save.variables} onClose={() => save.reset()} />
      )}
    </Stack>
  );
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;
