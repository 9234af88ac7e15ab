import type { ReactNode } from 'react';
import classes from './StatusChip.module.css';
import { useTranslations } from 'use-intl';
import type { DeviceState } from '../lib/live-state.ts';

const tones = { live: 'good', silent: 'warn', noData: 'quiet', off: 'quiet' } as const;

export function DeviceStateChip({ state }: { state: DeviceState }) {
  const t = useTranslations('sites.state');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}

export type StatusTone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in one or two words. The dot only repeats the words. */
export function StatusChip({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  );
}
