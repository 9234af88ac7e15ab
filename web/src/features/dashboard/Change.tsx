import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import { changeShare } from './comparison.ts';
import type { Comparison } from './queries.ts';
import classes from './Tiles.module.css';

interface ChangeProps {
  /** Undefined while it is on its way, null where there is nothing to compare with. */
  comparison: Comparison | null | undefined;
  /** Null where one of the ranges has no such number. */
  read: (side: 'current' | 'previous') => number | null;
  /** The number that stands above it, where the part of it that is compared may be another one. */
  shown?: number;
  /** The number as it stands in a sentence. */
  formatValue: (value: number) => string;
  /** By how much it is more or less, with its sign, where a share says nothing. */
  formatDifference: (difference: number) => string;
  /** Why the earlier range has no number. */
  missing: string;
  /** The earlier range has readings. */
  hadReadings: boolean;
  timeZone: string;
}

/** How a number has changed since the range before, and which range that is. Takes two lines from the start. */
export function Change({
  comparison,
  read,
  shown,
  formatValue,
  formatDifference,
  missing,
  hadReadings,
  timeZone,
}: ChangeProps) {
  const t = useTranslations('dashboard.change');
  const format = useFormat();
  if (comparison === undefined) return <span className={classes.change} aria-hidden />;
  if (comparison === null) return <span className={classes.change}>{t('notBegun')}</span>;
  const range = rangeLabel(comparison.ranges.previous, timeZone, format);
  if (!hadReadings) return <span className={classes.change}>{t('noReadings', { range })}</span>;
  const [current, previous] = [read('current'), read('previous')];
  if (previous === null) return <span className={classes.change}>{`${missing} (${range})`}</span>;
  const before = formatValue(previous);
  if (current === null)
    return <span className={classes.change}>{t.rich('before', { b: emphasize, before, range })}</span>;
  const share = changeShare(current, previous);
  // Of a range that runs on, a fixed charge may count days that are still to come.
  const isPart = shown !== undefined && !comparison.ranges.isWhole && current !== shown;
  return (
    <span className={classes.change}>
      {isPart && `${t('soFar', { value: formatValue(current) })} `}
      {t.rich('share', {
        b: emphasize,
        change: share === null ? formatDifference(current - previous) : format.change(share),
        before,
        range,
      })}
    </span>
  );
}

const emphasize = (text: ReactNode) => <b>{text}</b>;
