import {
  calendarPresets,
  isPreset,
  type RangePreset,
  add,
  type CalendarUnit,
  dayMs,
  fromLocalText,
  isTimeZone,
  startOf,
  type TimeRange,
  toInstant,
  toLocal,
  toLocalText,
} from '../../../shared/time.ts';

export const defaultPreset: RangePreset = 'today';

/** Stands for an unknown or unusable range in the URL. It means the default range, and the page shows a note. */
export const unknownRange = 'unknown';

/**
 * The chosen range in the URL of Dashboard and Measurements. Without `from` and `to`, the preset applies (default {@link
 * defaultPreset}). With them, the range is custom and `range` is absent. `tz` is present only if the user chose a zone.
 */
export interface TimeRangeSearch {
  range?: RangePreset | typeof unknownRange;
  /** ISO instant, or the first local day (`YYYY-MM-DD`) if `to` is a day too. */
  from?: string;
  /** ISO instant, exclusive, after `from`; or the last local day, which belongs to the range. */
  to?: string;
  /** IANA name. */
  tz?: string;
}

export type { TimeRange };

/** A century: longer ranges are rejected. */
export const longestRangeMs = 36_525 * dayMs;

/**
 * Nothing was measured before 2000, and nobody looks at later centuries. There is one more day at both ends because of time
 * zones.
 */
const [earliestMs, latestMs] = [Date.UTC(1999, 11, 31), Date.UTC(2100, 0, 2)];

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const readInstant = (value: unknown): number =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : NaN;

/**
 * Reads the range from any search parameters. Unknown values become {@link unknownRange} or are dropped, so that old links still
 * open.
 */
export function readTimeRangeSearch(search: Record<string, unknown>): TimeRangeSearch {
  const { range, tz } = search;
  const zone = typeof tz === 'string' && tz !== '' && isTimeZone(tz) ? { tz } : {};
  const { from, to } = search;
  if (
    isDay(from) &&
    isDay(to) &&
    from >= '2000' &&
    to < '2100' &&
    from <= to &&
    Date.parse(to) - Date.parse(from) < longestRangeMs
  ) {
    return { from, to, ...zone };
  }
  const fromMs = readInstant(from);
  const toMs = readInstant(to);
  if (fromMs >= earliestMs && fromMs < toMs && toMs <= latestMs && toMs - fromMs <= longestRangeMs) {
    return { from: toInstant(fromMs), to: toInstant(toMs), ...zone };
  }
  if (isPreset(range)) return range === defaultPreset ? zone : { range, ...zone };
  return [range, from, to].every((value) => value === undefined) ? zone : { range: unknownRange, ...zone };
}

/** The range of a page for the URL of another page. The note about an unknown range appears only once. */
export function linkedRange(search: TimeRangeSearch): TimeRangeSearch {
  const { range, ...rest } = readTimeRangeSearch({ ...search });
  return range === undefined || range === unknownRange ? rest : { range, ...rest };
}

/** The preset of the search, or null for a custom range. */
export function presetOf(search: TimeRangeSearch): RangePreset | null {
  const { from, to, range = defaultPreset } = search;
  if (from !== undefined && to !== undefined) return null;
  return range === unknownRange ? defaultPreset : range;
}

/** The range of a preset. Calendar presets are whole local days, weeks, months and years; rolling ones end with the running minute. */
export function presetRange(preset: RangePreset, timeZone: string, nowMs: number): TimeRange {
  const calendar = (unit: CalendarUnit, shift: number): TimeRange => {
    const fromMs = startOf(unit, add(shift, unit, startOf(unit, nowMs, timeZone), timeZone), timeZone);
    return { fromMs, toMs: startOf(unit, add(1, unit, fromMs, timeZone), timeZone) };
  };
  const endOfMinute = Math.floor(nowMs / 60_000) * 60_000 + 60_000;
  const rolling = (days: number): TimeRange => ({
    fromMs: add(-days, 'day', endOfMinute, timeZone),
    toMs: endOfMinute,
  });
  switch (preset) {
    case 'today':
      return calendar('day', 0);
    case 'yesterday':
      return calendar('day', -1);
    case 'last24h':
      return { fromMs: endOfMinute - dayMs, toMs: endOfMinute };
    case 'last7d':
      return rolling(7);
    case 'last30d':
      return rolling(30);
    case 'this-week':
      return calendar('week', 0);
    case 'last-week':
      return calendar('week', -1);
    case 'this-month':
      return calendar('month', 0);
    case 'last-month':
      return calendar('month', -1);
    case 'this-year':
      return calendar('year', 0);
    case 'last-year':
      return calendar('year', -1);
  }
}

/** The instants that the range in the URL stands for now. */
export function resolveTimeRange(search: TimeRangeSearch, timeZone: string, nowMs: number): TimeRange {
  const preset = presetOf(search);
  if (preset !== null) return presetRange(preset, timeZone, nowMs);
  const { from, to } = search;
  if (!isDay(from) || !isDay(to)) return { fromMs: readInstant(from), toMs: readInstant(to) };
  const startOfDay = (day: string) => startOf('day', fromLocalText(`${day}T12:00`, timeZone) ?? NaN, timeZone);
  return { fromMs: startOfDay(from), toMs: add(1, 'day', startOfDay(to), timeZone) };
}

