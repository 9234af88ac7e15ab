/** Instants inside the portal are epoch microseconds: exact in a double until the year 2255, and PostgreSQL's own resolution. */
export const microsPerSecond = 1_000_000;
const secondsPerDay = 86_400;
export const dayMs = secondsPerDay * 1000;
export const dayMicros = secondsPerDay * microsPerSecond;

/** 0 is Monday; `dayNumber` counts days since 1970-01-01, a Thursday. */
export const weekdayOf = (dayNumber: number): number => (((dayNumber + 3) % 7) + 7) % 7;

const iso = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** The years 1 to 9999, which four digits and PostgreSQL can both write. */
const earliestSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
export const earliestMicros = earliestSecond * microsPerSecond;
export const lastMicros = lastSecond * microsPerSecond + 999_000;

/**
 * Epoch microseconds of an ISO 8601 instant with an offset or `Z`; null if the text is not one (no offset, no such day or
 * time). Digits beyond microseconds are cut off.
 */
export function parseInstant(text: string): number | null {
  return parseUtcSeconds(text) ?? parseAny(text);
}

/**
 * Fast path for `2026-03-10T10:00:00Z` and `2026-03-10T10:00:00.000Z`, which most gateways send: four times as fast as the pattern;
 * null for anything else.
 */
function parseUtcSeconds(text: string): number | null {
  const isLong = text.length === 24 && text.charCodeAt(19) === 46;
  if (!isLong && text.length !== 20) return null;
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(text.length - 1) !== 90) return null;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return null;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return null;
  const day = epochDay(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  // A character that is not a digit gives NaN, which fails every comparison.
  if (day === null || !(hour <= 23 && minute <= 59 && second <= 59)) return null;
  const seconds = day * secondsPerDay + hour * 3600 + minute * 60 + second;
  const millis = isLong ? twoDigits(text, 20) * 10 + (twoDigits(text, 21) % 10) : 0;
  const micros = seconds * microsPerSecond + millis * 1000;
  return micros >= earliestMicros && seconds < lastSecond ? micros : null;
}

function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function parseAny(text: string): number | null {
  const match = iso.exec(text);
  if (match === null) return null;
  const day = epochDay(Number(match[1]), Number(match[2]), Number(match[3]));
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6] ?? 0);
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (day === null || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 3600 + offsetMinute * 60);
  const micros = match[7] === undefined ? 0 : Number(match[7].padEnd(6, '0').slice(0, 6));
  const seconds = day * secondsPerDay + hour * 3600 + minute * 60 + second - offset;
  if (seconds < earliestSecond || seconds > lastSecond) return null;
  // Doubles are 32 microseconds apart there. The last instant must not be rounded up into the year 10000.
  return Math.min(seconds * microsPerSecond + micros, lastMicros);
}

/** `2026-03-10T10:00:00Z`, with as many fraction digits (none, 3 or 6) as the instant needs. */
export function formatInstant(micros: number): string {
  const millis = Math.floor(micros / 1000);
  // oxlint-disable-next-line no-restricted-globals -- It writes an instant that it is given; it does not ask the clock.
  const text = new Date(millis).toISOString();
  const rest = micros - millis * 1000;
  if (rest !== 0) return `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 1970-01-01 of a proleptic Gregorian date, or null if the date does not exist. */
function epochDay(year: number, month: number, day: number): number | null {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = month === 2 && isLeap ? 29 : monthLengths[month - 1];
  if (length === undefined || day < 1 || day > length) return null;
  // Counts years from March, so that the leap day is the last of a year.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

/** Epoch microseconds, half-open. */
export interface MicrosRange {
  fromMicros: number;
  toMicros: number;
}

/** The overlap of two ranges. If they do not overlap, it ends before it starts. */
export const overlapOf = (a: MicrosRange, b: MicrosRange): MicrosRange => ({
  fromMicros: Math.max(a.fromMicros, b.fromMicros),
  toMicros: Math.min(a.toMicros, b.toMicros),
});

export const isAny = ({ fromMicros, toMicros }: MicrosRange): boolean => fromMicros < toMicros;

/** From the earliest start to the latest end; an empty range at 1970 if there are none. */
export const unionOf = (ranges: readonly MicrosRange[]): MicrosRange =>
  ranges.length === 0
    ? { fromMicros: 0, toMicros: 0 }
    : ranges.reduce((union, one) => ({
        fromMicros: Math.min(union.fromMicros, one.fromMicros),
        toMicros: Math.max(union.toMicros, one.toMicros),
      }));

/**
 * The IANA name `name` in its own spelling (`europe/berlin` becomes `Europe/Berlin`). A name that is only linked to another
 * zone stays as given: `Asia/Kolkata` does not become `Asia/Calcutta`. Throws a RangeError if there is no such zone.
 */
export function canonicalTimeZone(name: string): string {
  return new Temporal.ZonedDateTime(0n, name).timeZoneId;
}

/** An interval in which the offset of a zone does not change. */
interface SteadyInterval {
  fromMicros: number;
  toMicros: number;
  offsetMicros: number;
}

/** The range in pieces with one offset each. Within a piece, calendars are plain arithmetic. */
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
interface DayStart {
  micros: number;
  /** The date as days since 1970-01-01. */
  dayNumber: number;
}

/**
 * The starts of the local days that a range touches, ascending, followed by the first start after its end. A date that the zone
 * skipped has none. If the clock is turned back over midnight, the new day goes on.
 */
export function dayStarts({ fromMicros, toMicros }: MicrosRange, timeZone: string): DayStart[] {
  const starts: DayStart[] = [];
  let last = -Infinity;
  const begin = (micros: number, dayNumber: number) => {
    if (dayNumber <= last) return;
    starts.push({ micros, dayNumber });
    last = dayNumber;
  };
  // The search starts far enough outside the range to include the starts of days around it.
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

/** The offset of a zone from UTC (microseconds) at instants of a range. Fast if the instants are close together. */
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

/** The different offsets from UTC (microseconds) that zones have in a range. */
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

/** `+02:00`; with seconds if the offset has some. */
export function formatOffset(offsetMicros: number): string {
  const seconds = Math.round(Math.abs(offsetMicros) / 1_000_000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts.slice(0, seconds % 60 === 0 ? 2 : 3).map((part) => String(part).padStart(2, '0'));
  return `${offsetMicros < 0 ? '-' : '+'}${shown.join(':')}`;
}
