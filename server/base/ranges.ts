import { refuse } from './errors.ts';
import {
  earliestMicros,
  lastMicros,
  type MicrosRange,
  parseInstant,
  unionOf,
  dayMicros,
  formatInstant,
} from './instants.ts';

/** Local dates (`YYYY-MM-DD`), half-open. */
export interface CalendarDates {
  fromDate: string;
  toDate: string;
}

/**
 * The range of a query: two instants that are the same everywhere, or local days, which each site has in its own time zone.
 * Converted to instants, it covers the days of every site.
 */
export interface AskedRange extends MicrosRange {
  dates: CalendarDates | null;
  /** The instant at which the days of every site are cut. For a range that is still running, this is now. */
  untilMicros?: number;
}

/** A range of a query, for each site. */
export interface SiteRanges {
  /** Covers the ranges of all sites, from the earliest start to the latest end. */
  all: MicrosRange;
  /** The range of a site in a time zone. */
  of: (timeZone: string) => MicrosRange;
  dates: CalendarDates | null;
}

/** The dates with a day on both sides. This covers them in every zone, because no zone differs from UTC by a whole day. */
export function calendarRange(dates: CalendarDates): AskedRange {
  const { fromMicros, toMicros } = daysInUtc(dates);
  return {
    dates,
    fromMicros: Math.max(earliestMicros, fromMicros - dayMicros),
    toMicros: Math.min(lastMicros, toMicros + dayMicros),
  };
}

/** The length of the range (microseconds) at a site whose clock never changes. */
export function lengthOf({ dates, ...range }: AskedRange): number {
  const { fromMicros, toMicros } = dates === null ? range : daysInUtc(dates);
  return toMicros - fromMicros;
}

/** From the earliest start to the latest end of two ranges, which a snapshot must cover to answer both. */
export function spanOf(range: AskedRange, other: AskedRange): AskedRange {
  return refuseTooLong({ ...unionOf([range, other]), dates: null }, undefined, 'rangesTooLong');
}

type RangeCode = 'rangeTooLong' | 'rangesTooLong' | 'simulationTooLong' | 'usualTooLong';

/**
 * Rejects a range that is longer than a century or, if given, `maxDays`. The limit exists because fixed charges and data
 * quality are counted day by day.
 */
export function refuseTooLong(range: AskedRange, maxDays = 36_600, code: RangeCode = 'rangeTooLong'): AskedRange {
  const days = lengthOf(range) / dayMicros;
  if (days <= maxDays) return range;
  const field = range.dates === null ? 'to' : 'toDate';
  throw refuse(code, { max: maxDays, count: Math.ceil(days) }, { field });
}

/** The part of a range before an instant. A range of local days is cut at the same instant at every site. */
export function cutAt(range: AskedRange, micros: number): AskedRange {
  const { dates, fromMicros, toMicros, untilMicros = lastMicros } = range;
  if (dates !== null) return { ...range, untilMicros: Math.min(untilMicros, micros) };
  return { ...range, toMicros: Math.max(fromMicros, Math.min(toMicros, micros)) };
}

/** The range in the time zones of some sites; in UTC if there are none. */
export function rangesOf(
  { dates, fromMicros, toMicros, untilMicros = lastMicros }: AskedRange,
  timeZones: Iterable<string>,
): SiteRanges {
  if (dates === null) return sameEverywhere({ fromMicros, toMicros });
  const inZone = (timeZone: string): MicrosRange => {
    const days = daysIn(dates, timeZone);
    return {
      fromMicros: Math.min(days.fromMicros, untilMicros),
      toMicros: Math.min(days.toMicros, untilMicros),
    };
  };
  const known = new Map([...new Set(timeZones)].map((timeZone) => [timeZone, inZone(timeZone)]));
  const of = (timeZone: string) => known.get(timeZone) ?? inZone(timeZone);
  const all = unionOf(known.size === 0 ? [of('UTC')] : [...known.values()]);
  return { all, of, dates };
}

/** The same two instants for every site. */
export const sameEverywhere = (range: MicrosRange): SiteRanges => ({ all: range, of: () => range, dates: null });

/** The days from one local date to another in a time zone; none if the zone skipped all of them. */
export function daysIn({ fromDate, toDate }: CalendarDates, timeZone: string): MicrosRange {
  return { fromMicros: startOfDay(fromDate, timeZone), toMicros: startOfDay(toDate, timeZone) };
}

/** The last date that belongs to the range. */
export const lastDateOf = ({ toDate }: CalendarDates): string =>
  Temporal.PlainDate.from(toDate).subtract({ days: 1 }).toString();

/** The first instant of a local date; of a skipped date, the first instant of the next one. */
export function startOfDay(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).epochMilliseconds * 1000;
}

/** Whether a text is an existing date. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== null;

const daysInUtc = (dates: CalendarDates): MicrosRange => daysIn(dates, 'UTC');

/** The zones of some devices. */
export const zonesOf = (devices: readonly { timeZone: string }[]): string[] => devices.map((device) => device.timeZone);

/** The zone that all devices share, or the fallback. */
export function sharedZone(devices: readonly { timeZone: string }[], otherwise: string): string {
  const [zone = otherwise, ...others] = new Set(zonesOf(devices));
  return others.length === 0 ? zone : otherwise;
}

/** A part of a range in which the same devices count. */
export interface RangeSegment<D> extends MicrosRange {
  devices: readonly D[];
}

/**
 * The range, cut where it begins or ends in one of the zones, newest part first. Near its ends only the devices in some of the
 * zones count.
 */
export function segmentsOf<D extends { timeZone: string }>(
  ranges: SiteRanges,
  devices: readonly D[],
): RangeSegment<D>[] {
  const own = devices.map(({ timeZone }) => ranges.of(timeZone));
  const edges = [...new Set([ranges.all, ...own].flatMap(({ fromMicros, toMicros }) => [fromMicros, toMicros]))];
  const descending = edges.toSorted((a, b) => b - a);
  return descending.slice(1).map((fromMicros, at) => {
    const toMicros = descending[at] ?? fromMicros;
    const counts = (range: MicrosRange | undefined) =>
      range !== undefined && range.fromMicros <= fromMicros && toMicros <= range.toMicros;
    return { fromMicros, toMicros, devices: devices.filter((_, position) => counts(own[position])) };
  });
}

/** The instants that enclose the range of all sites, and the local dates if those were requested. */
export const presentRange = ({ all, dates }: SiteRanges) => ({
  from: formatInstant(all.fromMicros),
  to: formatInstant(all.toMicros),
  fromDate: dates?.fromDate ?? null,
  toDate: dates?.toDate ?? null,
});
