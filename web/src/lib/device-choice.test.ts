import { describe, expect, it } from 'vitest';
import type { DeviceWithSite } from '../../../shared/sites.ts';
import {
  choiceOfDevices,
  deviceNames,
  devicesOfChoice,
  isChoice,
  readDeviceChoice,
  wireChoice,
} from './device-choice.ts';

const idOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const [north, south, lone] = [idOf('a'), idOf('b'), idOf('c')];
const device = (digit: string, siteId: string): DeviceWithSite => ({
  id: idOf(digit),
  name: `Meter ${digit}`,
  externalId: `ext-${digit}`,
  isActive: true,
  siteId,
  siteName: siteId,
  expectedIntervalSeconds: null,
  parentDeviceId: null,
  endUse: null,
});
const devices = [device('1', north), device('2', north), device('3', south), device('4', south), device('5', lone)];
const idsOf = (...digits: string[]) => new Set(digits.map(idOf));

describe('a choice of devices in the URL', () => {
  it('holds ids of sites and devices, each once; invalid ones beside them are dropped, and an empty choice means all', () => {
    expect(readDeviceChoice({ sites: `${north},x,${north.toUpperCase()}`, devices: 'all' })).toEqual({ sites: north });
    expect(readDeviceChoice({ sites: '', devices: 'all' })).toEqual({});
    expect(devicesOfChoice({}, devices)).toBe(devices);
  });

  it.each([{ sites: 'nonsense' }, { sites: 7 }, { devices: 'x,y' }])(
    'that holds no valid id means no devices, as does a choice of deleted ones: %j',
    (search) => {
      const choice = readDeviceChoice(search);
      expect(isChoice(choice)).toBe(true);
      expect(devicesOfChoice(choice, devices)).toEqual([]);
      expect(readDeviceChoice({ ...choice })).toEqual(choice);
    },
  );

  it('means the devices of its sites and the single ones; deleted ones are left out', () => {
    const chosen = devicesOfChoice({ sites: north, devices: `${idOf('3')},${idOf('9')}` }, devices);
    expect(chosen.map(({ id }) => id)).toEqual(['1', '2', '3'].map(idOf));
    expect(devicesOfChoice({ devices: idOf('9') }, devices)).toEqual([]);
  });

  it('names a site as a whole if all of its several devices are chosen, so that later ones belong to it', () => {
    expect(choiceOfDevices(idsOf('1', '2', '3', '5'), devices)).toEqual({
      sites: north,
      devices: `${idOf('3')},${idOf('5')}`,
    });
    expect(choiceOfDevices(idsOf('3', '4'), devices)).toEqual({ sites: south });
    expect(choiceOfDevices(idsOf('1', '2', '3', '4', '5'), devices)).toEqual({});
  });

  it('is sent to the API as siteIds and deviceIds, or as neither for all', () => {
    expect(wireChoice({ sites: north, devices: idOf('3') })).toEqual({ siteIds: north, deviceIds: idOf('3') });
    expect(wireChoice({})).toEqual({});
  });
});

it('repeated names are distinguished by the site first, and at one site by the external ID', () => {
  const named = [
    { id: '1', name: 'Reserve', siteName: 'North', externalId: 'r1' },
    { id: '2', name: 'Reserve', siteName: 'South', externalId: 'r2' },
    { id: '3', name: 'Reserve', siteName: 'South', externalId: 'r3' },
    { id: '4', name: 'Roof', siteName: 'South', externalId: 'r4' },
  ];
  const names = ['North · Reserve', 'South · Reserve (r2)', 'South · Reserve (r3)', 'Roof'];
  expect([...deviceNames(named).values()]).toEqual(names);
});
