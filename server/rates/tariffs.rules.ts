import type { Big } from 'big.js';
import { refuse } from '../base/errors.ts';
import {
  dayMicros,
  dayStarts,
  formatInstant,
  microsPerSecond,
  type MicrosRange,
  parseInstant,
  steadyIntervals,
  weekdayOf,
} from '../base/instants.ts';

/** Minutes since midnight of a time of day such as `07:30`; `24:00` is 1440. */
export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `07:30` for 450, `24:00` for 1440. */
export function timeOfDay(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** One time-of-use period of a tariff; it applies on the days on which it starts. */
export interface TariffPeriod {
  id: string;
  name: string;
  /** Bitmask, Monday 1 to Sunday 64. */
  daysOfWeek: number;
  /** Minutes since local midnight, 0 to 1439. */
  startMinute: number;
  /** 0 to 1440; before `startMinute` it lies on the next day. Never equal to it. */
  endMinute: number;
  ratePerKwh: Big;
}

/** Money is decimal, in units of the currency. */
export interface Tariff {
  id: string;
  name: string;
  /** The currency, as an ISO 4217 code. */
  currency: string;
  isActive: boolean;
  /** First local date, `YYYY-MM-DD`. */
  effectiveFrom: string;
  /** The first date on which the tariff is no longer in force. Null means that it has no end. */
  effectiveTo: string | null;
  defaultRatePerKwh: Big;
  fixedChargePerMonth: Big;
  vatPercent: Big;
  exportRatePerKwh: Big | null;
  periods: readonly TariffPeriod[];
}

/** The name of the line for the time outside all periods. */
export const defaultPeriodName = 'Default';

/** The tariff in force on a local date: of the active ones that cover the date, the one that starts latest (decisions.md 6). */
export function tariffInForce(tariffs: readonly Tariff[], date: string): Tariff | null {
  let found: Tariff | null = null;
  for (const tariff of tariffs) {
    const covers = tariff.effectiveFrom <= date && (tariff.effectiveTo === null || date < tariff.effectiveTo);
    if (tariff.isActive && covers && (found === null || tariff.effectiveFrom > found.effectiveFrom)) found = tariff;
  }
  return found;
}

const isOn = ({ daysOfWeek }: TariffPeriod, weekday: number) => (daysOfWeek & (1 << weekday)) !== 0;

/** The period of a tariff that contains a local minute of a day; null if the default rate applies. */
export function periodAt(tariff: Tariff, weekday: number, minute: number): TariffPeriod | null {
  const before = (weekday + 6) % 7;
  for (const period of tariff.periods) {
    const { startMinute: start, endMinute: end } = period;
    if (start < end && isOn(period, weekday) && minute >= start && minute < end) return period;
    // A period that runs past midnight belongs to the day on which it starts.
    if (start > end && isOn(period, weekday) && minute >= start) return period;
    if (start > end && isOn(period, before) && minute < end) return period;
  }
  return null;
}

/** Two periods that both apply in some minute of a weekday, or null. */
export function findOverlap(
  periods: readonly TariffPeriod[],
): { first: TariffPeriod; second: TariffPeriod; weekday: number } | null {
  // For each minute of the week, the position of its period plus one.
  const owners = new Uint16Array(7 * 1440);
  for (const [place, period] of periods.entries()) {
    for (let weekday = 0; weekday < 7; weekday += 1) {
      if (!isOn(period, weekday)) continue;
      const length = (period.endMinute - period.startMinute + 1440) % 1440 || 1440;
      for (let minute = 0; minute < length; minute += 1) {
        const at = (weekday * 1440 + period.startMinute + minute) % owners.length;
        const owner = periods[(owners[at] ?? 0) - 1];
        if (owner !== undefined && owner !== period) {
          return { first: owner, second: period, weekday: Math.floor(at / 1440) };
        }
        owners[at] = place + 1;
      }
    }
  }
  return null;
}

/** A tariff as in the API, with prices as numbers and times as `HH:mm`. */
export const tariffOnWire = (stored: Tariff & { municipalityId: string }) => ({
  ...stored,
  defaultRatePerKwh: stored.defaultRatePerKwh.toNumber(),
  fixedChargePerMonth: stored.fixedChargePerMonth.toNumber(),
  vatPercent: stored.vatPercent.toNumber(),
  exportRatePerKwh: stored.exportRatePerKwh?.toNumber() ?? null,
  periods: stored.periods.map(({ startMinute, endMinute, ratePerKwh, ...period }) => ({
    ...period,
    startTime: timeOfDay(startMinute),
    endTime: timeOfDay(endMinute),
    ratePerKwh: ratePerKwh.toNumber(),
  })),
});

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Throws `invalid` if a tariff breaks a rule of decisions.md 6 that concerns several fields. */
export function refuseInvalidTariff({ effectiveFrom, effectiveTo, periods }: Tariff): void {
  if (effectiveTo !== null && effectiveTo <= effectiveFrom) {
    throw refuse('tariffEndsBeforeStart', { from: effectiveFrom, to: effectiveTo }, { field: 'effectiveTo' });
  }
  refuseInvalidPeriods(periods);
}

/**
 * Throws `invalid` if a period has no length, or if two periods overlap on some day. `field` is the caller's name for the list.
 */
export function refuseInvalidPeriods(periods: readonly TariffPeriod[], field = 'periods'): void {
  for (const [at, { startMinute, endMinute }] of periods.entries()) {
    if (startMinute === endMinute) {
      throw refuse('periodWithoutLength', { time: timeOfDay(endMinute) }, { field: `${field}.${at}.endTime` });
    }
  }
  const overlap = findOverlap(periods);
  if (overlap === null) return;
  const { first, second, weekday } = overlap;
  throw refuse(
    'periodsOverlap',
    {
      first: first.name,
      firstTimes: timesOf(first),
      second: second.name,
      secondTimes: timesOf(second),
      weekday: weekdays[weekday] ?? '',
    },
    { field },
  );
}

const timesOf = ({ startMinute, endMinute }: TariffPeriod) => `${timeOfDay(startMinute)} to ${timeOfDay(endMinute)}`;

/** A time in which one price applies; epoch microseconds, half-open. */
export interface PricedInterval {
  fromMicros: number;
  toMicros: number;
  /** Null if no tariff is in force. */
  tariff: Tariff | null;
  /** Null if the default rate applies. */
  period: TariffPeriod | null;
}

/** One local day, or the part of it inside a range. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string;
  fromMicros: number;
  toMicros: number;
  /** The share of the day that lies in the range, above 0 and up to 1. The day has its real length of 23, 24 or 25 h. */
  share: number;
  tariff: Tariff | null;
}

