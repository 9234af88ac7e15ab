import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../lib/error-text.ts';
import classes from './Notice.module.css';

interface ErrorStateProps {
  error: unknown;
  onRetry: () => void;
  title?: string;
  /** Whether it needs less space around it, inside a card. */
  compact?: boolean;
}

/** The sentence of the server if it sent one, or else what happened, and a button to try again. */
export function ErrorState({ error, onRetry, title, compact = false }: ErrorStateProps) {
  const t = useTranslations();
  const errorText = useErrorText();
  return (
    <div role="alert" className={compact ? `${classes.notice} ${classes.compact}` : classes.notice}>
      <div className={`${classes.icon} ${classes.trouble}`} aria-hidden>
        <IconAlertTriangle size={22} stroke={1.75} />
      </div>
      <p className={classes.title}>{title ?? t('errors.title')}</p>
      <p className={classes.text}>{errorText(error)}</p>
      <div className={classes.action}>
        <Button variant="default" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      </div>
    </div>
  );
}
