import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { passwordRules } from '../../../../../shared/accounts.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchNothing } from '../../../lib/http.ts';
import { useRenew } from '../../../lib/mutations.ts';
import { FormError } from '../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { PasswordRules } from '../../../ui/PasswordRules.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { sessionsQuery } from './second-factor-query.ts';

const empty = { currentPassword: '', newPassword: '', repeated: '' };

/** The signed-in user's password, second factor and sessions. */
export function PasswordSection() {
  return (
    <Stack gap="lg">
      <PasswordPanel />
      <SecondFactorPanel />
      <SessionsPanel />
    </Stack>
  );
}

/** Changes the password, with the rules shown while typing. */
function PasswordPanel() {
  const t = useTranslations('settings.password');
  const tShell = useTranslations('shell');
  const title = useTranslations('sections')('password');
  const user = useCurrentUser();
  const errorText = useErrorText();
  const change = useChangePassword();
  const [values, setValues] = useState(empty);
  const [isChecked, setIsChecked] = useState(false);
  const { currentPassword, newPassword, repeated } = values;

  const problems = {
    currentPassword: currentPassword === '' ? t('currentMissing') : null,
    newPassword:
      newPassword === ''
        ? t('newMissing')
        : passwordRules.every(({ isMet }) => isMet(newPassword))
          ? null
          : t('rulesNotMet'),
    repeated: repeated === newPassword ? null : t('differs'),
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (change.isPending || Object.values(problems).some((problem) => problem !== null)) return;
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          setValues(empty);
          setIsChecked(false);
          notifications.show({ color: 'green', message: t('saved') });
        },
      },
    );
  };

  const field = (name: keyof typeof empty) => ({
    value: values[name],
    error: isChecked ? problems[name] : null,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });

  const refusal =
    change.error === null || (isChecked && problems.currentPassword !== null) ? null : errorText(change.error);
  return (
    <Panel title={title} description={t('description')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={420}>
          <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
          <PasswordField label={t('current')} autoComplete="current-password" {...field('currentPassword')} />
          <PasswordField label={t('new')} autoComplete="new-password" {...field('newPassword')} />
          <PasswordRules password={newPassword} />
          <PasswordField label={t('repeat')} autoComplete="new-password" {...field('repeated')} />
          {refusal !== null && <FormError>{refusal}</FormError>}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {tShell('password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

/** `POST /api/auth/me/change-password`. */
function useChangePassword() {
  return useMutation({
    mutationFn: (json: { currentPassword: string; newPassword: string }) =>
      fetchNothing('/api/auth/me/change-password', { method: 'POST', json }),
    onSuccess: useRenew(sessionsQuery.queryKey),
  });
}