const minuteMicros = 60 * microsPerSecond;

/** Every month has at least this many days. */
const daysOfAnyMonth = 28;

/**
 * Writes the dates of days since 1970-01-01. Most days follow each other, which is fast within a month. East of UTC, the last
 * instant that the portal accepts is in the year 10000, whose dates have more than ten characters.
 */
function dateWriter(): (dayNumber: number) => string {
  let month = { text: '', firstDay: -Infinity };
  return (dayNumber) => {
    if (!(dayNumber >= month.firstDay && dayNumber < month.firstDay + daysOfAnyMonth)) {
      const text = formatInstant(dayNumber * dayMicros);
      const date = text.slice(0, text.indexOf('T'));
      month = { text: date.slice(0, -'01'.length), firstDay: dayNumber + 1 - Number(date.slice(-'01'.length)) };
    }
    return month.text + String(dayNumber + 1 - month.firstDay).padStart(2, '0');
  };
}

/**
 * A range in parts that have one local day and one offset from UTC each, ascending. `midnight` is the start of the day,
 * computed with this offset.
 */
function* dayParts(range: MicrosRange, timeZone: string) {
  const dateOf = dateWriter();
  for (const { fromMicros, toMicros, offsetMicros } of steadyIntervals(range.fromMicros, range.toMicros, timeZone)) {
    for (let start = fromMicros; start < toMicros;) {
      const dayNumber = Math.floor((start + offsetMicros) / dayMicros);
      const midnight = dayNumber * dayMicros - offsetMicros;
      const end = Math.min(toMicros, midnight + dayMicros);
      yield { start, end, midnight, dayNumber, date: dateOf(dayNumber) };
      start = end;
    }
  }
}

/**
 * The local days that a range touches, ascending. Each lasts from its first instant to the first instant of the next. Dates
 * that the zone skipped are left out.
 */
export function localDays(range: MicrosRange, timeZone: string, tariffs: readonly Tariff[]): LocalDay[] {
  if (range.fromMicros >= range.toMicros) return [];
  const [starts, dateOf] = [dayStarts(range, timeZone), dateWriter()];
  return starts.slice(0, -1).map(({ micros, dayNumber }, at) => {
    const end = starts[at + 1]?.micros ?? micros;
    const [fromMicros, toMicros] = [Math.max(micros, range.fromMicros), Math.min(end, range.toMicros)];
    const date = dateOf(dayNumber);
    return {
      date,
      fromMicros,
      toMicros,
      share: (toMicros - fromMicros) / (end - micros),
      tariff: tariffInForce(tariffs, date),
    };
  });
}

