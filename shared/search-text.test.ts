import { expect, it } from 'vitest';
import { searchFor } from './search-text.ts';

it.each([
  ['cafe', 'Café Zürich', true],
  ['zur caf', 'Café Zürich', true],
  ['STRASSE', 'Hauptstraße 4', true],
  ['straße', 'Hauptstrasse 4', true],
  ['cafe bern', 'Café Zürich', false],
  ['  ', 'anything', true],
  ['.*', 'Café', false],
])('a search for %j in %j: %s', (search, text, isFound) => {
  expect(searchFor(search)(text)).toBe(isFound);
});
