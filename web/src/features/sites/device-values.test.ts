import { describe, expect, it } from 'vitest';
import { deviceWrite, type Device } from '../../../../shared/sites.ts';
import { othersOfTrees, parentChoices, toDeviceWrite, valuesOf } from './device-values.ts';

const siteId = '018f0000-0000-7000-8000-000000000001';
const device: Device = {
  id: '018f0000-0000-7000-8000-000000000002',
  siteId,
  name: 'Main meter',
  externalId: 'main',
  isActive: false,
  energySource: 'register',
  ratedPowerKw: 1.234,
  registerMaxKwh: null,
  expectedIntervalSeconds: 900,
  parentDeviceId: '018f0000-0000-7000-8000-000000000003',
  endUse: 'Lighting',
  lastMeasuredAt: null,
};

describe('the form of a device', () => {
  it.each(['.', ','])('gives back its initial values, with decimals after a %j', (separator) => {
    const { id: _id, lastMeasuredAt: _last, ...written } = device;
    expect(toDeviceWrite(valuesOf(device, 'elsewhere', separator), separator)).toEqual(written);
  });

  it('starts a new device as active, without assumptions about its meter', () => {
    const values = { ...valuesOf(null, siteId, '.'), name: 'New', externalId: 'new' };
    expect(deviceWrite.parse(toDeviceWrite(values, '.'))).toEqual({
      siteId,
      name: 'New',
      externalId: 'new',
      isActive: true,
      energySource: 'auto',
      ratedPowerKw: null,
      registerMaxKwh: null,
      expectedIntervalSeconds: null,
      parentDeviceId: null,
      endUse: null,
    });
  });
});

const isTaken = (field: 'ratedPowerKw' | 'expectedIntervalSeconds', text: string) =>
  deviceWrite.shape[field].safeParse(toDeviceWrite({ ...valuesOf(null, siteId, '.'), [field]: text }, '.')[field])
    .success;

describe('a number field', () => {
  it.each([
    ['', true],
    ['0.001', true],
    ['1000000000', true],
    ['0', false],
    ['-1', false],
    ['1000000001', false],
    ['-', false],
  ])('for a rated power accepts %j: %j, like the portal', (text, expected) => {
    expect(isTaken('ratedPowerKw', text)).toBe(expected);
  });

  it.each([
    ['', true],
    ['1', true],
    ['86400', true],
    ['0', false],
    ['1.5', false],
    ['86401', false],
    ['-', false],
  ])('for seconds accepts %j: %j, like the portal', (text, expected) => {
    expect(isTaken('expectedIntervalSeconds', text)).toBe(expected);
  });
});

const meter = (id: string, parentDeviceId: string | null, siteId = 's') => ({
  id,
  siteId,
  parentDeviceId,
});
const devices = [
  meter('gate', null),
  meter('press', 'hall'),
  meter('hall', 'main'),
  meter('main', null),
  meter('elsewhere', null, 't'),
];
const idsFor = (siteId: string, deviceId: string | null) =>
  parentChoices(devices, siteId, deviceId).map(({ id }) => id);

it('offers the devices of the site, each below its main meter', () => {
  expect(idsFor('s', null)).toEqual(['gate', 'main', 'hall', 'press']);
  expect(idsFor('t', null)).toEqual(['elsewhere']);
});

it('offers neither the device itself nor its own sub-meters', () => {
  expect(idsFor('s', 'hall')).toEqual(['gate', 'main']);
  expect(idsFor('s', 'main')).toEqual(['gate']);
  expect(idsFor('t', 'elsewhere')).toEqual([]);
});

it('lists the other devices in the trees of chosen devices', () => {
  const others = (...chosen: string[]) => othersOfTrees(devices, new Set(chosen)).map(({ id }) => id);
  expect(others('gate', 'elsewhere')).toEqual([]);
  expect(others('press')).toEqual(['hall', 'main']);
  expect(others('main', 'gate')).toEqual(['press', 'hall']);
  expect(others('press', 'hall', 'main')).toEqual([]);
});
