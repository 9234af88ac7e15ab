import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffSeconds, capSeconds } from './backoff.ts';

const bounds = { minSeconds: 60, maxSeconds: 1800 };

it.each([
  [1, 60, 66],
  [2, 120, 132],
  [3, 240, 264],
  [4, 480, 528],
  [5, 960, 1056],
  [6, 1800, 1800],
  [7, 1800, 1800],
  [5_000, 1800, 1800],
])(
  'specification, States: the wait after failure %i is %i seconds, or up to a tenth more (%i)',
  (failures, least, most) => {
    expect(backoffSeconds(failures, bounds, 0)).toBe(least);
    expect(backoffSeconds(failures, bounds, 1)).toBeCloseTo(most, 9);
  },
);

it('no wait is outside the bounds, for any bounds', () => {
  const seconds = fc.double({ min: 0.01, max: 86_400, noNaN: true });
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), seconds, seconds, random, (failures, a, b, chance) => {
      const [minSeconds, maxSeconds] = [Math.min(a, b), Math.max(a, b)];
      for (const wait of [
        backoffSeconds(failures, { minSeconds, maxSeconds }, chance),
        capSeconds({ minSeconds, maxSeconds }, chance),
      ]) {
        expect(wait).toBeGreaterThanOrEqual(minSeconds * 0.999999);
        expect(wait).toBeLessThanOrEqual(maxSeconds * 1.000001);
      }
    }),
  );
});

it('a failure that does not go away waits for the longest time, or up to a tenth less', () => {
  expect(capSeconds(bounds, 0)).toBe(1800);
  expect(capSeconds(bounds, 1)).toBe(1620);
});
