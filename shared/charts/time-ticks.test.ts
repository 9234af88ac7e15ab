import { describe, expect, it } from 'vitest';
import { createFormat } from '../format.ts';
import { toLocal } from '../time.ts';
import { tickLabel, timeTicks } from './time-ticks.ts';

const at = (text: string) => Date.parse(text);
const format = createFormat('en-GB');
const labels = (from: string, to: string, timeZone: string, maxCount: number) =>
  timeTicks(at(from), at(to), timeZone, maxCount).map((tick) => tickLabel(tick, timeZone, format));

describe('labels of the time axis', () => {
  it('are at round local hours of the zone, not of UTC', () => {
    expect(labels('2026-03-10T18:30:00Z', '2026-03-11T18:30:00Z', 'Asia/Kolkata', 8)).toEqual([
      '11 Mar',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '12 Mar',
    ]);
  });

  it('leave out the hour that spring skips, and stay at round hours after it', () => {
    const spring = labels('2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z', 'Europe/Berlin', 8);
    expect(spring).toEqual(['29 Mar', '01:00', '03:00', '04:00', '05:00', '06:00', '07:00']);
  });

  it('stay at round local hours across the autumn change, the day of 25 hours', () => {
    const ticks = timeTicks(at('2026-10-24T22:00:00Z'), at('2026-10-25T23:00:00Z'), 'Europe/Berlin', 9);
    expect(ticks.map(({ atMs }) => toLocal(atMs, 'Europe/Berlin').hour)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 0]);
    expect(ticks[1]?.atMs).toBe(at('2026-10-25T02:00:00Z'));
  });

  it('name the day where a day begins, and the year where a year begins', () => {
    expect(labels('2026-12-31T12:00:00Z', '2027-01-01T12:00:00Z', 'UTC', 2)).toEqual(['12:00', '1 Jan', '12:00']);
    expect(labels('2026-10-01T00:00:00Z', '2027-03-01T00:00:00Z', 'UTC', 6)).toEqual([
      'Oct',
      'Nov',
      'Dec',
      '2027',
      'Feb',
      'Mar',
    ]);
  });

  it('begin weeks on Monday', () => {
    const ticks = timeTicks(at('2026-03-01T00:00:00Z'), at('2026-04-01T00:00:00Z'), 'Europe/Berlin', 5);
    expect(ticks.length).toBeGreaterThan(3);
    for (const { atMs } of ticks) expect(format.weekday(atMs, 'Europe/Berlin')).toMatch(/^Mon/);
  });

  it('are at round minutes in a zone that is three quarters of an hour off', () => {
    expect(labels('2026-03-10T10:02:00Z', '2026-03-10T10:32:00Z', 'Asia/Kathmandu', 4)).toEqual([
      '15:50',
      '16:00',
      '16:10',
    ]);
  });

  it.each([
    ['5 minutes', 5 / 1440],
    ['an hour', 1 / 24],
    ['a day', 1],
    ['a week', 7],
    ['a month', 31],
    ['a year', 365],
    ['twenty years', 7305],
  ])('are few for %s', (_, days) => {
    const from = at('2026-05-05T05:05:05Z');
    for (const timeZone of ['UTC', 'America/St_Johns', 'Australia/Lord_Howe']) {
      const ticks = timeTicks(from, from + days * 86_400_000, timeZone, 10);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(12);
      for (const { atMs } of ticks) expect(atMs).toBeGreaterThanOrEqual(from);
    }
  });

  it('do not exist for an empty range', () => {
    expect(timeTicks(5, 5, 'UTC', 8)).toEqual([]);
    expect(timeTicks(5, NaN, 'UTC', 8)).toEqual([]);
  });
});
