import type { Format } from '../format.ts';
import { add, fromLocal, startOf, toLocal } from '../time.ts';

/** The labels of the time axis. `unit` is the largest unit that changes there: the label names only that. */
export interface TimeTick {
  atMs: number;
  unit: 'time' | 'day' | 'month' | 'year';
}

type Step = readonly [count: number, unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year', lengthMs: number];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count): Step => [count, 'minute', count * minute]),
  ...[1, 2, 3, 6, 12].map((count): Step => [count, 'hour', count * hour]),
  ...[1, 2, 3].map((count): Step => [count, 'day', count * day]),
  [1, 'week', 7 * day],
  [2, 'week', 14 * day],
  ...[1, 3, 6].map((count): Step => [count, 'month', count * 30.4 * day]),
  ...[1, 2, 5, 10].map((count): Step => [count, 'year', count * 365.25 * day]),
];

/**
 * Instants in `[fromMs, toMs]` with round local times or dates in the zone, at most about `maxCount`. If the clocks change
 * between two of them, their distance is longer or shorter by that change.
 */
export function timeTicks(fromMs: number, toMs: number, timeZone: string, maxCount: number): TimeTick[] {
  const length = toMs - fromMs;
  if (!(length > 0) || maxCount < 1) return [];
  const [count, unit] = steps.find((step) => length / step[2] <= maxCount) ?? [20, 'year'];
  const instants = instantsOf(fromMs, toMs, timeZone, count, unit);
  return instants
    .filter((at) => at >= fromMs && at <= toMs)
    .map((atMs) => ({ atMs, unit: unitOf(atMs, unit, timeZone) }));
}

function instantsOf(fromMs: number, toMs: number, timeZone: string, count: number, unit: Step[1]): number[] {
  if (unit === 'minute') return minutes(fromMs, toMs, timeZone, count);
  if (unit === 'hour') return hours(fromMs, toMs, timeZone, count);
  if (unit === 'month' || unit === 'year') return months(fromMs, toMs, timeZone, unit === 'year' ? count * 12 : count);
  return days(fromMs, toMs, timeZone, unit === 'week' ? count * 7 : count);
}

// Clocks change by multiples of half an hour, and each of these steps divides half an hour. So a round time stays round after a
// change.
function minutes(fromMs: number, toMs: number, timeZone: string, count: number): number[] {
  const local = toLocal(fromMs, timeZone);
  const instants: number[] = [];
  let at = Math.floor(fromMs / 1000) * 1000 - ((local.minute % count) * 60 + local.second) * 1000;
  for (; at <= toMs; at += count * minute) instants.push(at);
  return instants;
}

function hours(fromMs: number, toMs: number, timeZone: string, count: number): number[] {
  const instants: number[] = [];
  for (let start = startOf('day', fromMs, timeZone); start <= toMs; start = add(1, 'day', start, timeZone)) {
    const date = toLocal(start, timeZone);
    for (let shown = 0; shown < 24; shown += count) {
      const at = shown === 0 ? start : fromLocal({ ...date, hour: shown, minute: 0, second: 0 }, timeZone);
      // An hour that the spring change skips gets no label.
      if (shown === 0 || toLocal(at, timeZone).hour === shown) instants.push(at);
    }
  }
  return instants;
}

/** Days whose number since a Monday is a multiple of `count`. So labels stay in place while the range moves. */
function days(fromMs: number, toMs: number, timeZone: string, count: number): number[] {
  const instants: number[] = [];
  for (let at = startOf('day', fromMs, timeZone); at <= toMs; at = add(1, 'day', at, timeZone)) {
    const local = toLocal(at, timeZone);
    // The first day of 1970 was a Thursday.
    const sinceMonday = Math.round(Date.UTC(local.year, local.month - 1, local.day) / day) + 3;
    if (sinceMonday % count === 0) instants.push(at);
  }
  return instants;
}

function months(fromMs: number, toMs: number, timeZone: string, count: number): number[] {
  const instants: number[] = [];
  const { year, month } = toLocal(fromMs, timeZone);
  const first = year * 12 + month - 1;
  for (let shown = first - (first % count); ; shown += count) {
    const at = fromLocal(
      { year: Math.floor(shown / 12), month: (shown % 12) + 1, day: 1, hour: 0, minute: 0, second: 0 },
      timeZone,
    );
    if (at > toMs) return instants;
    instants.push(at);
  }
}

function unitOf(atMs: number, unit: Step[1], timeZone: string): TimeTick['unit'] {
  if (unit === 'year') return 'year';
  if (unit === 'month') return toLocal(atMs, timeZone).month === 1 ? 'year' : 'month';
  return unit === 'day' || unit === 'week' || startOf('day', atMs, timeZone) === atMs ? 'day' : 'time';
}

/** The text of a label: "14:00", "3 Mar", "Mar", "2026". */
export function tickLabel({ atMs, unit }: TimeTick, timeZone: string, format: Format): string {
  switch (unit) {
    case 'time':
      return format.time(atMs, timeZone);
    case 'day':
      return format.dayMonth(atMs, timeZone);
    case 'month':
      return format.monthShort(atMs, timeZone);
    case 'year':
      return format.year(atMs, timeZone);
  }
}
