import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  List,
  ListItem,
  ListItemText,
  Typography,
} from '@mui/material';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getDashboard, listVersions, saveDashboard, type StoredDashboard } from './api.ts';
import { sentenceOf } from './Message.tsx';
import { format } from './reader.ts';
import { fill, texts } from './texts.ts';
import { useToolUser } from './tool-user.ts';

/** Saved versions with time and author. A restored version is saved as the newest one, so nothing is lost. */
export function VersionsDialog({ stored, onClose }: { stored: StoredDashboard; onClose: () => void }) {
  const { canEdit, timeZone } = useToolUser();
  const queryClient = useQueryClient();
  const versions = useQuery({
    queryKey: ['versions', stored.name, stored.version],
    queryFn: () => listVersions(stored.name),
    staleTime: 0,
  });
  const goBack = useMutation({
    mutationFn: async (version: number) => {
      const { spec } = await getDashboard(stored.name, version);
      return saveDashboard(stored.name, stored.version, spec);
    },
    onSuccess: (saved) => {
      onClose();
      queryClient.setQueryData(['dashboard', stored.name], saved);
      void queryClient.invalidateQueries(['dashboards']);
    },
  });
  const error = versions.error ?? goBack.error;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm">
      <DialogTitle>{texts.versions}</DialogTitle>
      <DialogContent>
        {error !== null && <Alert severity="error">{sentenceOf(error)}</Alert>}
        {versions.isLoading && <LinearProgress />}
        {versions.data?.length === 0 && <Typography>{texts.noVersions}</Typography>}
        <List dense disablePadding>
          {versions.data?.map(({ version, savedAt, savedBy, isReset }) => (
            <ListItem
              key={version}
              disableGutters
              secondaryAction={
                version === stored.version ? (
                  <Typography variant="body2" color="text.secondary">
                    {texts.current}
                  </Typography>
                ) : (
                  canEdit && (
                    <Button disabled={goBack.isLoading} onClick={() => goBack.mutate(version)}>
                      {texts.goBack}
                    </Button>
                  )
                )
              }
            >
              <ListItemText
                primary={fill(texts.version, { version }) + (isReset ? `: ${texts.asShipped}` : '')}
                secondary={fill(texts.savedBy, { name: savedBy, time: format.dateTime(savedAt, timeZone) })}
              />
            </ListItem>
          ))}
        </List>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
