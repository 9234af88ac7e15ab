import { describe, expect, it, vi } from 'vitest';
import { timeZone } from '../../../shared/primitives.ts';
import { isFound, timeZoneNames, timeZoneOptions, utcOffset } from './time-zones.ts';

const winter = Date.parse('2026-01-15T12:00:00Z');
const summer = Date.parse('2026-07-15T12:00:00Z');

describe('the zones to choose from', () => {
  it('are all accepted by the wire contract', () => {
    for (const name of timeZoneNames()) expect(timeZone.safeParse(name).success, name).toBe(true);
  });

  it('contain UTC, and places by their current names', () => {
    expect(timeZoneNames()).toEqual(expect.arrayContaining(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'Europe/Berlin']));
    expect(timeZoneNames()).not.toContain('Asia/Calcutta');
  });

  it('contain the current zone, even under a name that is not listed', () => {
    expect(timeZoneOptions(winter, 'Asia/Calcutta').map(({ name }) => name)).toContain('Asia/Calcutta');
  });
});

describe('the offset of a zone', () => {
  it.each([
    ['Europe/Berlin', winter, 'UTC+01:00'],
    ['Europe/Berlin', summer, 'UTC+02:00'],
    ['America/St_Johns', winter, 'UTC-03:30'],
    ['Asia/Kathmandu', summer, 'UTC+05:45'],
    ['UTC', summer, 'UTC+00:00'],
  ])('of %s follows the season', (zone, at, expected) => {
    expect(utcOffset(zone, at)).toBe(expected);
  });
});

it('the offset of a zone is computed only when it is read', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  const [first] = timeZoneOptions(winter);
  expect(made).not.toHaveBeenCalled();
  expect(first?.offset).toMatch(/^UTC[+-]\d\d:\d\d$/);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});

describe('searching a zone', () => {
  const options = timeZoneOptions(winter);
  const found = (query: string) => options.filter((option) => isFound(option, query)).map(({ name }) => name);

  it.each([
    ['new york', 'America/New_York'],
    ['york america', 'America/New_York'],
    ['BERLIN', 'Europe/Berlin'],
    ['calcutta', 'Asia/Kolkata'],
    ['+05:45', 'Asia/Kathmandu'],
    ['argentina/buenos', 'America/Argentina/Buenos_Aires'],
  ])('%j finds %s', (query, expected) => {
    expect(found(query)).toContain(expected);
  });

  it('finds nothing if no zone has all the words', () => {
    expect(found('berlin +09')).toEqual([]);
  });
});
