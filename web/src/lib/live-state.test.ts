import { describe, expect, it } from 'vitest';
import { deviceState, isAhead, silentAfterMs } from './live-state.ts';

const now = Date.parse('2026-07-01T12:00:00Z');
const minute = 60_000;
const ago = (ms: number) => new Date(now - ms).toISOString();

type Watched = Parameters<typeof deviceState>[0];
const device = (values: Partial<Watched> = {}): Watched => ({
  isActive: true,
  lastMeasuredAt: ago(minute),
  expectedIntervalSeconds: null,
  ...values,
});

describe('a device is silent when its last reading is older than', () => {
  it.each([
    ['30 minutes where no interval is set', null, 30 * minute],
    ['30 minutes where three intervals are shorter', 60, 30 * minute],
    ['30 minutes where three intervals are just that', 600, 30 * minute],
    ['three intervals where those are longer', 900, 45 * minute],
  ])('%s', (_rule, expectedIntervalSeconds, limit) => {
    expect(silentAfterMs(expectedIntervalSeconds)).toBe(limit);
    const at = (age: number) => deviceState(device({ expectedIntervalSeconds, lastMeasuredAt: ago(age) }), now);
    expect(at(limit)).toBe('live');
    expect(at(limit + 1)).toBe('silent');
  });
});

describe('the state of a device', () => {
  it('is live also where its clock runs ahead', () => {
    expect(deviceState(device({ lastMeasuredAt: ago(-60 * minute) }), now)).toBe('live');
  });

  it('is no data, not silent, before its first reading', () => {
    expect(deviceState(device({ lastMeasuredAt: null }), now)).toBe('noData');
  });

  it('is off once it is switched off, however long ago its last reading is', () => {
    expect(deviceState(device({ isActive: false, lastMeasuredAt: ago(9999 * minute) }), now)).toBe('off');
    expect(deviceState(device({ isActive: false, lastMeasuredAt: null }), now)).toBe('off');
  });
});

it('A newest reading a minute or more ahead is one of a clock that runs ahead', () => {
  expect(isAhead(ago(minute), now)).toBe(false);
  expect(isAhead(ago(1 - minute), now)).toBe(false);
  expect(isAhead(ago(-minute), now)).toBe(true);
});
