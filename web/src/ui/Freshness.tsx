import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useDisplayZone } from '../lib/current-user.ts';
import { useErrorText } from '../lib/error-text.ts';
import { useFormat } from '../lib/use-format.ts';
import { useNow } from '../lib/use-now.ts';
import { useIsNarrow } from './use-is-narrow.ts';
import classes from './Freshness.module.css';

/** Names the time zone of a page on a phone; wide screens name it in the navigation. */
export function PhoneZone({ timeZone }: { timeZone?: string | undefined }) {
  const t = useTranslations('common.timeRange');
  const format = useFormat();
  const ownZone = useDisplayZone();
  const isNarrow = useIsNarrow();
  return isNarrow && <span>{t('zone', { zone: format.timeZoneName(timeZone ?? ownZone) })}</span>;
}

interface FreshnessProps {
  /** When the displayed data was loaded, ms; 0 before that. */
  updatedAtMs: number;
  /** Why the last attempt to load failed; null if it did not fail. */
  error: unknown;
  onRetry: () => void;
  /** The zone of the times on the page, if it is not that of the user. */
  timeZone?: string;
}

/** The age of the data on the page; on a phone also the time zone. If the data cannot be refreshed, this and the reason are shown. */
export function Freshness({ updatedAtMs, error, onRetry, timeZone }: FreshnessProps) {
  const t = useTranslations('common');
  const format = useFormat();
  const errorText = useErrorText();
  const nowMs = useNow(10_000);
  const age = format.age(updatedAtMs === 0 ? nowMs : Math.min(updatedAtMs, nowMs), nowMs);
  // Space for the line is reserved while the first data loads.
  if (updatedAtMs === 0 || error === null) {
    return (
      <span className={`${classes.age} figures`} data-waiting={updatedAtMs === 0 || undefined}>
        <span>{t('updated', { age })}</span>
        <PhoneZone timeZone={timeZone} />
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
