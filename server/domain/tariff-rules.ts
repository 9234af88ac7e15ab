import { DomainError } from './errors.ts';
import { findOverlap, type Tariff, type TariffPeriod } from './tariffs.ts';
import { timeOfDay } from './times-of-day.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Throws `invalid` if a tariff breaks a rule of decisions.md 6 that concerns several fields. */
export function refuseInvalidTariff({ effectiveFrom, effectiveTo, periods }: Tariff): void {
  if (effectiveTo !== null && effectiveTo <= effectiveFrom) {
    throw new DomainError(
      'invalid',
      `effectiveTo: must be after effectiveFrom ${effectiveFrom}, because it is the day on which the tariff no longer holds; got ${effectiveTo}.`,
    );
  }
  refuseInvalidPeriods(periods);
}

/** Throws `invalid` if a period has no length or two overlap on some day; `field` is the list's name for the caller. */
export function refuseInvalidPeriods(periods: readonly TariffPeriod[], field = 'periods'): void {
  for (const [at, { startMinute, endMinute }] of periods.entries()) {
    if (startMinute === endMinute) {
      throw new DomainError(
        'invalid',
        `${field}.${at}.endTime: must differ from startTime, a whole day is 00:00 to 24:00; got ${timeOfDay(endMinute)} for both.`,
      );
    }
  }
  const overlap = findOverlap(periods);
  if (overlap === null) return;
  const { first, second, weekday } = overlap;
  throw new DomainError(
    'invalid',
    `${field}: "${first.name}" (${timesOf(first)}) and "${second.name}" (${timesOf(second)}) overlap on ${weekdays[weekday]}; change the times or the days of one of them.`,
  );
}

const timesOf = ({ startMinute, endMinute }: TariffPeriod) => `${timeOfDay(startMinute)} to ${timeOfDay(endMinute)}`;
