import { expect, test } from 'vitest';
import { listParts, splitDevices } from './parts.rules.ts';

const source = (customer: string | null, devices: readonly (readonly [site: string, name: string])[]) => ({
  labels: { customerId: customer, customerName: customer === null ? null : `Name of ${customer}` },
  devices: devices.map(([site, name]) => ({ id: `${site}/${name}`, name, siteId: site, siteName: `Site ${site}` })),
});
const namesOf = (sources: readonly ReturnType<typeof source>[], split: 'none' | 'site' | 'device' | 'customer') =>
  listParts(sources, splitDevices(sources, split), { split, limit: 10 }).map(({ name }) => name);

test('Devices with the same name are distinguished by their site, and items of several customers by the customer', () => {
  const client = [source(null, [['a', 'Main'], ['a', 'Hall'], ['b', 'Main']])]; // prettier-ignore
  expect(namesOf(client, 'device')).toEqual(['Site a · Main', 'Hall', 'Site b · Main']);
  expect(namesOf(client, 'site')).toEqual(['Site a', 'Site b']);
  expect(namesOf(client, 'none')).toEqual(['Total']);
  const fleet = [source('x', [['a', 'Main']]), source('y', [['a', 'Hall']])];
  expect(namesOf(fleet, 'device')).toEqual(['Name of x · Main', 'Name of y · Hall']);
  expect(namesOf(fleet, 'site')).toEqual(['Name of x · Site a', 'Name of y · Site a']);
  expect(namesOf(fleet, 'customer')).toEqual(['Name of x', 'Name of y']);
  expect(namesOf([source('x', [['a', 'Main']])], 'device')).toEqual(['Main']);
});
