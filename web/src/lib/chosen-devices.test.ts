import { describe, expect, it } from 'vitest';
import type { DeviceWithSite } from '../../../shared/sites.ts';
import { bySite, chosenDevices, commonTimeZone, isFound, namesakes } from './chosen-devices.ts';

const device = (id: string, siteId = 's', isActive = true): DeviceWithSite => ({
  id,
  name: `Meter ${id}`,
  externalId: `ext-${id}`,
  isActive,
  siteId,
  siteName: `Site ${siteId}`,
  expectedIntervalSeconds: null,
  parentDeviceId: null,
  endUse: null,
});

describe('the chosen devices', () => {
  const devices = [device('a', 's', false), device('b'), device('c', 't')];

  it('are all if the URL names none; the only one is chosen by itself', () => {
    expect(chosenDevices(undefined, devices)).toEqual({ devices, isAll: true });
    expect(chosenDevices(undefined, [device('a', 's', false)])).toMatchObject({ devices: [{ id: 'a' }], isAll: false });
    expect(chosenDevices(undefined, []).devices).toEqual([]);
  });

  it('are in the order of the list, without unknown ids', () => {
    expect(chosenDevices('C,b,x', devices)).toEqual({ devices: [devices[1], devices[2]], isAll: false });
    expect(chosenDevices('x', devices).devices).toEqual([]);
  });

  it('can be all of them', () => {
    expect(chosenDevices('all', devices)).toEqual({ devices, isAll: true });
  });

  it('share a zone if all of their sites do', () => {
    const site = (id: string, timeZone: string) => ({
      id,
      name: id,
      municipalityId: 'm',
      municipalityName: 'm',
      timeZone,
      deviceCount: 1,
    });
    const sites = [site('s', 'Europe/Berlin'), site('t', 'Asia/Seoul')];
    expect(commonTimeZone([device('b')], sites)).toBe('Europe/Berlin');
    expect(commonTimeZone(devices, sites)).toBeNull();
    expect(commonTimeZone([], sites)).toBeNull();
  });

  it('are grouped by site and found by each word of name, site, external ID or end use', () => {
    expect(bySite(devices).map(({ siteName, devices: members }) => [siteName, members.length])).toEqual([
      ['Site s', 2],
      ['Site t', 1],
    ]);
    expect(isFound(device('b'), 'site METER')).toBe(true);
    expect(isFound(device('b'), 'ext-b')).toBe(true);
    expect(isFound({ ...device('b'), endUse: 'Lighting' }, 'light meter')).toBe(true);
    expect(isFound(device('b'), 'meter q')).toBe(false);
    expect(isFound(device('b'), 'null')).toBe(false);
  });
});

it('devices with the same name are namesakes at one site, not at two', () => {
  const reserve = (id: string, siteId: string) => ({ ...device(id, siteId), name: 'Reserve' });
  const devices = [reserve('a', 's'), reserve('b', 's'), reserve('c', 't'), device('d', 's')];
  expect([...namesakes(devices)]).toEqual(['a', 'b']);
});
