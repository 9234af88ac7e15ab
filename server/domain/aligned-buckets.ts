import { startOfDay } from './asked-range.ts';
import { dayMicros } from './energy-day.ts';
import { weekdayOf } from './tariffs.ts';
import { offsetAt, offsetsIn } from './time-zones.ts';

/** The buckets of one of two ranges, by the clock of its zone. */
export interface AlignedSide {
  /** Ascending, epoch microseconds. */
  starts: readonly number[];
  timeZone: string;
  /** The first local date of a range of whole days: where sites have several zones the first bucket begins the day before. */
  fromDate?: string | undefined;
}

export type Alignment = 'weekday' | 'day';

/** A place on the axis that two ranges share: which bucket of each lies there, null where one has none. */
export interface AlignedRow {
  /** 0 is the first day of the first range; a day of the other range may come before it. */
  day: number;
  /** Of the local day. */
  minute: number;
  at: number | null;
  otherAt: number | null;
}

/** Of two weeks and more the weekday tells more than the day of the month. */
const leastWeekdayDays = 14;

/** How two ranges lie on each other where nobody says so. */
export const usualAlignment = (...lengthsMicros: readonly number[]): Alignment =>
  lengthsMicros.every((length) => length >= leastWeekdayDays * dayMicros) ? 'weekday' : 'day';

interface Placed extends Pick<AlignedRow, 'day' | 'minute'> {
  /** 1 for a time that the clock shows for the second time that day. */
  occurrence: number;
}

/**
 * Lays the buckets of two ranges on each other by day and clock (docs/energy.md): first day on first day, or with `weekday` moved by at
 * most three days so that weekdays meet. An hour that the clock skipped, or showed twice, and days beyond the end of the shorter
 * range are rows of one range only.
 */
export function alignBuckets(side: AlignedSide, other: AlignedSide, alignment: Alignment): AlignedRow[] {
  const [first, otherFirst] = [firstDayOf(side), firstDayOf(other)];
  const shift = alignment === 'day' ? 0 : ((weekdayOf(otherFirst) - weekdayOf(first) + 10) % 7) - 3;
  const rows = new Map<string, Placed & AlignedRow>();
  const rowOf = (placed: Placed) =>
    rows.getOrInsertComputed(`${placed.day} ${placed.minute} ${placed.occurrence}`, () => ({
      ...placed,
      at: null,
      otherAt: null,
    }));
  for (const [at, placed] of placeBuckets(side, first).entries()) rowOf(placed).at = at;
  for (const [at, placed] of placeBuckets(other, otherFirst - shift).entries()) rowOf(placed).otherAt = at;
  const hourOf = ({ minute }: Placed) => Math.floor(minute / 60);
  return [...rows.values()]
    .toSorted((a, b) => a.day - b.day || hourOf(a) - hourOf(b) || a.occurrence - b.occurrence || a.minute - b.minute)
    .map(({ day, minute, at, otherAt }) => ({ day, minute, at, otherAt }));
}

const firstDayOf = ({ starts: [first = 0], timeZone, fromDate }: AlignedSide) =>
  fromDate === undefined
    ? Math.floor((first + offsetAt(first, timeZone)) / dayMicros)
    : Math.floor(startOfDay(fromDate, 'UTC') / dayMicros);

function placeBuckets({ starts, timeZone }: AlignedSide, firstDay: number): Placed[] {
  const seen = new Set<number>();
  const offsetOf = offsetsIn({ fromMicros: starts[0] ?? 0, toMicros: (starts.at(-1) ?? 0) + dayMicros }, timeZone);
  return starts.map((start) => {
    const local = start + offsetOf(start);
    const dayNumber = Math.floor(local / dayMicros);
    const occurrence = seen.has(local) ? 1 : 0;
    seen.add(local);
    return { day: dayNumber - firstDay, minute: (local - dayNumber * dayMicros) / 60_000_000, occurrence };
  });
}
