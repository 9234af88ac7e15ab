import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { violatedPasswordRules } from '../../../../shared/accounts.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchNothing } from '../../lib/http.ts';
import { FormError } from '../../ui/DialogForm.tsx';
import { MoreMessages } from '../../ui/MoreMessages.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordRules } from '../../ui/PasswordRules.tsx';
import classes from './SignInPage.module.css';

/**
 * Two forms: one requests a link for a new password, the other sets the password with such a link. The texts are those of the
 * pages.
 */
export function PasswordLinks({ token, onBack }: { token: string | null; onBack: () => void }) {
  return (
    <MoreMessages stage="pages">
      {token === null ? <ForgottenForm onBack={onBack} /> : <NewPasswordForm token={token} />}
    </MoreMessages>
  );
}

/** Asks for a link by mail. The portal does not say whether it knows the email, so neither does the page. */
function ForgottenForm({ onBack }: { onBack: () => void }) {
  const t = useTranslations('passwordLinks');
  const tSignIn = useTranslations('signIn');
  const errorText = useErrorText();
  const [email, setEmail] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const ask = useMutation({
    mutationFn: () => fetchNothing('/api/auth/forgot-password', { method: 'POST', json: { email: email.trim() } }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (email.trim() !== '' && !ask.isPending) ask.mutate();
  };
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <h2 className={classes.subtitle}>{t('title')}</h2>
        {ask.isSuccess ? (
          <Alert color="green" role="status">
            {t('sent', { email: email.trim() })}
          </Alert>
        ) : (
          <>
            <p className={classes.hint}>{t('text')}</p>
            <FormError>{ask.error && errorText(ask.error)}</FormError>
            <TextInput
              label={tSignIn('email')}
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              size="md"
              value={email}
              error={isChecked && email.trim() === '' ? tSignIn('emailMissing') : null}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit" size="md" fullWidth loading={ask.isPending}>
              {t('send')}
            </Button>
          </>
        )}
        <Button variant="subtle" color="gray" onClick={onBack}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  );
}

/** Sets the password of the user who got the link. This ends all sessions of the account, so the page starts again. */
function NewPasswordForm({ token }: { token: string }) {
  const t = useTranslations('passwordLinks');
  const tSignIn = useTranslations('signIn');
  const tErrors = useTranslations('errors');
  const errorText = useErrorText();
  const [newPassword, setNewPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const reset = useMutation({
    mutationFn: () => fetchNothing('/api/auth/reset-password', { method: 'POST', json: { token, newPassword } }),
  });
  const isWeak = violatedPasswordRules(newPassword).length > 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isWeak && !reset.isPending) reset.mutate();
  };
  const signIn = () => window.location.replace('/sign-in');
  if (reset.isSuccess) {
    return (
      <Stack gap="md">
        <Alert color="green" role="status">
          {t('isSet')}
        </Alert>
        <Button size="md" fullWidth autoFocus onClick={signIn}>
          {tSignIn('submit')}
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <h2 className={classes.subtitle}>{t('newTitle')}</h2>
        <FormError>{reset.error && errorText(reset.error)}</FormError>
        <PasswordField
          label={t('newPassword')}
          name="new-password"
          autoComplete="new-password"
          autoFocus
          size="md"
          value={newPassword}
          error={isChecked && newPassword === '' ? tErrors('required') : null}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <PasswordRules password={newPassword} />
        <Button type="submit" size="md" fullWidth loading={reset.isPending} disabled={newPassword !== '' && isWeak}>
          {t('set')}
        </Button>
        <Button variant="subtle" color="gray" onClick={signIn}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  );
}