/** Local dates (`YYYY-MM-DD`), half-open. */
export interface CalendarDates {
  fromDate: string;
  toDate: string;
}

/** The local days of a range, or null if it is cut anywhere else: each site then has its own local days. */
export function calendarDates(range: TimeRange, timeZone: string): CalendarDates | null {
  if (calendarSpan(range, timeZone) === null || toLocal(range.toMs, timeZone).year > 9999) return null;
  return { fromDate: dateAt(range.fromMs, timeZone), toDate: dateAt(range.toMs, timeZone) };
}

const dateAt = (atMs: number, timeZone: string): string => toLocalText(atMs, timeZone).slice(0, 'YYYY-MM-DD'.length);

/**
 * The parameters of a range in a request. Whole days are sent as dates, so that each site uses its own days. Other ranges are
 * sent as instants.
 */
export type WireRange = CalendarDates | { from: string; to: string };

export const wireInstants = ({ fromMs, toMs }: TimeRange) => ({ from: toInstant(fromMs), to: toInstant(toMs) });

export const wireRange = (range: TimeRange, timeZone: string): WireRange =>
  calendarDates(range, timeZone) ?? wireInstants(range);

/**
 * The part of a range up to another end, for a request. For whole days, each site has its own days, and all of them are cut at
 * the same instant.
 */
export function wirePart(whole: TimeRange, part: TimeRange, timeZone: string): WireRange & { until?: string } {
  const dates = part.toMs === whole.toMs ? null : calendarDates(whole, timeZone);
  return dates === null ? wireRange(part, timeZone) : { ...dates, until: toInstant(part.toMs) };
}

/** A range in the URL that keeps its meaning on later days: with its first and last day, or its instants. */
export function fixedSearchOf(range: TimeRange, timeZone: string): { from: string; to: string } {
  const dates = calendarDates(range, timeZone);
  // The last day belongs to the range.
  return dates === null
    ? wireInstants(range)
    : { from: dates.fromDate, to: dateAt(add(-1, 'day', range.toMs, timeZone), timeZone) };
}

/**
 * A custom range in the URL. If a calendar preset now means the same range, the preset is used, which stays up to date
 * tomorrow.
 */
export function searchOfRange(range: TimeRange, timeZone: string, nowMs: number): TimeRangeSearch {
  const preset = calendarPresets.find((candidate) => {
    const { fromMs, toMs } = presetRange(candidate, timeZone, nowMs);
    return fromMs === range.fromMs && toMs === range.toMs;
  });
  if (preset !== undefined) return preset === defaultPreset ? {} : { range: preset };
  return fixedSearchOf(range, timeZone);
}

/** The length of a range in whole calendar units of the zone (the largest that fits), or null if it is cut anywhere else. */
export function calendarSpan(
  { fromMs, toMs }: TimeRange,
  timeZone: string,
): { count: number; unit: 'day' | 'month' | 'year' } | null {
  const isStart = (unit: CalendarUnit) =>
    startOf(unit, fromMs, timeZone) === fromMs && startOf(unit, toMs, timeZone) === toMs;
  const from = toLocal(fromMs, timeZone);
  const to = toLocal(toMs, timeZone);
  if (isStart('year')) return { count: to.year - from.year, unit: 'year' };
  if (isStart('month')) return { count: (to.year - from.year) * 12 + to.month - from.month, unit: 'month' };
  if (!isStart('day')) return null;
  const days = (Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / dayMs;
  return { count: days, unit: 'day' };
}

/** The range of the same length just before (-1) or after (+1): whole days, months and years stay whole across clock changes. */
export function shiftRange(range: TimeRange, direction: -1 | 1, timeZone: string): TimeRange {
  const span = calendarSpan(range, timeZone);
  if (span === null) {
    const length = range.toMs - range.fromMs;
    return { fromMs: range.fromMs + direction * length, toMs: range.toMs + direction * length };
  }
  const { unit } = span;
  const move = (instantMs: number) => startOf(unit, add(direction * span.count, unit, instantMs, timeZone), timeZone);
  return { fromMs: move(range.fromMs), toMs: move(range.toMs) };
}

/** Two instants in the URL, to the second: `2026-03-10T10:00:00Z..2026-03-10T10:15:00Z`. */
export const spanText = ({ fromMs, toMs }: TimeRange): string =>
  [fromMs, toMs].map((atMs) => toInstant(Math.round(atMs / 1000) * 1000).replace('.000', '')).join('..');

/** Reads the text of {@link spanText}; null for anything else. */
export function readSpan(value: unknown): TimeRange | null {
  const [from, to] = typeof value === 'string' ? value.split('..') : [];
  const [fromMs, toMs] = [readInstant(from), readInstant(to)];
  return fromMs >= earliestMs && fromMs < toMs && toMs <= latestMs ? { fromMs, toMs } : null;
}

/**
 * The name of a range in the key of a query. A preset has its own name and is resolved at each request. So the previous answer
 * stays visible until the next one arrives, even if a request fails.
 */
export function rangeKey(search: TimeRangeSearch, timeZone: string): readonly string[] {
  return [presetOf(search) ?? `${search.from} ${search.to}`, timeZone];
}
