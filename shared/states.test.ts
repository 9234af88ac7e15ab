import { describe, expect, it } from 'vitest';
import { countStates, deviceState, fleetDeviceState, siteState, type Watched } from './states.rules.ts';

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

describe('the state of a device in the fleet', () => {
  const of = (age: number, state: Parameters<typeof fleetDeviceState>[1]['state'], seen = age) =>
    fleetDeviceState(device({ lastMeasuredAt: ago(age) }), { state, lastSeenAt: ago(seen) }, now);

  it('is never live where its customer sends nothing, or is inactive', () => {
    for (const state of ['silent', 'never', 'late', 'inactive'] as const) expect(of(minute, state)).toBe('late');
    expect(of(minute, 'failing')).toBe('live');
    expect(of(15 * minute, 'silent')).toBe('offline');
  });

  it('is as the last batch has it while the customer sends in its rhythm, once a day too', () => {
    expect(of(20 * 60 * minute, 'sending')).toBe('live');
    expect(of(20 * 60 * minute, 'sending', minute)).toBe('offline');
    expect(fleetDeviceState(device({ lastMeasuredAt: null }), { state: 'sending', lastSeenAt: ago(0) }, now)).toBe(
      'never',
    );
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
