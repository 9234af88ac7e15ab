import { expect, it } from 'vitest';
import { mainTimeZone } from './sites.ts';

const sites = (...timeZones: string[]) => timeZones.map((timeZone) => ({ timeZone }));

it('the zone of the page is that of most sites, of several the first by name: the same for every reader', () => {
  expect(mainTimeZone(sites('Asia/Tokyo', 'Europe/Berlin', 'Asia/Tokyo'))).toBe('Asia/Tokyo');
  expect(mainTimeZone(sites('Europe/Berlin', 'America/Chicago'))).toBe('America/Chicago');
  expect(mainTimeZone(sites('America/Chicago', 'Europe/Berlin'))).toBe('America/Chicago');
  expect(mainTimeZone([])).toBeNull();
});
