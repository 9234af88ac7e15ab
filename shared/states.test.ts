import { describe, expect, it } from 'vitest';
import { countStates, deviceState, siteState, type Watched } from './states.rules.ts';

const now = Date.parse('2026-07-01T12:00:00Z');
const minute = 60_000;
const ago = (ms: number) => new Date(now - ms).toISOString();
const device = (values: Partial<Watched> = {}): Watched => ({
  isActive: true,
  lastMeasuredAt: ago(minute),
  expectedIntervalSeconds: null,
  ...values,
});

describe('a device is late and offline from an age of its last reading on of', () => {
  it.each([
    ['12 and 15 minutes where no interval is set', null, 12, 15],
    ['12 and 15 minutes where two intervals are shorter', 60, 12, 15],
    ['two intervals, and four fifths of that, where those are longer', 900, 24, 30],
  ])('%s', (_rule, expectedIntervalSeconds, late, offline) => {
    const at = (age: number) => deviceState(device({ expectedIntervalSeconds, lastMeasuredAt: ago(age) }), now);
    expect(at(late * minute - 1)).toBe('live');
    expect(at(late * minute)).toBe('late');
    expect(at(offline * minute - 1)).toBe('late');
    expect(at(offline * minute)).toBe('offline');
  });
});

describe('the state of a device', () => {
  it('is live also where its clock runs ahead', () => {
    expect(deviceState(device({ lastMeasuredAt: ago(-60 * minute) }), now)).toBe('live');
  });

  it('is never before its first reading', () => {
    expect(deviceState(device({ lastMeasuredAt: null }), now)).toBe('never');
  });

  it('is inactive once it is switched off, however long ago its last reading is', () => {
    expect(deviceState(device({ isActive: false, lastMeasuredAt: ago(9999 * minute) }), now)).toBe('inactive');
    expect(deviceState(device({ isActive: false, lastMeasuredAt: null }), now)).toBe('inactive');
  });
});

it('devices are counted by their state', () => {
  expect(countStates(['live', 'late', 'live', 'inactive'])).toEqual({
    offline: 0,
    late: 1,
    never: 0,
    live: 2,
    inactive: 1,
  });
});

it.each([
  ['never', []],
  ['inactive', ['inactive', 'inactive']],
  ['never', ['never', 'inactive']],
  ['live', ['live', 'never', 'inactive']],
  ['late', ['live', 'late', 'never']],
  ['offline', ['live', 'late', 'offline']],
] as const)('a site is %s with %j: as its worst active device which has ever sent', (state, devices) => {
  expect(siteState(countStates(devices))).toBe(state);
});
