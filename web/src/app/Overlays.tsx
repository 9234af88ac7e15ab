import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentUser } from '../../../shared/accounts.ts';
import { SignInForm } from '../features/sign-in/SignInForm.tsx';
import { currentUserQuery, noteSignedIn, useCurrentUser } from '../lib/current-user.ts';
import { isSessionOver, markSessionBack, subscribeToSession } from '../lib/session-over.ts';
import { Dialog } from '../ui/Dialog.tsx';

/** Tells users that their session has ended. They can sign in again without leaving the page, so entries in forms are kept. */
export function SessionOverDialog() {
  const t = useTranslations('signIn');
  const client = useQueryClient();
  const user = useCurrentUser();
  const isOver = useSyncExternalStore(subscribeToSession, isSessionOver);
  if (!isOver || user === null) return null;

  const goOn = (signedIn: CurrentUser) => {
    noteSignedIn(client, signedIn);
    // The page still shows the data of another user.
    if (signedIn.email !== user.email) {
      window.location.assign('/');
      return;
    }
    markSessionBack();
    void client.invalidateQueries();
  };
  const leave = () => {
    markSessionBack();
    client.setQueryData(currentUserQuery.queryKey, null);
  };
  return (
    <Dialog opened isFirm onClose={leave} title={t('overTitle')} size="sm">
      <Stack gap="md">
        <Text>{t('overText')}</Text>
        <SignInForm initialEmail={user.email} hint={null} onSignedIn={goOn}>
          <Button variant="subtle" color="gray" onClick={leave}>
            {t('leave')}
          </Button>
        </SignInForm>
      </Stack>
    </Dialog>
  );
}
