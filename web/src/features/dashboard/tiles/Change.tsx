import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../../lib/use-format.ts';
import { rangeLabel } from '../../../ui/time-range/range-label.ts';
import { changeShare } from '../../../lib/compared-ranges.ts';
import type { Comparison } from '../queries.ts';
import classes from './Tiles.module.css';

interface ChangeProps {
  /** Undefined while the comparison loads; null if there is nothing to compare with. */
  comparison: Comparison | null | undefined;
  /** Null if the number is unknown in one of the ranges. */
  read: (side: 'current' | 'previous') => number | null;
  /** The displayed number of the range. If the number of the compared part differs, it is shown next to this one. */
  shown: number | null;
  /** The number as used in a sentence. */
  formatValue: (value: number) => string;
  /** The difference with its sign, shown if a percentage would mean nothing. */
  formatDifference: (difference: number) => string;
  /** Why the earlier range has no number. */
  missing: string;
  /** Why there is no percentage, if it is missing. */
  caveat?: string | null;
  /** Whether the earlier range has readings. */
  hadReadings: boolean;
  timeZone: string;
}

/** If newer readings outside the compared part have at most this share, they are not mentioned. */
const maxUnsaid = 0.01;

/** The change of a number since the previous range, and the previous range itself, on one line or two. */
export function Change({
  comparison,
  read,
  shown,
  formatValue,
  formatDifference,
  missing,
  caveat = null,
  hadReadings,
  timeZone,
}: ChangeProps) {
  const t = useTranslations('dashboard.change');
  const format = useFormat();
  if (comparison === undefined) return <span className={classes.change} aria-hidden />;
  if (comparison === null) return <span className={classes.change}>{t('notBegun')}</span>;
  if (comparison.isEmpty) return <span className={classes.change}>{t('nothingYet')}</span>;
  const range = rangeLabel(comparison.ranges.previous, timeZone, format);
  if (!hadReadings) return <span className={classes.change}>{t('noReadings', { range })}</span>;
  const [current, previous] = [read('current'), read('previous')];
  if (previous === null) return <span className={classes.change}>{`${missing} (${range})`}</span>;
  const before = formatValue(previous);
  if (current === null || caveat !== null) {
    return (
      <>
        <span className={classes.change}>{t.rich('before', { b: emphasize, before, range })}</span>
        {caveat !== null && <span className={classes.warn}>{caveat}</span>}
      </>
    );
  }
  const share = changeShare(current, previous);
  const isShown = shown === null || Math.abs(shown - current) <= maxUnsaid * Math.abs(previous);
  return (
    <span className={classes.change}>
      {t.rich(isShown ? 'share' : 'shareOfPart', {
        b: emphasize,
        now: formatValue(current),
        change: share === null ? formatDifference(current - previous) : format.change(share),
        before,
        range,
      })}
    </span>
  );
}

const emphasize = (text: ReactNode) => <b>{text}</b>;

/** The note on a number, shown once the comparison has loaded. Its space is reserved, so nothing moves. */
export function Compared({ lines, children }: { lines: number; children: ReactNode }) {
  const room: Record<`--${string}`, number> = { '--lines': lines };
  return (
    <div className={classes.compared} style={room}>
      {children}
    </div>
  );
}
