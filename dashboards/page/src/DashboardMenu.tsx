import { Menu, MenuItem } from '@mui/material';
import { useSnackbar } from '@perses-dev/components';
import { useDashboard, useEditMode } from '@perses-dev/dashboards';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteDashboard, getDashboard, type StoredDashboard } from './api.ts';
import { showInMenu } from './menu.ts';
import { sentenceOf } from './Message.tsx';
import { createUnderFreeName } from './naming.ts';
import { JsonDialog } from './JsonDialog.tsx';
import { Question } from './Question.tsx';
import { DotsVerticalIcon } from './icons.tsx';
import { fill, texts } from './texts.ts';
import { IconButton } from './TimeControls.tsx';
import { useToolUser } from './tool-user.ts';

const VersionsDialog = lazy(() =>
  import('./VersionsDialog.tsx').then((module) => ({ default: module.VersionsDialog })),
);

export function DashboardMenu({ stored }: { stored: StoredDashboard }) {
  const { canEdit } = useToolUser();
  const { isEditMode } = useEditMode();
  const { dashboard } = useDashboard();
  const { errorSnackbar } = useSnackbar();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<'menu' | 'json' | 'versions' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const closing = (action: () => void) => () => {
    close();
    action();
  };
  const onError = (error: unknown) => errorSnackbar(sentenceOf(error));

  const copy = useMutation({
    mutationFn: () => {
      const title = fill(texts.copyOf, { title: dashboard.spec.display?.name ?? stored.title });
      return createUnderFreeName(title, { ...dashboard.spec, display: { ...dashboard.spec.display, name: title } });
    },
    onSuccess: ({ name }) => navigate(`/dashboards/${name}`),
    onError,
  });
  const removal = useMutation({
    mutationFn: async () => {
      await deleteDashboard(stored.name);
      if (stored.isProvisioned) return getDashboard(stored.name);
      await showInMenu(stored, false);
      return null;
    },
    onSuccess: (shipped) => {
      void queryClient.invalidateQueries(['dashboards']);
      if (shipped === null) navigate('/');
      else queryClient.setQueryData(['dashboard', stored.name], shipped);
    },
    onError,
  });

  return (
    <>
      <span ref={setAnchor}>
        <IconButton label={texts.more} onClick={() => setOpen('menu')}>
          <DotsVerticalIcon />
        </IconButton>
      </span>
      <Menu open={open === 'menu'} anchorEl={anchor} onClose={close}>
        <MenuItem onClick={closing(() => navigate('/'))}>{texts.backToList}</MenuItem>
        <MenuItem onClick={() => setOpen('json')}>{texts.json}</MenuItem>
        {!isEditMode && <MenuItem onClick={() => setOpen('versions')}>{texts.versions}</MenuItem>}
        {canEdit && <MenuItem onClick={closing(() => copy.mutate())}>{texts.duplicate}</MenuItem>}
        {canEdit && !isEditMode && (
          <MenuItem onClick={() => setOpen('remove')}>{stored.isProvisioned ? texts.reset : texts.remove}</MenuItem>
        )}
      </Menu>
      {open === 'json' && <JsonDialog onClose={close} />}
      {open === 'versions' && (
        <Suspense>
          <VersionsDialog stored={stored} onClose={close} />
        </Suspense>
      )}
      {open === 'remove' && (
        <Question
          question={fill(stored.isProvisioned ? texts.resetQuestion : texts.removeQuestion, { title: stored.title })}
          yes={stored.isProvisioned ? texts.reset : texts.remove}
          onYes={() => removal.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
