import { Alert, Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { getDashboard, type StoredDashboard } from './api.ts';
import { sentenceOf } from './Message.tsx';
import { createUnderFreeName } from './naming.ts';
import { fill, texts } from './texts.ts';

interface ConflictDialogProps {
  stored: StoredDashboard;
  /** The dashboard that could not be saved. */
  spec: StoredDashboard['spec'];
  onClose: () => void;
}

/** Someone else has saved the dashboard in between. Neither version is lost: the user decides. */
export function ConflictDialog({ stored, spec, onClose }: ConflictDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const reload = useMutation({
    mutationFn: () => getDashboard(stored.name),
    onSuccess: (theirs) => queryClient.setQueryData(['dashboard', stored.name], theirs),
  });
  const copy = useMutation({
    mutationFn: () => {
      const title = fill(texts.copyOf, { title: spec.display?.name ?? stored.title });
      return createUnderFreeName(title, { ...spec, display: { ...spec.display, name: title } });
    },
    onSuccess: ({ name }) => navigate(`/dashboards/${name}`),
  });
  const error = reload.error ?? copy.error;
  return (
    <Dialog open onClose={onClose} maxWidth="sm">
      <DialogTitle>{texts.conflictTitle}</DialogTitle>
      <DialogContent>
        {error !== null && <Alert severity="error">{sentenceOf(error)}</Alert>}
        <DialogContentText>{texts.conflict}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={onClose}>{texts.goOn}</Button>
        <Button onClick={() => reload.mutate()}>{texts.loadTheirs}</Button>
        <Button variant="contained" onClick={() => copy.mutate()}>
          {texts.saveAsCopy}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
