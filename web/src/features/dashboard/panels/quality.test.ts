import { describe, expect, it } from 'vitest';
import { createFormat } from '../../../../../shared/format.ts';
import { flagTotals, measuredShare, troubledDevices } from './quality.ts';

const noFlags = { gap: 0, interpolated: 0, glitch: 0, stepBack: 0, rollover: 0, reset: 0, implausible: 0 };
const device = (deviceName: string, measured: number, missing: number, counts = noFlags) => ({
  deviceId: deviceName,
  deviceName,
  siteId: 's',
  siteName: 's',
  failure: null,
  slots: { measured, interpolated: 0, missing },
  counts,
  flags: [],
});

const { compare } = createFormat('en-GB');

describe('devices by their quality', () => {
  const reset = { ...noFlags, reset: 2 };

  it('names those with anything odd, the least measured first', () => {
    const devices = [device('fine', 96, 0), device('odd', 96, 0, reset), device('gappy', 48, 48)];
    expect(troubledDevices(devices, compare).map(({ deviceName }) => deviceName)).toEqual(['gappy', 'odd']);
  });

  it('lists equal ones in the order in which people count', () => {
    const devices = ['Meter 10', 'Meter 2', 'meter 1'].map((name) => device(name, 48, 48));
    const names = troubledDevices(devices, compare).map(({ deviceName }) => deviceName);
    expect(names).toEqual(['meter 1', 'Meter 2', 'Meter 10']);
  });

  it('counts the flags of all by kind, and leaves out kinds that none has', () => {
    expect(flagTotals([{ counts: reset }, { counts: { ...noFlags, reset: 1, gap: 4 } }])).toEqual([
      { kind: 'gap', count: 4 },
      { kind: 'reset', count: 3 },
    ]);
  });

  it('measures the share of what is over; of nothing there is none', () => {
    expect(measuredShare(device('a', 3, 1).slots)).toBe(0.75);
    expect(measuredShare({ measured: 0, interpolated: 0, missing: 0 })).toBeNull();
  });
});
