import { describe, expect, it, test } from 'vitest';
import { tariffWrite, type Tariff } from '../../../../shared/rates.ts';
import { dateAt, startOfDate } from './local-dates.ts';
import {
  arePeriodsRight,
  draftOf,
  emptyDraft,
  endedBefore,
  isOverruledFrom,
  nextVersionOf,
  rateProblem,
  termsOf,
  toTariffWrite,
  bandsOfTemplate,
  tariffTemplates,
} from './tariff-values.ts';
import { timeProblem } from '../../entities/week-windows.ts';
import { bandCoverage, findOverlaps, newBand } from './bands.ts';

const municipalityId = '0197a000-0000-7000-8000-000000000001';
const tariff: Tariff = {
  id: '0197a000-0000-7000-8000-000000000002',
  municipalityId,
  name: 'Base',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2025-01-01',
  effectiveTo: '2027-01-01',
  defaultRatePerKwh: 0.3,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  exportRatePerKwh: null,
  periods: [
    {
      id: '0197a000-0000-7000-8000-000000000003',
      name: 'Night',
      daysOfWeek: 127,
      startTime: '22:00',
      endTime: '06:00',
      ratePerKwh: 0.1,
    },
  ],
};
const today = '2026-03-28';

describe('the form of a tariff', () => {
  it('writes back what it was filled with, also with a comma', () => {
    const draft = draftOf(tariff, ',');
    expect(draft).toMatchObject({ defaultRatePerKwh: '0,3', effectiveTo: '2026-12-31', exportRatePerKwh: '' });
    expect(tariffWrite.parse(toTariffWrite(municipalityId, draft, ','))).toEqual(tariffWrite.parse(tariff));
  });

  it('has no terms while a number, a name or a time cannot be read', () => {
    const draft = draftOf(tariff, '.');
    const [night] = draft.periods;
    if (night === undefined) throw new Error('Night is missing');
    expect(termsOf(draft, '.')).not.toBeNull();
    for (const wrong of [{ defaultRatePerKwh: '' }, { vatPercent: '101' }, { exportRatePerKwh: 'x' }]) {
      expect(termsOf({ ...draft, ...wrong }, '.')).toBeNull();
    }
    for (const wrong of [
      { name: ' ' },
      { rate: '-1' },
      { times: [{ key: 't', daysOfWeek: 1, start: '7', end: 'x' }] },
    ]) {
      expect(termsOf({ ...draft, periods: [{ ...night, ...wrong }] }, '.')).toBeNull();
    }
  });

  it('empty charges are none', () => {
    const draft = emptyDraft([], 'EUR', today);
    const terms = termsOf({ ...draft, defaultRatePerKwh: '0.3' }, '.');
    expect(terms).toMatchObject({ fixedChargePerMonth: 0, vatPercent: 0, exportRatePerKwh: null, periods: [] });
  });

  it('a first tariff starts with the year, a further one with the next month', () => {
    expect(emptyDraft([], 'EUR', today).effectiveFrom).toBe('2026-01-01');
    expect(emptyDraft([tariff], 'EUR', today).effectiveFrom).toBe('2026-04-01');
  });
});

describe('a new version of a tariff', () => {
  it('takes all prices along and starts with the next month, but after the version before', () => {
    expect(nextVersionOf(tariff, today, '.')).toMatchObject({
      effectiveFrom: '2026-04-01',
      effectiveTo: '2026-12-31',
    });
    expect(nextVersionOf({ ...tariff, effectiveFrom: '2026-10-01' }, today, '.').effectiveFrom).toBe('2026-10-02');
    expect(nextVersionOf({ ...tariff, effectiveTo: '2026-04-01' }, today, '.').effectiveTo).toBe('');
  });

  it('overrules the one before where that still holds, which then ends the day before', () => {
    expect(isOverruledFrom(tariff, '2026-04-01')).toBe(true);
    expect(isOverruledFrom(tariff, '2025-01-01')).toBe(false);
    expect(isOverruledFrom(tariff, '2027-01-01')).toBe(false);
    expect(isOverruledFrom({ ...tariff, isActive: false }, '2026-04-01')).toBe(false);
    expect(tariffWrite.parse(endedBefore(tariff, '2026-04-01'))).toEqual({
      ...tariffWrite.parse(tariff),
      effectiveTo: '2026-04-01',
    });
  });
});

describe('what is typed', () => {
  it('a rate is zero or more with at most ten decimals', () => {
    const band = { ...newBand(), name: 'Night' };
    const isWrong = (rate: string, separator: string) => rateProblem({ ...band, rate }, separator);
    expect([isWrong('0.1234567891', '.'), isWrong('0,25', ',')]).toEqual([false, false]);
    for (const rate of ['', '-1', '0.12345678912', '1000000001', 'x']) expect(isWrong(rate, '.'), rate).toBe(true);
  });

  it('periods can be stored if each is complete and no two overlap', () => {
    const [night] = draftOf(tariff, '.').periods;
    if (night === undefined) throw new Error('Night is missing');
    expect(arePeriodsRight([night], '.')).toBe(true);
    for (const wrong of [[{ ...night, times: [] }], [{ ...night, name: ' ' }], [night, { ...night, key: 'other' }]])
      expect(arePeriodsRight(wrong, '.')).toBe(false);
  });

  it.each([
    [{ daysOfWeek: 1, start: '7', end: '9:30' }, null],
    [{ daysOfWeek: 1, start: '22:00', end: '0:00' }, null],
    [{ daysOfWeek: 1, start: '00:00', end: '00:00' }, null],
    [{ daysOfWeek: 0, start: '7', end: '9' }, 'daysMissing'],
    [{ daysOfWeek: 1, start: '', end: '9' }, 'startInvalid'],
    [{ daysOfWeek: 1, start: '24:00', end: '9' }, 'startInvalid'],
    [{ daysOfWeek: 1, start: '7', end: '25' }, 'endInvalid'],
    [{ daysOfWeek: 1, start: '7', end: '07:00' }, 'timesEqual'],
  ])('%j: %s', (time, problem) => expect(timeProblem({ key: 't', ...time })).toBe(problem));
});

describe('local dates', () => {
  it('begin on the clocks of their zone, also where summer time starts at midnight', () => {
    expect(startOfDate('2026-03-28', 'Europe/Berlin')).toBe(Date.parse('2026-03-27T23:00:00Z'));
    expect(startOfDate('2026-09-06', 'America/Santiago')).toBe(Date.parse('2026-09-06T04:00:00Z'));
    expect(dateAt(Date.parse('2026-03-27T23:00:00Z'), 'Europe/Berlin')).toBe('2026-03-28');
  });
});

const hours = (template: (typeof tariffTemplates)[number]) =>
  Object.fromEntries(
    bandsOfTemplate(template, (name) => name).map((band) => [
      band.name,
      bandCoverage(band).reduce((sum, minute) => sum + minute, 0) / 60,
    ]),
  );

test('each template paints the week as its name says', () => {
  expect(tariffTemplates.map(hours)).toEqual([{}, { night: 56 }, { weekend: 48 }, { peak: 20, offPeak: 56 }]);
});

test.each(tariffTemplates)('no two periods of %s overlap, and none has a price', (template) => {
  const bands = bandsOfTemplate(template, (name) => name);
  expect(findOverlaps(bands)).toEqual([]);
  expect(bands.map(({ rate }) => rate)).toEqual(bands.map(() => ''));
});
