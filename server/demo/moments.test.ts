import { describe, expect, test } from 'vitest';
import { type Moment, momentsOf } from './moments.ts';
import { demoSites } from './plan.ts';

const placeIn = (timeZone: string) => {
  const site = demoSites.find(({ place }) => place.timeZone === timeZone);
  if (site === undefined) throw new Error(`no site in ${timeZone}`);
  return site.place;
};
const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const at = (timeZone: string, instant: string): Moment => {
  const moments = momentsOf(1, placeIn(timeZone), dayOf(instant.slice(0, 10)));
  const minute = Date.parse(instant) / 60_000;
  const found = moments.find((moment) => moment.minute === minute);
  if (found === undefined) throw new Error(`no moment ${instant}`);
  return found;
};

describe('moments', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01T10:00:00Z', 12],
    ['Europe/Berlin', '2026-12-01T10:00:00Z', 11],
    ['Asia/Kolkata', '2026-07-01T10:00:00Z', 15.5],
    ['America/Chicago', '2026-07-01T03:20:00Z', 22 + 1 / 3],
  ])('the hour is local: in %s %s is %d', (zone, instant, hour) => {
    expect(at(zone, instant).hour).toBeCloseTo(hour, 9);
  });

  test('on the night the clocks change the local hour jumps with them', () => {
    expect(at('Europe/Berlin', '2026-03-29T00:59:00Z').hour).toBeCloseTo(1 + 59 / 60, 9);
    expect(at('Europe/Berlin', '2026-03-29T01:00:00Z').hour).toBe(3);
    expect(at('Europe/Berlin', '2026-10-25T01:00:00Z').hour).toBe(2);
  });

  test.each([
    ['a Friday', 'Europe/Berlin', '2026-11-20T12:00:00Z', true],
    ['a Saturday', 'Europe/Berlin', '2026-11-21T12:00:00Z', false],
    ['a Saturday where people work', 'Asia/Kolkata', '2026-11-21T06:00:00Z', true],
    ['Sunday evening in UTC, Monday on the spot', 'Asia/Kolkata', '2026-11-22T20:00:00Z', true],
    ['Monday in UTC, Sunday evening on the spot', 'America/Chicago', '2026-11-23T03:00:00Z', false],
    ['a holiday', 'Europe/Berlin', '2026-12-25T12:00:00Z', false],
  ])('%s is a workday or not by the local calendar', (_what, zone, instant, expected) => {
    expect(at(zone, instant).isWorkday).toBe(expected);
  });

  test('the sun is down at night and highest at noon, higher in summer than in winter', () => {
    expect(at('Asia/Kolkata', '2026-11-20T18:30:00Z').sun).toBe(0);
    expect(at('Asia/Kolkata', '2026-11-20T07:00:00Z').sun).toBeGreaterThan(0.7);
    const noon = (date: string) => at('Europe/Berlin', `${date}T11:06:00Z`).sun;
    expect(noon('2026-06-21')).toBeCloseTo(Math.sin((90 - 52.5 + 23.45) * (Math.PI / 180)), 2);
    expect(noon('2026-12-21')).toBeCloseTo(Math.sin((90 - 52.5 - 23.45) * (Math.PI / 180)), 2);
  });

  test('it is colder in winter than in summer', () => {
    expect(at('America/Chicago', '2026-01-20T18:00:00Z').temperatureC).toBeLessThan(5);
    expect(at('America/Chicago', '2026-07-20T18:00:00Z').temperatureC).toBeGreaterThan(18);
  });

  test('a day is its 1,440 minutes', () => {
    const day = dayOf('2026-03-29');
    const minutes = momentsOf(1, placeIn('Europe/Berlin'), day).map((moment) => moment.minute);
    expect(minutes).toEqual(Array.from({ length: 1440 }, (_, index) => day * 1440 + index));
  });
});
