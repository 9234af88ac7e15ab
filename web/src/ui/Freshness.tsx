import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../lib/error-text.ts';
import { useFormat } from '../lib/use-format.ts';
import { useNow } from '../lib/use-now.ts';
import classes from './Freshness.module.css';

interface FreshnessProps {
  /** When the displayed data was loaded, ms; 0 before that. */
  updatedAtMs: number;
  /** Why the last attempt to load failed; null if it did not fail. */
  error: unknown;
  onRetry: () => void;
}

/** The age of the data on the page. If the data cannot be refreshed, this and the reason are shown. */
export function Freshness({ updatedAtMs, error, onRetry }: FreshnessProps) {
  const t = useTranslations('common');
  const format = useFormat();
  const errorText = useErrorText();
  const nowMs = useNow(10_000);
  const age = format.age(updatedAtMs === 0 ? nowMs : Math.min(updatedAtMs, nowMs), nowMs);
  // Space for the line is reserved while the first data loads.
  if (updatedAtMs === 0 || error === null) {
    return (
      <span className={`${classes.age} figures`} data-waiting={updatedAtMs === 0 || undefined}>
        {t('updated', { age })}
      </span>
    );
  }
  return (
    <span className={classes.stale} role="alert" title={errorText(error)}>
      <IconAlertTriangle size={15} stroke={1.75} aria-hidden />
      <span className="figures">{t('asOf', { age })}</span>
      <Button variant="subtle" color="yellow" size="compact-xs" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </span>
  );
}
