import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { emptyDashboard } from './empty-dashboard.ts';
import { sentenceOf } from './Message.tsx';
import { createUnderFreeName } from './naming.ts';
import { texts } from './texts.ts';
import { useToolUser } from './tool-user.ts';

export function NewDashboard({ onClose }: { onClose: () => void }) {
  const { runMode } = useToolUser();
  const [title, setTitle] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const creation = useMutation({
    mutationFn: () => createUnderFreeName(title.trim(), emptyDashboard(title.trim(), runMode)),
    onSuccess: (made) => {
      queryClient.setQueryData(['dashboard', made.name], made);
      void queryClient.invalidateQueries(['dashboards']);
      navigate(`/dashboards/${made.name}`, { state: { isEditing: true } });
    },
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          creation.mutate();
        }}
      >
        <DialogTitle>{texts.newDashboard}</DialogTitle>
        <DialogContent>
          {creation.error !== null && (
            <Alert severity="error" sx={{ mb: 2 }}>
              {sentenceOf(creation.error)}
            </Alert>
          )}
          <TextField
            autoFocus
            required
            fullWidth
            label={texts.title}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
            sx={{ mt: 1 }}
            slotProps={{ htmlInput: { maxLength: 200 } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="contained" disabled={title.trim() === '' || creation.isLoading}>
            {texts.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
