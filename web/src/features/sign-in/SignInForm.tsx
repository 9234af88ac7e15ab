import { Button, Stack, TextInput } from '@mantine/core';
import { lazy, Suspense, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { CurrentUser, SignInStep } from '../../../../shared/accounts.ts';
import { loadCode } from '../../lib/load-code.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { SignInMessage } from './SignInMessage.tsx';
import { useSignIn, useLockout } from './use-sign-in.ts';

// Loaded later, because most users have no second factor, and nobody needs one before the password.
const SecondStep = lazy(loadCode(async () => ({ default: (await import('./SecondStep.tsx')).SecondStep })));

interface SignInFormProps {
  initialEmail: string;
  /** Shown until another message replaces it. */
  hint: string | null;
  onSignedIn: (user: CurrentUser) => void;
  /** Shown below the first step. */
  help?: ReactNode;
  /** Shown below the form until the user has signed in, because nothing else on the page closes recovery codes. */
  children?: ReactNode;
}

/** Email and password, then the second factor if the account has one, and error messages. */
export function SignInForm({ initialEmail, hint, onSignedIn, help, children }: SignInFormProps) {
  const t = useTranslations('signIn');
  const signIn = useSignIn();
  const [email, setEmail] = useState(initialEmail);
  const lockout = useLockout(email);
  const { secondsLeft, isOfAnotherEmail, noteRefusal } = lockout;
  const [step, setStep] = useState<SignInStep | null>(null);
  const [password, setPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (email.trim() === '' || password === '' || signIn.isPending || secondsLeft > 0) return;
    signIn.mutate(
      { email: email.trim(), password },
      {
        onSuccess: (answer) => ('token' in answer ? setStep(answer) : onSignedIn(answer)),
        onError: (error) => {
          setPassword('');
          // The pressed button lost the focus while it waited for the answer.
          passwordField.current?.focus();
          noteRefusal(error, email);
        },
      },
    );
  };

  const startAgain = () => {
    setStep(null);
    setPassword('');
    setIsChecked(false);
  };
  if (step !== null) {
    return (
      <Suspense fallback={<BlockSkeleton height={200} />}>
        <SecondStep step={step} email={email} lockout={lockout} onSignedIn={onSignedIn} onStartAgain={startAgain}>
          {children}
        </SecondStep>
      </Suspense>
    );
  }
  return (
    <form onSubmit={submit} noValidate data-keeps-nothing>
      <Stack gap="md">
        <SignInMessage
          error={isOfAnotherEmail ? null : signIn.error}
          wrong={t('wrong')}
          secondsLeft={secondsLeft}
          hint={hint}
        />
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
          ref={passwordField}
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
        <PasskeyButton onSignedIn={onSignedIn} />
        {help}
        {children}
      </Stack>
    </form>
  );
}
