import { expect, test } from 'vitest';
import { isAtLeast, isQuiet } from './choices.rules.ts';

test.each([
  ['22:00', '06:00', '2026-01-10T21:00:00Z', true],
  ['22:00', '06:00', '2026-01-10T20:59:00Z', false],
  ['22:00', '06:00', '2026-01-11T04:59:00Z', true],
  ['22:00', '06:00', '2026-01-11T05:00:00Z', false],
  ['12:00', '13:00', '2026-07-10T10:30:00Z', true],
  ['12:00', '13:00', '2026-07-10T11:00:00Z', false],
  ['20:00', '24:00', '2026-01-10T22:59:00Z', true],
  ['20:00', '24:00', '2026-01-10T23:00:00Z', false],
])('quiet hours from %s to %s in Berlin at %s: %s', (startTime, endTime, at, expected) => {
  expect(isQuiet({ startTime, endTime }, Date.parse(at), 'Europe/Berlin')).toBe(expected);
});

test('without quiet hours nothing is quiet', () => expect(isQuiet(null, 0, 'UTC')).toBe(false));

test('severities ascend: info, warning, critical', () => {
  expect(isAtLeast('warning', 'warning')).toBe(true);
  expect(isAtLeast('critical', 'info')).toBe(true);
  expect(isAtLeast('info', 'warning')).toBe(false);
});
