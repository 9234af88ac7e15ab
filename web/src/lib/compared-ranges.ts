import { add, type CalendarUnit, dayMs, startOf, toLocal } from '../../../shared/time.ts';
import { calendarDates, calendarSpan, shiftRange, wirePart, type TimeRange } from './time-range.ts';

/** A previous value below this, in kWh or in money, is shown with at most one significant digit. */
const leastBase = 0.1;
/** If a value is more than ten times the previous one, the change is not shown in percent. */
const maxShare = 9;

/**
 * The change of a number as a share of the previous number. Null if the size or sign of that number makes a share misleading.
 */
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
 * The comparison of a range with the previous range of the same length. If a range is still running, only the elapsed part
 * (`untilMs`) is compared, up to the same local time in the previous range. Null if the range has not begun. `endMs` is its
 * end. For whole days, this is later than in the page's time zone if days at a site further west are not over.
 */
export function comparedRanges(
  range: TimeRange,
  timeZone: string,
  untilMs: number,
  endMs = range.toMs,
): ComparedRanges | null {
  const previous = shiftRange(range, -1, timeZone);
  // Rolling ranges end with the running minute. The seconds of that minute are not a missing part.
  if (endMs - untilMs <= minuteMs) return { whole: range, current: range, previous, isWhole: true };
  const minute = Math.floor(untilMs / minuteMs) * minuteMs;
  // In a request, a part that goes up to the end of the range is the whole range.
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

/** The end of the range of an answer. For whole days: when the days at the last site are over. */
export function endOf(range: TimeRange, answer: { to: string }): number {
  const toMs = Date.parse(answer.to);
  // An answer may be older than the day that the range stands for now.
  return toMs > range.fromMs ? toMs : range.toMs;
}

/** The largest difference between the ends of a day at two sites. */
export const farthestMs = 26 * 3_600_000;

/**
 * A range in a request, up to now, because the fixed charge of future days is not a cost yet. A range that has not started is
 * requested completely.
 */
export function wireSoFar(range: TimeRange, timeZone: string, nowMs: number) {
  // If the days of all sites are over, a later end cuts nothing off.
  const endMs = calendarDates(range, timeZone) === null ? range.toMs : range.toMs + farthestMs;
  return wirePart(range, comparedRanges(range, timeZone, nowMs, endMs)?.current ?? range, timeZone);
}

/**
 * The range that the user chose for comparison. As much of it counts as has elapsed of the first range, up to the same local
 * time.
 */
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
