/**
 * Calendar arithmetic in a named time zone based on Intl, because not every browser has Temporal yet and a polyfill would be
 * larger than the rest of the first page. Instants are milliseconds since 1970; the tests compare the results with Temporal.
 */

/** Epoch milliseconds, half-open. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

export interface LocalDateTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const partsFormats = new Map<string, Intl.DateTimeFormat>();

function partsFormat(timeZone: string): Intl.DateTimeFormat {
  let format = partsFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    partsFormats.set(timeZone, format);
  }
  return format;
}

/** The zone of this browser. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function isTimeZone(name: string): boolean {
  try {
    partsFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time in `timeZone` at the instant. */
export function toLocal(instantMs: number, timeZone: string): LocalDateTime {
  const shown = new Date(instantMs + offsetAt(instantMs, timeZone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
  };
}

/** A day without a clock change. */
export const dayMs = 86_400_000;

/** The calendar repeats after this many years. */
const cycleYears = 400;
const cycleMs = 146_097 * dayMs;

/** Date.UTC would read the years 0 to 99 as 1900 to 1999. */
const asUtc = (at: LocalDateTime): number =>
  Date.UTC(at.year + cycleYears, at.month - 1, at.day, at.hour, at.minute, at.second) - cycleMs;

/** Clocks change at the quarter-hours of UTC. */
const slotMs = 900_000;
/** Asking Intl takes 40 µs, and a page asks for the same few days again and again. */
const offsets = new Map<string, number>();
const maxOffsets = 5_000;

/** Milliseconds by which the zone is ahead of UTC at the instant. */
function offsetAt(instantMs: number, timeZone: string): number {
  const slot = Math.floor(instantMs / slotMs);
  const key = `${slot} ${timeZone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const read: Record<string, number> = {};
  for (const { type, value } of partsFormat(timeZone).formatToParts(slot * slotMs)) read[type] = Number(value);
  const { year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second = NaN } = read;
  const offset = asUtc({ year, month, day, hour, minute, second }) - slot * slotMs;
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/** Whether this local time occurs twice in the zone, as in the repeated autumn hour. */
export function isRepeatedTime(instantMs: number, timeZone: string): boolean {
  const offset = offsetAt(instantMs, timeZone);
  const away = dayMs / 8;
  const others = [offsetAt(instantMs - away, timeZone), offsetAt(instantMs + away, timeZone)];
  // At the other instant with the same local time, the other offset must apply.
  return others.some((other) => other !== offset && offsetAt(instantMs + offset - other, timeZone) === other);
}

/**
 * The instant of a local time in `timeZone`. A repeated time means its first occurrence; a skipped one means the same distance
 * after the gap (Temporal's "compatible"). Fields may overflow (month 13, day 0).
 */
export function fromLocal(at: LocalDateTime, timeZone: string): number {
  const wanted = asUtc(at);
  const before = offsetAt(wanted - dayMs, timeZone);
  const after = offsetAt(wanted + dayMs, timeZone);
  const fits = [wanted - before, wanted - after].filter((t) => asUtc(toLocal(t, timeZone)) === wanted);
  return fits.length > 0 ? Math.min(...fits) : wanted - before;
}

export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

const midnight = { hour: 0, minute: 0, second: 0 };

/** The first instant of the local day, week (from Monday), month or year that contains the instant. */
export function startOf(unit: CalendarUnit, instantMs: number, timeZone: string): number {
  const { year, month, day } = toLocal(instantMs, timeZone);
  if (unit === 'year') return fromLocal({ year, month: 1, day: 1, ...midnight }, timeZone);
  if (unit === 'month') return fromLocal({ year, month, day: 1, ...midnight }, timeZone);
  const sinceMonday = unit === 'week' ? (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7 : 0;
  return fromLocal({ year, month, day: day - sinceMonday, ...midnight }, timeZone);
}

/** The same local time of day `count` calendar units later; a day that the month lacks becomes its last day. */
export function add(count: number, unit: CalendarUnit, instantMs: number, timeZone: string): number {
  const local = toLocal(instantMs, timeZone);
  if (unit === 'day' || unit === 'week') {
    return fromLocal({ ...local, day: local.day + count * (unit === 'week' ? 7 : 1) }, timeZone);
  }
  const months = local.year * 12 + local.month - 1 + count * (unit === 'year' ? 12 : 1);
  const year = Math.floor(months / 12);
  const month = (months % 12) + 1;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return fromLocal({ ...local, year, month, day: Math.min(local.day, lastDay) }, timeZone);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DDTHH:mm` in the zone, in the format of `<input type="datetime-local">`. */
export function toLocalText(instantMs: number, timeZone: string): string {
  const { year, month, day, hour, minute } = toLocal(instantMs, timeZone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** `2026-10-25T02:00:00+02:00`: the local time and its offset. */
export function toOffsetText(instantMs: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(instantMs, timeZone) / 60_000);
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${toLocalText(instantMs, timeZone)}:${two(toLocal(instantMs, timeZone).second)}${offset}`;
}

/** The instant of `YYYY-MM-DDTHH:mm` in the zone; null if the text is not such a time. */
export function fromLocalText(text: string, timeZone: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d)?$/.exec(text);
  if (match === null) return null;
  const [year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN] = match.slice(1).map(Number);
  const at = fromLocal({ year, month, day, hour, minute, second: 0 }, timeZone);
  return Number.isNaN(at) ? null : at;
}

/** ISO 8601 in UTC, the form of the wire. */
export const toInstant = (instantMs: number): string => new Date(instantMs).toISOString();

/** Clocks differ by less; up to this age the page shows "now". */
const aheadAfterMs = 60_000;

/** Whether a reading is in the future. Until its time comes, no arriving reading is newer. */
export const isAhead = (at: string, nowMs: number): boolean => Date.parse(at) - nowMs >= aheadAfterMs;

/** Whole local days, weeks from Monday, months and years. */
export const calendarPresets = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
] as const;

/** Ranges with a name in URLs and in dashboards, because their meaning changes every day. */
export const rangePresets = [...calendarPresets, 'last24h', 'last7d', 'last30d'] as const;
export type RangePreset = (typeof rangePresets)[number];

export const isPreset = (value: unknown): value is RangePreset => rangePresets.some((preset) => preset === value);
