import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import { useDashboard, useEditMode } from '@perses-dev/dashboards';
import { useState } from 'react';
import { isDashboard } from './api.ts';
import { texts } from './texts.ts';

/** The dashboard as JSON, which editors may change. */
export function JsonDialog({ onClose }: { onClose: () => void }) {
  const { isEditMode } = useEditMode();
  const { dashboard, setDashboard } = useDashboard();
  const [text, setText] = useState(() => JSON.stringify(dashboard.spec, null, 2));
  const spec = read(text);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="lg">
      <DialogTitle>{texts.json}</DialogTitle>
      <DialogContent>
        <TextField
          multiline
          fullWidth
          maxRows={25}
          value={text}
          error={spec === null}
          onChange={({ target }) => setText(target.value)}
          slotProps={{
            htmlInput: { 'aria-label': texts.json, readOnly: !isEditMode, spellCheck: false },
            input: { sx: { fontFamily: 'monospace', fontSize: 13 } },
          }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.close}</Button>
        {isEditMode && (
          <Button
            variant="contained"
            disabled={spec === null}
            onClick={() => {
              if (spec !== null && dashboard.kind === 'Dashboard') setDashboard({ ...dashboard, spec });
              onClose();
            }}
          >
            {texts.apply}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Null if it is not a dashboard. */
function read(text: string) {
  try {
    const spec: unknown = JSON.parse(text);
    return isDashboard(spec) ? { ...spec, panels: spec.panels ?? {}, layouts: spec.layouts ?? [] } : null;
  } catch {
    return null;
  }
}
