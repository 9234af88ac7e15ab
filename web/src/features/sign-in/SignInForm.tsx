import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentUser } from '../../../../shared/accounts.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/http.ts';
import { useFormat } from '../../lib/use-format.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useLockout } from './use-lockout.ts';
import { useSignIn } from './use-sign-in.ts';
import classes from './SignInPage.module.css';

interface SignInFormProps {
  initialEmail: string;
  /** Said until something else is to be said. */
  hint: string | null;
  onSignedIn: (user: CurrentUser) => void;
}

/** Email and password, and why they were refused. */
export function SignInForm({ initialEmail, hint, onSignedIn }: SignInFormProps) {
  const t = useTranslations('signIn');
  const signIn = useSignIn();
  const [email, setEmail] = useState(initialEmail);
  const { secondsLeft, isOfAnotherEmail, noteRefusal } = useLockout(email);
  const [password, setPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (email.trim() === '' || password === '' || signIn.isPending || secondsLeft > 0) return;
    signIn.mutate(
      { email: email.trim(), password },
      {
        onSuccess: onSignedIn,
        onError: (error) => {
          setPassword('');
          noteRefusal(error, email);
        },
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <SignInMessage error={isOfAnotherEmail ? null : signIn.error} secondsLeft={secondsLeft} hint={hint} />
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={initialEmail === ''}
          size="md"
          value={email}
          error={isChecked && email.trim() === '' ? t('emailMissing') : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('password')}
          data-autofocus={initialEmail !== '' || undefined}
          name="password"
          autoComplete="current-password"
          size="md"
          value={password}
          error={isChecked && password === '' && signIn.error === null ? t('passwordMissing') : null}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending} disabled={secondsLeft > 0}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

interface SignInMessageProps {
  error: Error | null;
  secondsLeft: number;
  hint: string | null;
}

function SignInMessage({ error, secondsLeft, hint }: SignInMessageProps) {
  const t = useTranslations('signIn');
  const errorText = useErrorText();
  const format = useFormat();
  if (error === null) {
    return hint === null ? null : <p className={classes.hint}>{hint}</p>;
  }
  const isLockout = error instanceof ApiError && error.status === 429;
  if (isLockout && error.retryAfterSeconds !== null) {
    return secondsLeft > 0 ? (
      <Alert color="yellow" icon={<IconClock aria-hidden />} role="alert">
        {t('locked', { time: format.countdown(secondsLeft) })}
      </Alert>
    ) : (
      <Alert color="green">{t('unlocked')}</Alert>
    );
  }
  const isWrong = error instanceof ApiError && error.status === 401;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      {isWrong ? t('wrong') : errorText(error)}
    </Alert>
  );
}
