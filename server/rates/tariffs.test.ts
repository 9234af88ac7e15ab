import { describe, expect, it } from 'vitest';
import { DomainError } from '../base/errors.ts';
import { money, zero } from '../base/money.ts';
import {
  minuteOfDay,
  refuseInvalidPeriods,
  refuseInvalidTariff,
  type Tariff,
  type TariffPeriod,
  timeOfDay,
} from './tariffs.rules.ts';

const period = (name: string, start: string, end: string, daysOfWeek = 127): TariffPeriod => ({
  id: name,
  name,
  daysOfWeek,
  startMinute: minuteOfDay(start),
  endMinute: minuteOfDay(end),
  ratePerKwh: money('0.1'),
});
const tariff: Tariff = {
  id: 't',
  name: 'T',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money('0.3'),
  fixedChargePerMonth: zero,
  vatPercent: zero,
  exportRatePerKwh: null,
  periods: [],
};
const refusalOf = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return error.message;
    throw error;
  }
};

describe('decisions.md 6: rules that concern several fields', () => {
  it.each([
    [null, null],
    ['2026-01-02', null],
    ['2026-01-01', /^effectiveTo: .*after.*2026-01-01/],
    ['2025-12-31', /^effectiveTo: .*2025-12-31/],
  ])('effectiveTo is exclusive, so it lies after effectiveFrom: %s', (effectiveTo, message) => {
    const refusal = refusalOf(() => refuseInvalidTariff({ ...tariff, effectiveTo }));
    if (message === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(message);
  });

  it.each([
    ['07:00', '07:00', false],
    ['00:00', '00:00', false],
    ['00:00', '24:00', true],
    ['07:00', '06:59', true],
    ['22:00', '00:00', true],
  ])('a period from %s to %s is valid: only equal times are rejected', (start, end, isValid) => {
    const refusal = refusalOf(() =>
      refuseInvalidPeriods([period('A', '05:00', '05:01', 64), period('B', start, end, 1)]),
    );
    if (isValid) expect(refusal).toBeNull();
    else expect(refusal).toMatch(/^periods\.1\.endTime: .*24:00.*got/);
  });

  it('periods that overlap on some day are rejected, naming both and the day', () => {
    const periods = [period('Day', '06:00', '22:00', 31), period('Night', '21:30', '06:00')];
    expect(refusalOf(() => refuseInvalidPeriods(periods))).toBe(
      'periods: "Day" (06:00 to 22:00) and "Night" (21:30 to 06:00) overlap on Monday; change the times or the days of one of them.',
    );
    expect(refusalOf(() => refuseInvalidPeriods(periods, 'tariff.periods'))).toMatch(/^tariff\.periods: /);
    expect(refusalOf(() => refuseInvalidTariff({ ...tariff, periods }))).toMatch(/^periods: /);
  });

  it.each([
    [period('A', '22:00', '06:00', 64), period('B', '05:00', '07:00', 1), 'Monday'],
    [period('A', '22:00', '06:00', 16), period('B', '00:00', '24:00', 32), 'Saturday'],
    [period('A', '06:00', '05:00', 1), period('B', '04:00', '05:00', 2), 'Tuesday'],
  ])('an overlap after midnight belongs to the day on which it is: %#', (first, second, day) => {
    expect(refusalOf(() => refuseInvalidPeriods([first, second]))).toContain(`overlap on ${day};`);
  });

  it('periods that touch, also across midnight and the end of the week, do not overlap', () => {
    const periods = [
      period('Day', '06:00', '22:00'),
      period('Sunday night', '22:00', '00:00', 64),
      period('Night', '22:00', '24:00', 63),
      period('Morning', '00:00', '06:00'),
    ];
    expect(refusalOf(() => refuseInvalidPeriods(periods))).toBeNull();
  });
});

it.each([
  ['00:00', 0],
  ['00:01', 1],
  ['07:30', 450],
  ['23:59', 1439],
  ['24:00', 1440],
])('%s is minute %i of the day, and back', (time, minute) => {
  expect(minuteOfDay(time)).toBe(minute);
  expect(timeOfDay(minute)).toBe(time);
});
