import type { ReactNode } from 'react';
import classes from './StatusChip.module.css';

export type StatusTone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in a word or two. The dot only repeats what the words say. */
export function StatusChip({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  );
}
