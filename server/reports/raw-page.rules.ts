import { slotMicros } from '../energy/energy.rules.ts';
import { slotsPerDay } from '../energy/energy-day.rules.ts';
import type { MicrosRange } from '../base/instants.ts';

/** The day or slot that contains a certain reading, counted from the newest, and how many readings are newer than it. */
interface Place {
  at: number;
  newer: number;
}

export interface PageDays {
  totalCount: number;
  /** How many readings the page has. */
  rowCount: number;
  /** The days (since 1970-01-01) of its first and last reading; null if it has none. */
  newest: Place | null;
  oldest: Place | null;
}

/** Finds the days of a page of readings, newest first, from the counts by day. */
export function findPageDays(counts: ReadonlyMap<number, number>, limit: number, offset: number): PageDays {
  const days = [...counts].toSorted(([a], [b]) => b - a);
  const totalCount = days.reduce((sum, [, count]) => sum + count, 0);
  const rowCount = Math.max(0, Math.min(limit, totalCount - offset));
  if (rowCount === 0) return { totalCount, rowCount, newest: null, oldest: null };
  return {
    totalCount,
    rowCount,
    newest: findRow(days, 0, offset),
    oldest: findRow(days, 0, offset + rowCount - 1),
  };
}

/** Finds the slot (since 1970-01-01) of the reading at a position of a day, from the counts by slot. */
export function findSlot(day: Place, counts: Iterable<number>, position: number): Place | null {
  const slots = [...counts].map((count, slot): [number, number] => [day.at * slotsPerDay + slot, count]);
  return findRow(slots.toReversed(), day.newer, position);
}

/** An interval of time and how many readings it has. */
export interface CountedSpan extends MicrosRange {
  count: number;
}

/** Splits a span into equal parts, newest first, so that each has at most this many readings if they are evenly spread. */
export function cutSpan({ fromMicros, toMicros, count }: CountedSpan, maxCount: number): MicrosRange[] {
  const parts = Math.min(Math.ceil(count / maxCount), toMicros - fromMicros);
  const edge = (part: number) => toMicros - Math.round(((toMicros - fromMicros) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ fromMicros: edge(part + 1), toMicros: edge(part) }));
}

/** Where the slot begins, epoch microseconds. */
export const startOfSlot = (slot: number): number => slot * slotMicros;

function findRow(parts: readonly (readonly [number, number])[], newerThanAll: number, position: number): Place | null {
  let newer = newerThanAll;
  for (const [at, count] of parts) {
    if (newer + count > position) return { at, newer };
    newer += count;
  }
  return null;
}
