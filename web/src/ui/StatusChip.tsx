import type { ReactNode } from 'react';
import classes from './StatusChip.module.css';
import { useTranslations } from 'use-intl';
import type { DeviceState } from '../../../shared/states.rules.ts';

const tones = { offline: 'warn', late: 'warn', never: 'quiet', live: 'good', inactive: 'quiet' } as const;

export function DeviceStateChip({ state }: { state: DeviceState }) {
  const t = useTranslations('sites.state');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}

export type StatusTone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in one or two words. The dot shows nothing that the words do not say. */
export function StatusChip({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  );
}
