import { describe, expect, it } from 'vitest';
import { type RangePreset, toLocalText } from '../../../../../shared/time.ts';
import { comparedRanges, comparedWith, endOf, wireSoFar } from '../../../lib/compared-ranges.ts';
import { presetRange, type TimeRange } from '../../../lib/time-range.ts';
import { hasReadings, isMeasured, measuredToo, partlyMeasured, runs } from './comparison.ts';
import { deviceOf } from '../test-figures.ts';

const zone = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);
const shown = ({ fromMs, toMs }: TimeRange) => `${toLocalText(fromMs, zone)} – ${toLocalText(toMs, zone)}`;
const compare = (preset: RangePreset, now: string) => {
  const ranges = comparedRanges(presetRange(preset, zone, at(now)), zone, at(now));
  return ranges === null ? null : [shown(ranges.current), shown(ranges.previous), ranges.isWhole];
};

describe('what a range is compared with', () => {
  it('today: yesterday up to the same local time', () => {
    expect(compare('today', '2026-03-11T13:05:40Z')).toEqual([
      '2026-03-11T00:00 – 2026-03-11T14:05',
      '2026-03-10T00:00 – 2026-03-10T14:05',
      false,
    ]);
  });

  it('today after a night of 23 hours: the same time of the clock, not the same number of hours', () => {
    expect(compare('today', '2026-03-29T08:00:00Z')?.[1]).toBe('2026-03-28T00:00 – 2026-03-28T10:00');
  });

  it('a range that somebody chose: the whole of it, or as far as the running one has come', () => {
    const withChosen = (preset: RangePreset, [from, to]: readonly [string, string], now: string) => {
      const chosen = { fromMs: at(from), toMs: at(to) };
      const { previous, isWhole } = comparedWith(presetRange(preset, zone, at(now)), chosen, zone, at(now));
      return [shown(previous), isWhole];
    };
    const october = ['2025-09-30T22:00:00Z', '2025-10-31T23:00:00Z'] as const;
    expect(withChosen('last-month', october, '2026-11-21T11:30:00Z')).toEqual([
      '2025-10-01T00:00 – 2025-11-01T00:00',
      true,
    ]);
    expect(withChosen('this-month', october, '2026-11-21T11:30:00Z')).toEqual([
      '2025-10-01T00:00 – 2025-10-21T12:30',
      false,
    ]);
    const february = ['2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z'] as const;
    expect(withChosen('this-month', february, '2026-11-30T11:30:00Z')).toEqual([
      '2026-02-01T00:00 – 2026-03-01T00:00',
      false,
    ]);
    const before = ['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'] as const;
    expect(withChosen('this-month', before, '2026-11-30T11:30:00Z')).toEqual([
      compare('this-month', '2026-11-30T11:30:00Z')?.[1],
      false,
    ]);
  });

  it('a day, a month or a year that is over: the whole one before it', () => {
    expect(compare('yesterday', '2026-03-11T13:05:00Z')).toEqual([
      '2026-03-10T00:00 – 2026-03-11T00:00',
      '2026-03-09T00:00 – 2026-03-10T00:00',
      true,
    ]);
    expect(compare('last-month', '2026-03-11T13:05:00Z')?.[1]).toBe('2026-01-01T00:00 – 2026-02-01T00:00');
  });

  it('this month: last month up to the same day and time', () => {
    expect(compare('this-month', '2026-11-21T11:30:00Z')?.[1]).toBe('2026-10-01T00:00 – 2026-10-21T12:30');
  });

  it('this month on a day that last month does not have: all of last month', () => {
    expect(compare('this-month', '2026-03-30T10:00:00Z')?.[1]).toBe('2026-02-01T00:00 – 2026-03-01T00:00');
    expect(compare('this-month', '2026-05-31T10:00:00Z')?.[1]).toBe('2026-04-01T00:00 – 2026-05-01T00:00');
  });

  it('this year on 29 February: last year up to the end of its February', () => {
    expect(compare('this-year', '2028-02-29T11:00:00Z')?.[1]).toBe('2027-01-01T00:00 – 2027-03-01T00:00');
  });

  it('a rolling range: as long a time right before it', () => {
    expect(compare('last7d', '2026-11-21T11:30:20Z')).toEqual([
      '2026-11-14T12:31 – 2026-11-21T12:31',
      '2026-11-07T12:31 – 2026-11-14T12:31',
      true,
    ]);
  });

  it('a custom range that is still running: as much of the one before as is over', () => {
    const range = { fromMs: at('2026-03-11T08:10:00Z'), toMs: at('2026-03-11T18:10:00Z') };
    const ranges = comparedRanges(range, zone, at('2026-03-11T10:10:00Z'));
    expect(ranges?.previous).toEqual({ fromMs: at('2026-03-10T22:10:00Z'), toMs: at('2026-03-11T00:10:00Z') });
  });

  it('a range runs from its first whole minute on until it is over', () => {
    const today = presetRange('today', zone, at('2026-03-11T13:05:40Z'));
    const answer = { to: '2026-03-11T23:00:00Z' };
    const runsAt = (now: string) => runs(today, answer, zone, at(now));
    expect(['2026-03-10T22:59:00Z', '2026-03-10T23:00:50Z', '2026-03-11T23:00:00Z'].map(runsAt)).toEqual([
      false,
      false,
      false,
    ]);
    expect(['2026-03-10T23:01:00Z', '2026-03-11T22:58:00Z'].map(runsAt)).toEqual([true, true]);
  });

  it('a range that has not begun: nothing', () => {
    const range = { fromMs: at('2026-03-12T00:00:00Z'), toMs: at('2026-03-13T00:00:00Z') };
    expect(comparedRanges(range, 'UTC', at('2026-03-11T10:00:00Z'))).toBeNull();
  });
});

