import { add, type CalendarUnit, dayMs, startOf, toLocal } from './time.ts';
import { calendarSpan, shiftRange, wirePart, type TimeRange } from './time-range.ts';

const minuteMs = 60_000;

export interface ComparedRanges {
  whole: TimeRange;
  /** What is compared: the range itself, or the part of it that is over. */
  current: TimeRange;
  previous: TimeRange;
  isWhole: boolean;
}

/**
 * What a range is compared with: the one of the same length before it. A range that is still running is compared only as far
 * as it has come (`untilMs`), up to the same local time in the range before; null where it has not begun.
 */
export function comparedRanges(range: TimeRange, timeZone: string, untilMs: number): ComparedRanges | null {
  const previous = shiftRange(range, -1, timeZone);
  // Rolling ranges end with the running minute: these seconds are no part that is missing.
  if (range.toMs - untilMs <= minuteMs) return { whole: range, current: range, previous, isWhole: true };
  const endMs = Math.floor(untilMs / minuteMs) * minuteMs;
  if (endMs <= range.fromMs) return null;
  const span = calendarSpan(range, timeZone);
  const toMs =
    span === null
      ? endMs - (range.toMs - range.fromMs)
      : Math.min(previous.toMs, sameTimeBefore(endMs, span.count, span.unit, timeZone));
  return {
    whole: range,
    current: { fromMs: range.fromMs, toMs: endMs },
    previous: { ...previous, toMs },
    isWhole: false,
  };
}

/** A range on the wire, as far as it has come: the fixed charge of days to come is no cost yet. All of it where it has not begun. */
export const wireSoFar = (range: TimeRange, timeZone: string, nowMs: number) =>
  wirePart(range, comparedRanges(range, timeZone, nowMs)?.current ?? range, timeZone);

/** What a range is compared with that somebody chose: as far as the first has come, up to the same local time of its days. */
export function comparedWith(range: TimeRange, other: TimeRange, timeZone: string, untilMs: number): ComparedRanges {
  const usual = comparedRanges(range, timeZone, untilMs) ?? {
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
  return { ...usual, previous: { ...other, toMs: Math.max(other.fromMs, Math.min(other.toMs, toMs)) } };
}

/** The same local time `count` units before; where that month has no such day, its end. */
function sameTimeBefore(atMs: number, count: number, unit: CalendarUnit, timeZone: string): number {
  const before = add(-count, unit, atMs, timeZone);
  const isMoved = unit !== 'day' && toLocal(before, timeZone).day !== toLocal(atMs, timeZone).day;
  return isMoved ? startOf('day', add(1, 'day', before, timeZone), timeZone) : before;
}
