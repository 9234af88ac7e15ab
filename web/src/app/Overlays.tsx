import { Button, Group, MantineThemeProvider, Stack, Table, Text } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentUser } from '../../../shared/accounts.ts';
import { SignInForm } from '../features/sign-in/SignInForm.tsx';
import { currentUserQuery, noteSignedIn, useCurrentUser } from '../lib/current-user.ts';
import { currentConflict, subscribeToConflicts } from '../lib/edit-conflict.ts';
import { isSessionOver, markSessionBack, subscribeToSession } from '../lib/session-over.ts';
import { Dialog } from '../ui/Dialog.tsx';
import classes from './Shell.module.css';

/** What may appear over any page. Loaded when the first of it is to be shown, or once the page has been open for a while. */
export function Overlays() {
  return (
    <>
      <Toasts />
      <EditConflictDialog />
      <SessionOverDialog />
    </>
  );
}

/** Short messages at the edge of the page, whose close buttons have a name. */
function Toasts() {
  const close = useTranslations('common')('close');
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } } }),
    [close],
  );
  return (
    <MantineThemeProvider theme={theme}>
      <Notifications position="bottom-right" autoClose={5000} className={`${classes.toasts} screen-only`} />
    </MantineThemeProvider>
  );
}

/** Shows both versions of an edit conflict and lets the second editor choose. */
function EditConflictDialog() {
  const t = useTranslations('conflict');
  const conflict = useSyncExternalStore(subscribeToConflicts, currentConflict);
  if (conflict === null) return null;
  return (
    <Dialog opened onClose={() => conflict.decide('neither')} title={t('title')} size="lg">
      <Stack gap="md">
        <Text>{t('text')}</Text>
        <Table aria-label={t('title')} withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('field')}</Table.Th>
              <Table.Th scope="col">{t('mine')}</Table.Th>
              <Table.Th scope="col">{t('theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conflict.differences.map(({ label, mine, theirs }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{mine === '' ? '—' : mine}</Table.Td>
                <Table.Td>{theirs === '' ? '—' : theirs}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => conflict.decide('theirs')}>
            {t('takeTheirs')}
          </Button>
          <Button onClick={() => conflict.decide('mine')}>{t('keepMine')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Tells users that their session has ended. They can sign in again without leaving the page, so entries in forms are kept. */
function SessionOverDialog() {
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
