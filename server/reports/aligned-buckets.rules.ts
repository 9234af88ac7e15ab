import { startOfDay } from '../base/ranges.ts';
import { dayMicros, offsetAt, offsetsIn, weekdayOf } from '../base/instants.ts';

/** The buckets of one of two ranges, in its time zone. */
export interface AlignedSide {
  /** Ascending, epoch microseconds. */
  starts: readonly number[];
  timeZone: string;
  /**
   * The first local date if the range is of whole days. If sites have different zones, the first bucket may begin on the day
   * before.
   */
  fromDate?: string | undefined;
}

export type Alignment = 'weekday' | 'day';

/** A position on the axis that two ranges share, with the bucket of each range at this position, or null. */
export interface AlignedRow {
  /** The number of days from the first day of the first range. A day of the other range may come before it. */
  day: number;
  /** The minute of the local day. */
  minute: number;
  at: number | null;
  otherAt: number | null;
}

/** For ranges of two weeks and more, the weekday says more than the day of the month. */
const leastWeekdayDays = 14;

/** How two ranges are aligned by default. */
export const usualAlignment = (...lengthsMicros: readonly number[]): Alignment =>
  lengthsMicros.every((length) => length >= leastWeekdayDays * dayMicros) ? 'weekday' : 'day';

/**
 * Aligns the buckets of two ranges by day and local time (docs/energy.md): the first days coincide, or with `weekday` one range
 * is moved by at most three days so that weekdays coincide. Three kinds of row belong to one range only: an hour that the clocks
 * skipped, an hour that occurred twice, and days beyond the end of the shorter range.
 */
export function alignBuckets(side: AlignedSide, other: AlignedSide, alignment: Alignment): AlignedRow[] {
  const [first, otherFirst] = [firstDayOf(side), firstDayOf(other)];
  const shift = alignment === 'day' ? 0 : ((weekdayOf(otherFirst) - weekdayOf(first) + 10) % 7) - 3;
  const [own, others] = [placeBuckets(side, first), placeBuckets(other, otherFirst - shift)];
  // As numbers, which are sorted and found several times as fast as strings. Any user may request 36,600 days for each range.
  const places = Float64Array.from(new Set([...own.keys(), ...others.keys()])).toSorted();
  return Array.from(places, (place) => {
    const hour = Math.floor(place / placesPerHour);
    const day = Math.floor(hour / 24);
    const minute = ((place - hour * placesPerHour) % hourMicros) / minuteMicros;
    return {
      day,
      minute: (hour - day * 24) * 60 + minute,
      at: own.get(place) ?? null,
      otherAt: others.get(place) ?? null,
    };
  });
}

/** The values of one of the ranges by row. */
export const valuesOn = <Value>(
  rows: readonly AlignedRow[],
  side: 'at' | 'otherAt',
  values: readonly Value[] = [],
): (Value | null)[] => rows.map((row) => values[row[side] ?? -1] ?? null);

/** For each row, whether the bucket of one of the ranges is among the given ones. */
export const rowsOf = (
  rows: readonly AlignedRow[],
  buckets: ReadonlySet<number>,
  otherBuckets: ReadonlySet<number>,
): boolean[] => rows.map(({ at, otherAt }) => buckets.has(at ?? -1) || otherBuckets.has(otherAt ?? -1));

/**
 * The energy of both ranges: in total, and in the rows in common. These are rows that both ranges measured and in which neither
 * range is still `running`.
 */
export function sumRows(
  energyKwh: readonly (number | null)[],
  otherEnergyKwh: readonly (number | null)[],
  running: readonly boolean[],
) {
  const rows = [...energyKwh.keys()];
  const common = rows.filter((at) => energyKwh[at] !== null && otherEnergyKwh[at] !== null && running[at] !== true);
  const sumOf = (values: readonly (number | null)[], places: readonly number[]) =>
    places.reduce((sum, at) => sum + (values[at] ?? 0), 0);
  const sums = (places: readonly number[]) => ({
    energyImportedKwh: sumOf(energyKwh, places),
    otherEnergyImportedKwh: sumOf(otherEnergyKwh, places),
  });
  return { totals: sums(rows), common: { rowCount: common.length, ...sums(common) } };
}

const minuteMicros = 60_000_000;
const hourMicros = 60 * minuteMicros;
/** The hour times two, because an hour may occur twice. */
const placesPerHour = 2 * hourMicros;

const firstDayOf = ({ starts: [first = 0], timeZone, fromDate }: AlignedSide) =>
  fromDate === undefined
    ? Math.floor((first + offsetAt(first, timeZone)) / dayMicros)
    : Math.floor(startOfDay(fromDate, 'UTC') / dayMicros);

/**
 * The bucket at each position of the axis. The position is an integer ordered by day, hour, whether the hour is a repeated one,
 * and minute.
 */
function placeBuckets({ starts, timeZone }: AlignedSide, firstDay: number): Map<number, number> {
  const seen = new Set<number>();
  const places = new Map<number, number>();
  const offsetOf = offsetsIn({ fromMicros: starts[0] ?? 0, toMicros: (starts.at(-1) ?? 0) + dayMicros }, timeZone);
  for (const [at, start] of starts.entries()) {
    const local = start + offsetOf(start) - firstDay * dayMicros;
    const hour = Math.floor(local / hourMicros);
    places.set(hour * placesPerHour + (seen.has(local) ? hourMicros : 0) + (local - hour * hourMicros), at);
    seen.add(local);
  }
  return places;
}
