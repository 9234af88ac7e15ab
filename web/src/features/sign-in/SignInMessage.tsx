import { Alert } from '@mantine/core';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/http.ts';
import { useFormat } from '../../lib/use-format.ts';
import classes from './SignInPage.module.css';

interface SignInMessageProps {
  error: Error | null;
  /** The meaning of a 401 in this step. */
  wrong: string;
  secondsLeft: number;
  /** Shown while there is no error. */
  hint: string | null;
}

/** Why a step of signing in failed. */
export function SignInMessage({ error, wrong, secondsLeft, hint }: SignInMessageProps) {
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
      {isWrong ? wrong : errorText(error)}
    </Alert>
  );
}