/**
 * For each tariff: on how many local days of a range (parts of days included) it is in force, by the number of days in their
 * month.
 */
export type TariffDays = ReadonlyMap<Tariff, ReadonlyMap<number, number>>;

export const noTariffDays: TariffDays = new Map();

export function countTariffDays(days: Iterable<LocalDay>): TariffDays {
  const counts = new Map<Tariff, Map<number, number>>();
  let month = { text: '', length: 0 };
  for (const { tariff, date, share } of days) {
    if (tariff === null) continue;
    const own = counts.getOrInsertComputed(tariff, () => new Map<number, number>());
    const text = date.slice(0, -'-01'.length);
    if (text !== month.text) month = { text, length: Temporal.PlainDate.from(date).daysInMonth };
    const { length } = month;
    own.set(length, (own.get(length) ?? 0) + share);
  }
  return counts;
}

/** The number of local days (parts of days included) for which sites pay in each currency. */
export function daysByCurrency(sites: readonly { days: TariffDays }[]): { currency: string; days: number }[] {
  const sums = new Map<string, number>();
  for (const [{ currency }, byLength] of sites.flatMap(({ days }) => [...days])) {
    const own = [...byLength.values()].reduce((sum, count) => sum + count, 0);
    sums.set(currency, (sums.get(currency) ?? 0) + own);
  }
  return [...sums]
    .map(([currency, days]) => ({ currency, days }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** Gives the same result as for all local days of the range, but skips those before the first tariff. */
export function tariffDaysOf(range: MicrosRange, timeZone: string, tariffs: readonly Tariff[]): TariffDays {
  const starts = tariffs.map(({ effectiveFrom }) => parseInstant(`${effectiveFrom}T00:00:00Z`) ?? -Infinity);
  const first = starts.reduce((least, start) => Math.min(least, start), Infinity);
  // No zone is two days away from UTC.
  const fromMicros = Math.max(range.fromMicros, first - 2 * dayMicros);
  if (fromMicros >= range.toMicros) return noTariffDays;
  return countTariffDays(localDays({ fromMicros, toMicros: range.toMicros }, timeZone, tariffs));
}

/** The intervals of a range that have one price each, ascending and without holes (energy-and-cost.md 7). */
export function priceTimeline(range: MicrosRange, timeZone: string, tariffs: readonly Tariff[]): PricedInterval[] {
  const intervals: PricedInterval[] = [];
  const add = (next: PricedInterval) => {
    const last = intervals.at(-1);
    if (last !== undefined && last.tariff === next.tariff && last.period === next.period) last.toMicros = next.toMicros;
    else intervals.push(next);
  };
  const segmentsOf = new Map<Tariff, DaySegment[][]>();
  for (const { start, end, midnight, dayNumber, date } of dayParts(range, timeZone)) {
    const tariff = tariffInForce(tariffs, date);
    if (tariff === null) {
      add({ fromMicros: start, toMicros: end, tariff, period: null });
      continue;
    }
    const segments = segmentsOf.getOrInsertComputed(tariff, segmentsByWeekday);
    let fromMicros = start;
    for (const { endMinute, period } of segments[weekdayOf(dayNumber)] ?? []) {
      const toMicros = Math.min(end, midnight + endMinute * minuteMicros);
      if (toMicros <= fromMicros) continue;
      add({ fromMicros, toMicros, tariff, period });
      fromMicros = toMicros;
    }
  }
  return intervals;
}

/** A part of a local day with one price. It begins where the previous part ends. */
type DaySegment = Pick<PricedInterval, 'period'> & { endMinute: number };

/** The segments of each day of the week, Monday first. */
function segmentsByWeekday(tariff: Tariff): DaySegment[][] {
  const edges = [...new Set([...tariff.periods.flatMap((period) => [period.startMinute, period.endMinute]), 0, 1440])];
  const ascending = edges.toSorted((a, b) => a - b);
  return Array.from({ length: 7 }, (_, weekday) =>
    ascending.slice(1).map((endMinute, at) => ({
      endMinute,
      period: periodAt(tariff, weekday, ascending[at] ?? 0),
    })),
  );
}
