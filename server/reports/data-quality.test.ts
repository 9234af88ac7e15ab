import { expect, test } from 'vitest';
import { compareFlags, expectedPart } from './data-quality.rules.ts';

test('Flags are listed newest first, those with the same time by kind and direction, whatever their original order', () => {
  const listed = [
    { timeMicros: 2, kind: 'reset', direction: 'imported' },
    { timeMicros: 1, kind: 'gap', direction: 'exported' },
    { timeMicros: 1, kind: 'gap', direction: 'imported' },
    { timeMicros: 1, kind: 'reset', direction: 'exported' },
    { timeMicros: 1, kind: 'reset', direction: 'imported' },
  ];
  for (let first = 0; first < listed.length; first += 1) {
    const turned = [...listed.slice(first), ...listed.slice(0, first)];
    expect(turned.toSorted(compareFlags)).toEqual(listed);
    expect(turned.toReversed().toSorted(compareFlags)).toEqual(listed);
  }
});

test('Readings in transit are not expected yet: a gap is longer, and an inactive device sends nothing', () => {
  const minute = 60_000_000;
  const rules = {
    energySource: 'auto',
    ratedPowerKw: null,
    registerMaxKwh: null,
    expectedIntervalSeconds: 900,
  } as const;
  const lastAt = (micros: number, isActive = true) => ({
    rules,
    spans: { any: { firstMicros: 0, lastMicros: micros }, imported: null, exported: null, intervals: null },
    isActive,
    createdMicros: 0,
  });
  const until = (device: ReturnType<typeof lastAt>) =>
    expectedPart({ fromMicros: 0, toMicros: 100 * minute }, device, 100 * minute)?.toMicros;
  expect(until(lastAt(90 * minute))).toBe(90 * minute + 1);
  expect(until(lastAt(55 * minute))).toBe(55 * minute + 1);
  expect(until(lastAt(55 * minute - 1))).toBe(100 * minute);
  expect(until(lastAt(10 * minute, false))).toBe(10 * minute + 1);
  // Its clock is ahead.
  expect(until(lastAt(110 * minute))).toBe(100 * minute);
});
