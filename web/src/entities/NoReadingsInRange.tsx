import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { rangeOfLastData } from './last-data-range.ts';
import type { TimeRange } from '../lib/time-range.ts';
import { useFormat } from '../lib/use-format.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { rangeLabel } from '../ui/time-range/range-label.ts';

interface NoReadingsInRangeProps {
  icon: ReactNode;
  range: TimeRange;
  timeZone: string;
  /** When the last reading is from. */
  lastMs: number;
  onRange: (range: TimeRange) => void;
}

/** Shown if the range has no readings. Links to the last ones. */
export function NoReadingsInRange({ icon, range, timeZone, lastMs, onRange }: NoReadingsInRangeProps) {
  const t = useTranslations('terms');
  const format = useFormat();
  const last = rangeOfLastData(range, lastMs, timeZone);
  return (
    <EmptyState
      icon={icon}
      title={t('noReadingsInRange')}
      action={
        <Button variant="default" onClick={() => onRange(last)}>
          {t('showLast', { range: rangeLabel(last, timeZone, format) })}
        </Button>
      }
    >
      {t('lastReadingAt', { time: format.dateTime(lastMs, timeZone) })}
    </EmptyState>
  );
}
