import { Button, Dialog, DialogActions, DialogContent, DialogContentText } from '@mui/material';
import { texts } from './texts.ts';

interface QuestionProps {
  question: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}

export function Question({ question, yes, onYes, onClose }: QuestionProps) {
  return (
    <Dialog open onClose={onClose} maxWidth="xs">
      <DialogContent>
        <DialogContentText color="text.primary">{question}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          variant="contained"
          onClick={() => {
            onClose();
            onYes();
          }}
        >
          {yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
