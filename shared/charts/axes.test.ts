import { describe, expect, it } from 'vitest';
import { spacedLabels, valueAxis } from './axes.ts';

describe('a value axis', () => {
  it.each([
    [{ lowest: 3, highest: 97 }, true, { min: 0, max: 100, ticks: [0, 20, 40, 60, 80, 100] }],
    [{ lowest: 0, highest: 0.37 }, true, { min: 0, max: 0.4, ticks: [0, 0.1, 0.2, 0.3, 0.4] }],
    [{ lowest: 228.2, highest: 231.9 }, false, { min: 228, max: 232, ticks: [228, 229, 230, 231, 232] }],
    // Negative values add no full step below zero.
    [{ lowest: -1, highest: 100 }, true, { min: -1.04, max: 100, ticks: [0, 20, 40, 60, 80, 100] }],
    [{ lowest: -90, highest: -10 }, true, { min: -93.6, max: 0, ticks: [-80, -60, -40, -20, 0] }],
  ])('has round steps: %j', (extent, hasZero, wanted) => {
    const { min, max, ticks } = valueAxis(extent, hasZero, 4);
    expect(min).toBeCloseTo(wanted.min, 9);
    expect(max).toBeCloseTo(wanted.max, 9);
    expect(ticks).toEqual(wanted.ticks);
  });

  it('has a length even if all values are equal, or none is known', () => {
    for (const [extent, hasZero] of [
      [null, true],
      [{ lowest: 0, highest: 0 }, true],
      [{ lowest: 0, highest: 0 }, false],
      [{ lowest: 230, highest: 230 }, false],
      [{ lowest: 5, highest: 5 }, true],
      [{ lowest: 0.9, highest: 0.9000000000000001 }, false],
    ] as const) {
      const { min, max, ticks } = valueAxis(extent, hasZero, 4);
      expect(max).toBeGreaterThan(min + 0.01);
      expect(ticks.length).toBeGreaterThan(1);
      expect(max).toBeGreaterThanOrEqual(extent?.highest ?? 0);
      expect(min).toBeLessThanOrEqual(extent?.lowest ?? 0);
    }
  });

  it('shows every value with two to eight marks, from a millionth to a million millions', () => {
    for (let power = -6; power <= 12; power += 1) {
      for (let share = 1; share < 10; share += 0.37) {
        const highest = share * 10 ** power;
        const { min, max, ticks } = valueAxis({ lowest: highest / 7, highest }, true, 4);
        expect([min, max >= highest * (1 - 1e-9), ticks[0]]).toEqual([0, true, 0]);
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThan(9);
      }
    }
  });
});

describe('labels of an axis', () => {
  const labels = [0, 20, 40, 100].map((at) => ({ at, text: String(at) }));

  it('are left out if they would overlap, and those at the ends stay inside', () => {
    expect(spacedLabels(labels, () => 20, 0, 100).map(({ at }) => at)).toEqual([10, 40, 90]);
  });

  it('stay if all of them fit', () => {
    expect(spacedLabels(labels, () => 4, -10, 110)).toEqual(labels);
  });
});
