import { describe, expect, it } from 'vitest';
import { deviceWrite, type Device } from '../../../../shared/sites.ts';
import { isAboveZero, isWholeSeconds, limits, readNumber, toDeviceWrite, valuesOf } from './device-values.ts';

const siteId = '018f0000-0000-7000-8000-000000000001';
const device: Device = {
  id: '018f0000-0000-7000-8000-000000000002',
  siteId,
  name: 'Main meter',
  externalId: 'main',
  isActive: false,
  energySource: 'register',
  ratedPowerKw: 0.5,
  registerMaxKwh: null,
  expectedIntervalSeconds: 900,
  lastMeasuredAt: null,
};

describe('the form of a device', () => {
  it('gives back what it was filled with', () => {
    const { id: _id, lastMeasuredAt: _last, ...written } = device;
    expect(toDeviceWrite(valuesOf(device, 'elsewhere'))).toEqual(written);
  });

  it('begins a new device active, with nothing assumed about its meter', () => {
    expect(deviceWrite.parse({ ...toDeviceWrite(valuesOf(null, siteId)), name: 'New', externalId: 'new' })).toEqual({
      siteId,
      name: 'New',
      externalId: 'new',
      isActive: true,
      energySource: 'auto',
      ratedPowerKw: null,
      registerMaxKwh: null,
      expectedIntervalSeconds: null,
    });
  });
});

describe('a number field', () => {
  it.each([
    ['', null],
    [' ', null],
    [12.5, 12.5],
    ['12.5', 12.5],
    ['-', undefined],
    ['1e999', undefined],
  ])('that holds %j is read as %j', (entry, expected) => {
    expect(readNumber(entry)).toBe(expected);
  });

  it.each([
    ['', true],
    [0.001, true],
    [limits.ratedPowerKw, true],
    [0, false],
    [-1, false],
    [limits.ratedPowerKw * 1.01, false],
    ['-', false],
  ])('for a rated power takes %j: %j, as the portal does', (entry, expected) => {
    expect(isAboveZero(entry, limits.ratedPowerKw)).toBe(expected);
    const ratedPowerKw = readNumber(entry);
    expect(deviceWrite.shape.ratedPowerKw.safeParse(ratedPowerKw ?? (entry === '' ? null : NaN)).success).toBe(
      expected,
    );
  });

  it.each([
    ['', true],
    [1, true],
    [86_400, true],
    [0, false],
    [1.5, false],
    [86_401, false],
  ])('for seconds takes %j: %j, as the portal does', (entry, expected) => {
    expect(isWholeSeconds(entry)).toBe(expected);
    expect(deviceWrite.shape.expectedIntervalSeconds.safeParse(readNumber(entry)).success).toBe(expected);
  });
});
