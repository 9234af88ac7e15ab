import { describe, expect, it } from 'vitest';
import { sideNames as name, type SideWords } from './side-names.ts';

const idOf = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`;
const device = (digit: number, name: string, siteName: string) => ({
  id: idOf(digit),
  name,
  externalId: `meter-${digit}`,
  isActive: true,
  siteId: siteName,
  siteName,
  expectedIntervalSeconds: null,
  parentDeviceId: null,
  endUse: null,
});
const all = [
  device(1, 'Main meter', 'Harbour'),
  device(2, 'Cold store', 'Harbour'),
  device(3, 'Main meter', 'Riverside'),
  device(4, 'Oven', 'Riverside'),
  device(5, 'Press', 'Riverside'),
];
const words: SideWords = {
  sites: (count) => `${count} sites`,
  someDevices: (site, count, of) => `${site}, ${count} of ${of} devices`,
  withDevice: (side, added) => `${side}, with ${added}`,
};
const sideNames = (
  choices: Parameters<typeof name>[0],
  ranges: Parameters<typeof name>[1],
  devices: Parameters<typeof name>[2],
) => name(choices, ranges, devices, words);
const [week, before] = ['16 – 22 Nov', '9 – 15 Nov'];
const choice = (...digits: number[]) => ({ devices: digits.map(idOf).join(',') });

describe('the two sides of a comparison are called', () => {
  it('by their ranges if both have the same devices', () => {
    expect(sideNames([choice(1), choice(1)], [week, before], all)).toEqual([week, before]);
    expect(sideNames([{}, { sites: 'Harbour,Riverside' }], [week, before], all)).toEqual([week, before]);
  });

  it('by device or site, and by the range if that differs too', () => {
    expect(sideNames([choice(2), { sites: 'Riverside' }], [week, week], all)).toEqual(['Cold store', 'Riverside']);
    expect(sideNames([choice(2), {}], [week, before], all)).toEqual([`Cold store · ${week}`, before]);
  });

  it('also by site if two devices share a name, and by all devices if they are at the same sites', () => {
    expect(sideNames([choice(1), choice(3)], [week, week], all)).toEqual([
      'Harbour · Main meter',
      'Riverside · Main meter',
    ]);
    expect(sideNames([choice(3, 4), choice(4, 5)], [week, week], all)).toEqual([
      'Riverside · Main meter, Oven',
      'Oven, Press',
    ]);
  });

  it('by the number of devices of a site, if these are more than a few', () => {
    const many = [6, 7, 8, 9].map((digit) => device(digit, `Meter ${digit}`, 'Works'));
    const of = (...digits: number[]) => ({ devices: digits.map(idOf).join(',') });
    const devices = [...many, device(5, 'Meter 5', 'Works')];
    expect(sideNames([{ sites: 'Works' }, of(6, 7, 8, 9)], [week, week], devices)).toEqual([
      'Works',
      'Works, 4 of 5 devices',
    ]);
    expect(sideNames([of(5, 6, 7, 8), of(6, 7, 8, 9)], [week, week], devices)).toEqual([
      'Works, 4 of 5 devices, with Meter 5',
      'Works, 4 of 5 devices, with Meter 9',
    ]);
    const sites = ['A', 'B', 'C', 'D'].map((site, at) => device(at, site, site));
    expect(sideNames([{ sites: 'A,B,C,D' }, of(6)], [week, week], [...sites, ...many])).toEqual(['4 sites', 'Meter 6']);
  });
});
