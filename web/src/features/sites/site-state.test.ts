import { describe, expect, it } from 'vitest';
import { siteNow, type LiveDevice } from './site-state.ts';

const earlier = '2026-07-01T09:00:00Z';
const later = '2026-07-01T10:00:00.5Z';

const device = (values: Partial<LiveDevice> = {}): LiveDevice => ({
  state: 'live',
  currentPowerKw: 1,
  parentDeviceId: null,
  lastMeasuredAt: earlier,
  ...values,
});

describe('the state of a site', () => {
  it('counts its devices, adds up what they measure now and knows the newest reading', () => {
    const state = siteNow([
      device({ currentPowerKw: 2.5 }),
      device({ currentPowerKw: -1, lastMeasuredAt: later }),
      device({ state: 'late', currentPowerKw: null }),
      device({ state: 'never', currentPowerKw: null, lastMeasuredAt: null }),
    ]);
    expect(state).toEqual({
      state: 'late',
      counts: { offline: 0, late: 1, never: 1, live: 2, inactive: 0 },
      currentPowerKw: 1.5,
      lastMeasuredAt: later,
    });
  });

  it('leaves out the power of a device that is inactive', () => {
    expect(siteNow([device(), device({ state: 'inactive', currentPowerKw: 7 })]).currentPowerKw).toBe(1);
  });

  it('counts the power of a sub-meter in that of its main meter alone, and the device all the same', () => {
    const site = siteNow([device({ currentPowerKw: 9 }), device({ currentPowerKw: 5, parentDeviceId: 'main' })]);
    expect(site).toMatchObject({ currentPowerKw: 9, counts: { live: 2 } });
  });

  it('knows no power where no device measures now,, was zero', () => {
    expect(siteNow([device({ currentPowerKw: null })]).currentPowerKw).toBeNull();
    expect(siteNow([])).toMatchObject({ currentPowerKw: null, lastMeasuredAt: null });
  });
});