it('a day that has just ended is compared only as far as all devices have sent', () => {
  const day = presetRange('yesterday', zone, at('2026-03-10T23:10:00Z'));
  const cut = comparedRanges(day, zone, at('2026-03-10T22:45:00Z'));
  expect(cut && [shown(cut.current), shown(cut.previous)]).toEqual([
    '2026-03-10T00:00 – 2026-03-10T23:45',
    '2026-03-09T00:00 – 2026-03-09T23:45',
  ]);
});

describe('a day that is over by the clock of the page, but not at a site to the west', () => {
  const now = at('2026-03-10T23:21:30Z');
  const day = presetRange('yesterday', zone, now);
  const london = { to: '2026-03-11T00:00:00Z' };

  it('is compared as far as it has come at all sites, up to the same time of the day before', () => {
    const cut = comparedRanges(day, zone, now, endOf(day, london));
    expect(cut && [shown(cut.current), shown(cut.previous), cut.isWhole]).toEqual([
      '2026-03-10T00:00 – 2026-03-11T00:21',
      '2026-03-09T00:00 – 2026-03-10T00:21',
      false,
    ]);
    const chosen = presetRange('today', zone, at('2026-02-01T12:00:00Z'));
    const { previous, isWhole } = comparedWith(day, chosen, zone, now, endOf(day, london));
    expect([shown(previous), isWhole]).toEqual(['2026-02-01T00:00 – 2026-02-02T00:21', false]);
    // At the very end too: a part up to there would be the whole day.
    const midnight = comparedRanges(day, zone, day.toMs, endOf(day, london));
    expect(midnight && shown(midnight.current)).toBe('2026-03-10T00:00 – 2026-03-10T23:59');
  });

  it('has its costs asked for as far as it has come; where it is over everywhere this cuts nothing', () => {
    expect(wireSoFar(day, zone, now)).toMatchObject({ toDate: '2026-03-11', until: '2026-03-10T23:21:00.000Z' });
    expect(wireSoFar(day, zone, at('2026-03-12T02:00:00Z'))).toEqual({ fromDate: '2026-03-10', toDate: '2026-03-11' });
  });

  it('runs until its last site is done; an answer about the day before says nothing of it', () => {
    expect(runs(day, london, zone, now)).toBe(true);
    expect(runs(day, { to: '2026-03-10T23:00:00Z' }, zone, now)).toBe(false);
    expect(runs(day, null, zone, now)).toBe(false);
    expect(endOf(presetRange('today', zone, now), london)).toBe(at(london.to));
    expect(endOf(presetRange('today', zone, now), { to: '2026-03-10T23:00:00Z' })).toBe(at('2026-03-11T23:00:00Z'));
    expect(comparedRanges(day, zone, at('2026-03-11T00:00:10Z'), endOf(day, london))?.isWhole).toBe(true);
  });
});

