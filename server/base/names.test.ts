import { expect, test } from 'vitest';
import { compareNames } from './names.ts';

test('names are sorted as people expect: numbers by value, umlauts next to their letter, case ignored', () => {
  const names = ['Zoo', 'Meter 10', 'ärger', 'Meter 2', 'Arzt', 'beta', 'Ängste'];
  expect(names.toSorted(compareNames)).toEqual(['Ängste', 'ärger', 'Arzt', 'beta', 'Meter 2', 'Meter 10', 'Zoo']);
});
