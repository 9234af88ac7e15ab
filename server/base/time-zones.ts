import { type MicrosRange, dayMicros } from './instants.ts';

/**
 * The IANA name `name` in its own spelling (`europe/berlin` becomes `Europe/Berlin`). A name that is only linked to another
 * zone stays as given: `Asia/Kolkata` does not become `Asia/Calcutta`. Throws a RangeError if there is no such zone.
 */
export function canonicalTimeZone(name: string): string {
  return new Temporal.ZonedDateTime(0n, name).timeZoneId;
}

/** An interval in which the offset of a zone does not change. */
export interface SteadyInterval {
  fromMicros: number;
  toMicros: number;
  offsetMicros: number;
}

/** The range in pieces of one offset: within them calendars are plain arithmetic. */
export function steadyIntervals(fromMicros: number, toMicros: number, timeZone: string): SteadyInterval[] {
  const intervals: SteadyInterval[] = [];
  let at = new Temporal.ZonedDateTime(BigInt(fromMicros) * 1000n, timeZone);
  let start = fromMicros;
  while (start < toMicros) {
    const offsetMicros = Math.round(at.offsetNanoseconds / 1000);
    const next = at.getTimeZoneTransition('next');
    const end = Math.min(toMicros, next === null ? Infinity : next.epochMilliseconds * 1000);
    intervals.push({ fromMicros: start, toMicros: end, offsetMicros });
    if (next === null) break;
    at = next;
    start = end;
  }
  return intervals;
}

/** Where a local day begins. */
export interface DayStart {
  micros: number;
  /** Days since 1970-01-01 of its date. */
  dayNumber: number;
}

/**
 * The starts of the local days that a range touches, ascending, and behind them the first one from its end on. A date that the zone
 * skipped has none; where the clock turns back over midnight the new day goes on.
 */
export function dayStarts({ fromMicros, toMicros }: MicrosRange, timeZone: string): DayStart[] {
  const starts: DayStart[] = [];
  let last = -Infinity;
  const begin = (micros: number, dayNumber: number) => {
    if (dayNumber <= last) return;
    starts.push({ micros, dayNumber });
    last = dayNumber;
  };
  // From far enough outside, so that the starts around the range are among them.
  for (const steady of steadyIntervals(fromMicros - 2 * dayMicros, toMicros + 2 * dayMicros, timeZone)) {
    let dayNumber = Math.floor((steady.fromMicros + steady.offsetMicros) / dayMicros);
    begin(steady.fromMicros, dayNumber);
    for (;;) {
      dayNumber += 1;
      const midnight = dayNumber * dayMicros - steady.offsetMicros;
      if (midnight >= steady.toMicros) break;
      begin(midnight, dayNumber);
    }
  }
  const first = starts.findLastIndex(({ micros }) => micros <= fromMicros);
  const end = starts.findIndex(({ micros }, at) => at > first && micros >= toMicros);
  return starts.slice(first, end + 1);
}

/** The offset of a zone from UTC (microseconds) at instants of a range; fast for instants close together. */
export function offsetsIn(range: MicrosRange, timeZone: string): (micros: number) => number {
  const intervals = steadyIntervals(range.fromMicros, range.toMicros, timeZone);
  let current = intervals[0];
  return (micros) => {
    if (current === undefined || micros < current.fromMicros || micros >= current.toMicros) {
      current = intervals.find(({ fromMicros, toMicros }) => micros >= fromMicros && micros < toMicros);
    }
    if (current === undefined) throw new RangeError('the instant lies outside the range');
    return current.offsetMicros;
  };
}

/** The offsets from UTC (microseconds) that zones have in a range, each once. */
export const listOffsets = ({ fromMicros, toMicros }: MicrosRange, zones: readonly string[]): number[] => [
  ...new Set(zones.flatMap((zone) => steadyIntervals(fromMicros, toMicros, zone).map((one) => one.offsetMicros))),
];

/** The local date of an instant. */
export const dateAt = (micros: number, timeZone: string): Temporal.PlainDate =>
  new Temporal.ZonedDateTime(BigInt(Math.floor(micros)) * 1000n, timeZone).toPlainDate();

/** The offset of a zone from UTC at an instant, microseconds. */
export function offsetAt(micros: number, timeZone: string): number {
  const at = new Temporal.ZonedDateTime(BigInt(Math.floor(micros)) * 1000n, timeZone);
  return Math.round(at.offsetNanoseconds / 1000);
}

/** `+02:00`, with seconds where an offset has some. */
export function formatOffset(offsetMicros: number): string {
  const seconds = Math.round(Math.abs(offsetMicros) / 1_000_000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts.slice(0, seconds % 60 === 0 ? 2 : 3).map((part) => String(part).padStart(2, '0'));
  return `${offsetMicros < 0 ? '-' : '+'}${shown.join(':')}`;
}
