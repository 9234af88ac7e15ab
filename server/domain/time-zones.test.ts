import { expect, test } from 'vitest';
import { canonicalTimeZone } from './time-zones.ts';

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
  ['utc', 'UTC'],
])('a time zone keeps its IANA spelling whatever the case it came in: %s', (given, expected) => {
  expect(canonicalTimeZone(given)).toBe(expected);
});

test('a name that is only linked to another zone is kept as given, not replaced by its target', () => {
  expect(canonicalTimeZone('Asia/Kolkata')).toBe('Asia/Kolkata');
  expect(canonicalTimeZone('Asia/Calcutta')).toBe('Asia/Calcutta');
});

test('a name that no zone has is refused', () => {
  expect(() => canonicalTimeZone('Mars/Olympus')).toThrow(RangeError);
});
