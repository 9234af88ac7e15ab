import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../../lib/branding.ts';
import { currentUserQuery, forgetUserData } from '../../lib/current-user.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/http.ts';
import { useFormat } from '../../lib/use-format.ts';
import { BrandMark } from '../../ui/BrandMark.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useLockout } from './use-lockout.ts';
import { useSignIn } from './use-sign-in.ts';
import classes from './SignInPage.module.css';

const route = getRouteApi('/sign-in');

/** The one page before sign-in. Leads back to where the session ended. */
export function SignInPage() {
  const t = useTranslations('signIn');
  const branding = useBranding();
  useEffect(() => {
    document.title = `${t('title')} · ${branding.applicationName}`;
  }, [t, branding.applicationName]);
  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <div className={classes.brand}>
          <BrandMark branding={branding} size={44} />
          <h1 className={classes.title}>{t('subtitle', { name: branding.applicationName })}</h1>
        </div>
        <SignInForm />
      </main>
      {branding.footerText !== '' && <footer className={classes.footer}>{branding.footerText}</footer>}
    </div>
  );
}

function SignInForm() {
  const t = useTranslations('signIn');
  const router = useRouter();
  const client = useQueryClient();
  const { returnTo } = route.useSearch();
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
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
        onSuccess: (user) => {
          forgetUserData(client);
          client.setQueryData(currentUserQuery.queryKey, user);
          void router.navigate({ href: returnTo ?? '/', replace: true });
        },
        onError: (error) => {
          setPassword('');
          noteRefusal(error, email);
        },
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SignInMessage
          error={isOfAnotherEmail ? null : signIn.error}
          secondsLeft={secondsLeft}
          isReturning={returnTo !== undefined}
        />
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          size="md"
          value={email}
          error={isChecked && email.trim() === '' ? t('emailMissing') : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('password')}
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
  isReturning: boolean;
}

function SignInMessage({ error, secondsLeft, isReturning }: SignInMessageProps) {
  const t = useTranslations('signIn');
  const errorText = useErrorText();
  const format = useFormat();
  if (error === null) {
    return isReturning ? <p className={classes.hint}>{t('continueHint')}</p> : null;
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
