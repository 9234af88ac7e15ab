import { add, type CalendarUnit, dayMs, startOf, toLocal } from '../../../shared/time.ts';
import { calendarDates, calendarSpan, shiftRange, wirePart, type TimeRange } from './time-range.ts';

/** A base below this, in kWh or in money, is shown with at most one significant digit. */
const leastBase = 0.1;
/** Beyond ten times as much, the change is not shown in percent. */
const maxShare = 9;

/** The change of a number as a share of the previous one; null if that number or its sign makes a share meaningless. */
export function changeShare(current: number, previous: number): number | null {
  if (Math.abs(previous) < leastBase || Math.sign(current) === -Math.sign(previous)) return null;
  const share = (current - previous) / Math.abs(previous);
  return share > maxShare ? null : share;
}

const minuteMs = 60_000;

export interface ComparedRanges {
  whole: TimeRange;
  /** The compared part: the range, or its elapsed part. */
  current: TimeRange;
  previous: TimeRange;
  isWhole: boolean;
}

/**
 * The comparison of a range with the previous one of the same length. A range that is still running is compared only as far as it
 * has elapsed (`untilMs`), up to the same local time in the previous range; null if it has not begun. `endMs` is its end: for
 * whole days later than in the page's time zone if a site further west is still in them.
 */
export function comparedRanges(
  range: TimeRange,
  timeZone: string,
  untilMs: number,
  endMs = range.toMs,
): ComparedRanges | null {
  const previous = shiftRange(range, -1, timeZone);
  // Rolling ranges end with the running minute: its seconds are not a missing part.
  if (endMs - untilMs <= minuteMs) return { whole: range, current: range, previous, isWhole: true };
  const minute = Math.floor(untilMs / minuteMs) * minuteMs;
  // On the wire, a part up to the end of the range is the whole range.
  const cutMs = minute === range.toMs ? minute - minuteMs : minute;
  if (cutMs <= range.fromMs) return null;
  const span = calendarSpan(range, timeZone);
  const before =
    span === null ? cutMs - (range.toMs - range.fromMs) : sameTimeBefore(cutMs, span.count, span.unit, timeZone);
  return {
    whole: range,
    current: { fromMs: range.fromMs, toMs: cutMs },
    previous: { ...previous, toMs: cutMs < range.toMs ? Math.min(previous.toMs, before) : before },
    isWhole: false,
  };
}

/** The end of an answered range: for whole days, when the last site has finished them. */
export function endOf(range: TimeRange, answer: { to: string }): number {
  const toMs = Date.parse(answer.to);
  // An answer may be older than the day that the range means now.
  return toMs > range.fromMs ? toMs : range.toMs;
}

/** The most by which the days of one site end after those of another. */
export const farthestMs = 26 * 3_600_000;

/**
 * A range on the wire, up to now: the fixed charge of future days is not a cost yet. A range that has not started is complete.
 */
export function wireSoFar(range: TimeRange, timeZone: string, nowMs: number) {
  // Once the days of all sites are over, a later end cuts nothing.
  const endMs = calendarDates(range, timeZone) === null ? range.toMs : range.toMs + farthestMs;
  return wirePart(range, comparedRanges(range, timeZone, nowMs, endMs)?.current ?? range, timeZone);
}

/** The range that the user chose for comparison: as much of it as has elapsed of the first one, up to the same local time. */
export function comparedWith(
  range: TimeRange,
  other: TimeRange,
  timeZone: string,
  untilMs: number,
  endMs = range.toMs,
): ComparedRanges {
  const usual = comparedRanges(range, timeZone, untilMs, endMs) ?? {
    whole: range,
    current: range,
    previous: other,
    isWhole: true,
  };
  const before = shiftRange(range, -1, timeZone);
  if (other.fromMs === before.fromMs && other.toMs === before.toMs) return usual;
  if (usual.isWhole) return { ...usual, previous: other };
  const [from, otherFrom] = [toLocal(range.fromMs, timeZone), toLocal(other.fromMs, timeZone)];
  const dayOf = ({ year, month, day }: typeof from) => Date.UTC(year, month - 1, day) / dayMs;
  const toMs = add(dayOf(otherFrom) - dayOf(from), 'day', usual.current.toMs, timeZone);
  const endsLater = usual.current.toMs >= range.toMs;
  return {
    ...usual,
    previous: { ...other, toMs: Math.max(other.fromMs, endsLater ? toMs : Math.min(other.toMs, toMs)) },
  };
}

/** The same local time `count` units earlier; the end of the month if it has no such day. */
function sameTimeBefore(atMs: number, count: number, unit: CalendarUnit, timeZone: string): number {
  const before = add(-count, unit, atMs, timeZone);
  const isMoved = unit !== 'day' && toLocal(before, timeZone).day !== toLocal(atMs, timeZone).day;
  return isMoved ? startOf('day', add(1, 'day', before, timeZone), timeZone) : before;
}

/** The API's parameter names for the other side of a comparison. */
export const asOther = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      `other${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      String(value),
    ]),
  );
