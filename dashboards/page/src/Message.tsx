import { Alert, Box, Button, Stack } from '@mui/material';
import { ApiError, OfflineError } from '../../../web/src/lib/http.ts';
import { basePath } from './api.ts';
import { texts } from './texts.ts';

/** The message of the server, if it sent one. */
export function sentenceOf(error: unknown): string {
  if (error instanceof OfflineError) return texts.offline;
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : texts.failed;
  if (error.status === 401) return texts.signedOut;
  if (error.status === 404) return texts.notFound;
  return error.message === '' ? texts.failed : error.message;
}

/** A page that cannot be shown, and the reason; null for an unknown URL. */
export function Message({ error }: { error: unknown }) {
  const isGone = error === null || (error instanceof ApiError && error.status === 404);
  return (
    <Stack alignItems="center" sx={{ p: 4 }}>
      <Box sx={{ maxWidth: 560, width: '100%' }}>
        <Alert
          severity={isGone ? 'info' : 'error'}
          action={
            isGone ? (
              <Button color="inherit" href={basePath}>
                {texts.backToList}
              </Button>
            ) : (
              <Button color="inherit" onClick={() => window.location.reload()}>
                {texts.tryAgain}
              </Button>
            )
          }
        >
          {error === null ? texts.notFound : sentenceOf(error)}
        </Alert>
      </Box>
    </Stack>
  );
}
