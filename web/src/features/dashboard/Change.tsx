import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import { changeShare } from '../../lib/compared-ranges.ts';
import type { Comparison } from './queries.ts';
import classes from './Tiles.module.css';

interface ChangeProps {
  /** Undefined while it is on its way, null where there is nothing to compare with. */
  comparison: Comparison | null | undefined;
  /** Null where one of the ranges has no such number. */
  read: (side: 'current' | 'previous') => number | null;
  /** The number of the range as it is shown: that of the part which is compared is told beside it where it differs. */
  shown: number | null;
  /** The number as it stands in a sentence. */
  formatValue: (value: number) => string;
  /** By how much it is more or less, with its sign, where a share says nothing. */
  formatDifference: (difference: number) => string;
  /** Why the earlier range has no number. */
  missing: string;
  /** Why no share tells how the number has changed, where none does. */
  caveat?: string | null;
  /** The earlier range has readings. */
  hadReadings: boolean;
  timeZone: string;
}

/** What has come since the part that is compared goes unsaid up to here, as a share of what it is compared with. */
const maxUnsaid = 0.01;

/** How a number has changed since the range before, and which range that is, on one line or two. */
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

/** What is said of a number once the comparison is there: nothing moves when it comes, and no line is left empty above another one. */
export function Compared({ lines, children }: { lines: number; children: ReactNode }) {
  const room: Record<`--${string}`, number> = { '--lines': lines };
  return (
    <div className={classes.compared} style={room}>
      {children}
    </div>
  );
}
