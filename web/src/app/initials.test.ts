import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Maria Lindqvist', 'ML'],
  ['ada', 'A'],
  ['  Jean  Luc  Picard ', 'JP'],
  ['👩‍🔧 Installer', '👩I'],
  ['', ''],
])('%j is shown as %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