it('a range has readings where any device has an average power or energy', () => {
  const device = deviceOf({});
  expect(hasReadings({ devices: [device] })).toBe(false);
  expect(hasReadings({ devices: [device, { ...device, averagePowerKw: 0 }] })).toBe(true);
  expect(hasReadings({ devices: [{ ...device, energyExportedKwh: 1 }] })).toBe(true);
});

describe('whether the sides of a comparison tell of the same meters and times', () => {
  const days = (count: number) => ({ fromMs: 0, toMs: count * 86_400_000 });
  const took = (
    deviceId: string,
    energyImportedKwh: number,
    measuredHours: number,
    countedIn: string | null = null,
    currency = 'EUR',
  ) => ({
    deviceId,
    countedIn,
    energyImportedKwh,
    energyExportedKwh: 0,
    measuredHours,
    costs: [{ currency, energyCost: 1 }],
  });
  const month = { range: days(31), devices: [took('a', 300, 31 * 24), took('b', 100, 31 * 24)] };

  it('a month of which the last ten days were measured has a third of the energy of the next one', () => {
    const before = { range: days(30), devices: [took('a', 100, 240), took('b', 33, 240)] };
    expect(measuredToo(month, before)).toBeCloseTo(1 / 3, 9);
    expect(measuredToo(before, month)).toBe(1);
    expect(partlyMeasured(month, before)).toEqual({ lacking: 'previous', share: expect.closeTo(1 / 3, 9) });
    expect(partlyMeasured(before, month)).toEqual({ lacking: 'current', share: expect.closeTo(1 / 3, 9) });
  });

  it('a device that is new counts as not measured then, by its energy', () => {
    expect(measuredToo(month, { range: days(30), devices: [took('a', 290, 720)] })).toBe(0.75);
    expect(measuredToo(month, { range: days(30), devices: [took('a', 290, 720), took('b', 0, 0)] })).toBe(0.75);
  });

  it('says no pace of a range in which the meters of a currency came, be a site to the west as much behind as one can be', () => {
    const of = (hours: number) => ({
      range: days(10),
      devices: [took('a', 9, 240), took('b', 90, hours, null, 'CHF')],
    });
    expect(isMeasured(of(240 - 26), 'CHF')).toBe(true);
    expect(isMeasured(of(120), 'CHF')).toBe(false);
    expect(isMeasured(of(120), 'EUR')).toBe(true);
    expect(isMeasured({ range: days(1), devices: [took('a', 9, 4)] }, 'EUR')).toBe(true);
    expect(isMeasured({ range: days(10), devices: [] }, 'EUR')).toBe(true);
  });

  it('says nothing of sub-meters, of months of different length, or where little is missing', () => {
    const parts = { range: days(31), devices: [...month.devices, took('c', 200, 744, 'a')] };
    const february = { range: days(28), devices: [took('a', 270, 672), took('b', 90, 620)] };
    expect(partlyMeasured(parts, february)).toBeNull();
    expect(measuredToo({ range: days(1), devices: [] }, february)).toBe(1);
    expect(measuredToo({ range: days(1), devices: [took('a', 1, 0)] }, february)).toBe(1);
  });
});
