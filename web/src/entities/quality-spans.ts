import { dayMs } from '../../../shared/time.ts';

/** Quarter-hours by status. */
export interface QualitySlots {
  measured: number;
  interpolated: number;
  missing: number;
}

/** The quarter-hours of one local date, `YYYY-MM-DD`. */
export interface QualityDay extends QualitySlots {
  date: string;
}

/** The quarter-hours of the days from the first to the last, both included. */
export interface QualitySpan extends QualitySlots {
  firstDate: string;
  lastDate: string;
}

export const qualityStates = ['measured', 'interpolated', 'missing'] as const satisfies (keyof QualitySlots)[];

/** The start of the local date in UTC, for formats and distances. */
export const dateMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const sinceMonday = (date: string): number => (new Date(dateMs(date)).getUTCDay() + 6) % 7;

/** What the days of a column have in common, from the finest to the coarsest. */
const columnsBy: readonly ((date: string) => string)[] = [
  (date) => date,
  (date) => String(dateMs(date) - sinceMonday(date) * dayMs),
  (date) => date.slice(0, 7),
  (date) => date.slice(0, 4),
];

/**
 * The days in at most `maxColumns` columns: single days, weeks from Monday, months or years. There may be more columns only if
 * even years are too many.
 */
export function qualitySpans(days: readonly QualityDay[], maxColumns: number): QualitySpan[] {
  const keyOf =
    columnsBy.find((key) => new Set(days.map(({ date }) => key(date))).size <= maxColumns) ?? columnsBy.at(-1);
  const spans: QualitySpan[] = [];
  let lastKey: string | undefined;
  for (const { date, ...slots } of days) {
    const key = keyOf?.(date);
    const last = spans.at(-1);
    if (last !== undefined && key === lastKey) {
      spans[spans.length - 1] = { ...addSlots(last, slots), firstDate: last.firstDate, lastDate: date };
    } else spans.push({ ...slots, firstDate: date, lastDate: date });
    lastKey = key;
  }
  return spans;
}

function addSlots(a: QualitySlots, b: QualitySlots): QualitySlots {
  return {
    measured: a.measured + b.measured,
    interpolated: a.interpolated + b.interpolated,
    missing: a.missing + b.missing,
  };
}

export const sumOfSlots = (all: readonly QualitySlots[]): QualitySlots =>
  all.reduce<QualitySlots>(addSlots, { measured: 0, interpolated: 0, missing: 0 });

export const countOfSlots = ({ measured, interpolated, missing }: QualitySlots): number =>
  measured + interpolated + missing;

/** The number of quarter-hours of the span that has most of them. */
export const maxSlots = (all: readonly QualitySlots[]): number =>
  all.reduce((most, slots) => Math.max(most, countOfSlots(slots)), 0);

const leastShown = 0.001;

/** The share, rounded to a tenth of a percent, but never to 0 % or 100 % unless that is exact; null without any. */
export function shownShare(count: number, total: number): number | null {
  if (total === 0) return null;
  if (count === 0 || count === total) return count / total;
  return Math.min(1 - leastShown, Math.max(leastShown, count / total));
}
