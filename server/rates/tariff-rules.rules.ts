import { refuse } from '../base/errors.ts';
import { findOverlap, type Tariff, type TariffPeriod } from './tariffs.rules.ts';
import { timeOfDay } from '../base/times-of-day.ts';

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
