import { describe, expect, it } from 'vitest';
import type { Watched } from '../../../../shared/states.rules.ts';
import { fleetDeviceState } from './fleet-device-state.ts';

const now = Date.parse('2026-07-01T12:00:00Z');
const minute = 60_000;
const ago = (ms: number) => new Date(now - ms).toISOString();
const device = (values: Partial<Watched> = {}): Watched => ({
  isActive: true,
  lastMeasuredAt: ago(minute),
  expectedIntervalSeconds: null,
  ...values,
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
