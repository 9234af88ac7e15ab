import { expect, it } from 'vitest';
import { findRates } from './queries.ts';

const municipalities = [
  { name: 'Berlin', timeZone: 'Europe/Berlin', tariffs: [{ name: 'Day' }, { name: 'Night' }] },
  { name: 'New York', timeZone: 'America/New_York', tariffs: [{ name: 'Flat' }] },
  { name: 'Zürich', timeZone: 'Europe/Zurich', tariffs: [] },
];

it.each([
  ['', ['Berlin', 'New York', 'Zürich']],
  ['zuri', ['Zürich']],
  ['america/new york', ['New York']],
  ['berlin night', ['Berlin']],
  ['day night', []],
  ['new york night', []],
])('municipalities are found by name and zone or by name and one tariff: "%s"', (search, expected) => {
  expect(findRates(municipalities, search).map(({ name }) => name)).toEqual(expected);
});
