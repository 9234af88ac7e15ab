import { describe, expect, it } from 'vitest';
import { sideNames } from './side-names.ts';

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
});
const all = [
  device(1, 'Main meter', 'Harbour'),
  device(2, 'Cold store', 'Harbour'),
  device(3, 'Main meter', 'Riverside'),
  device(4, 'Oven', 'Riverside'),
  device(5, 'Press', 'Riverside'),
];
const [week, before] = ['16 – 22 Nov', '9 – 15 Nov'];
const choice = (...digits: number[]) => ({ devices: digits.map(idOf).join(',') });

describe('the two sides of a comparison are called', () => {
  it('by their ranges where both have the same devices', () => {
    expect(sideNames([choice(1), choice(1)], [week, before], all)).toEqual([week, before]);
    expect(sideNames([{}, { sites: 'Harbour,Riverside' }], [week, before], all)).toEqual([week, before]);
  });

  it('by device or site, and by the range where that differs too', () => {
    expect(sideNames([choice(2), { sites: 'Riverside' }], [week, week], all)).toEqual(['Cold store', 'Riverside']);
    expect(sideNames([choice(2), {}], [week, before], all)).toEqual([`Cold store · ${week}`, before]);
  });

  it('by the site as well where two devices have one name, and by all devices where they lie in the same sites', () => {
    expect(sideNames([choice(1), choice(3)], [week, week], all)).toEqual([
      'Harbour · Main meter',
      'Riverside · Main meter',
    ]);
    expect(sideNames([choice(3, 4), choice(4, 5)], [week, week], all)).toEqual([
      'Riverside · Main meter, Oven',
      'Oven, Press',
    ]);
  });
});
