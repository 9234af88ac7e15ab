import type { Big } from 'big.js';
import { refuse } from '../base/errors.ts';

/** Minutes since midnight of a time of day such as `07:30`; `24:00` is 1440. */
export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `07:30` for 450, `24:00` for 1440. */
export function timeOfDay(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** One time-of-use period of a tariff; it holds on the days on which it starts. */
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
  /** ISO 4217. */
  currency: string;
  isActive: boolean;
  /** First local date, `YYYY-MM-DD`. */
  effectiveFrom: string;
  /** The date from which it no longer holds; null means without end. */
  effectiveTo: string | null;
  defaultRatePerKwh: Big;
  fixedChargePerMonth: Big;
  vatPercent: Big;
  exportRatePerKwh: Big | null;
  periods: readonly TariffPeriod[];
}

/** The name of the line for time outside all periods. */
export const defaultPeriodName = 'Default';

/** The tariff in force on a local date: of the active ones that cover it the one with the latest start (decisions.md 6). */
export function tariffInForce(tariffs: readonly Tariff[], date: string): Tariff | null {
  let found: Tariff | null = null;
  for (const tariff of tariffs) {
    const covers = tariff.effectiveFrom <= date && (tariff.effectiveTo === null || date < tariff.effectiveTo);
    if (tariff.isActive && covers && (found === null || tariff.effectiveFrom > found.effectiveFrom)) found = tariff;
  }
  return found;
}

/** 0 is Monday; `dayNumber` counts days since 1970-01-01, a Thursday. */
export const weekdayOf = (dayNumber: number): number => (((dayNumber + 3) % 7) + 7) % 7;

const isOn = ({ daysOfWeek }: TariffPeriod, weekday: number) => (daysOfWeek & (1 << weekday)) !== 0;

/** The period of a tariff that contains a local minute of a day; null if the default rate holds. */
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

/** Two periods that hold at the same minute of some weekday, or null. */
export function findOverlap(
  periods: readonly TariffPeriod[],
): { first: TariffPeriod; second: TariffPeriod; weekday: number } | null {
  // For each minute of the week, one more than the position of its period.
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

/** Throws `invalid` if a period has no length or two overlap on some day; `field` is the list's name for the caller. */
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
