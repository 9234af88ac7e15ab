import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffSeconds, capSeconds, grown, halved } from './backoff.ts';

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

it('no wait is outside the bounds, whatever they are', () => {
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

it('what does not mend itself waits for the cap, or a tenth less', () => {
  expect(capSeconds(bounds, 0)).toBe(1800);
  expect(capSeconds(bounds, 1)).toBe(1620);
});

it('a batch that is too large is halved down to a single row, and no further', () => {
  const sizes: (number | null)[] = [5000];
  for (let rows: number | null = 5000; rows !== null;) sizes.push((rows = halved(rows)));
  expect(sizes).toEqual([5000, 2500, 1250, 625, 312, 156, 78, 39, 19, 9, 4, 2, 1, null]);
});

it('a halved batch doubles after each ten batches that were accepted, up to what is configured', () => {
  expect([1, 9, 10, 11, 20].map((successes) => grown(700, successes, 5000))).toEqual([700, 700, 1400, 700, 1400]);
  expect(grown(4000, 10, 5000)).toBe(5000);
  expect(grown(6000, 1, 5000)).toBe(5000);
});
