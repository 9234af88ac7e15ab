import { describe, expect, it } from 'vitest';
import type { DrawnBars, DrawnPoint } from './drawing.ts';
import { areaPath, barsPath, cellPath, dotsPath, extentIn, linePath, pointsIn } from './paths.ts';

const scales = { x: (atMs: number) => atMs / 10, y: (value: number) => 100 - value };
const point = (atMs: number, value: number | null, more: Partial<DrawnPoint> = {}): DrawnPoint => ({
  atMs,
  value,
  ...more,
});

describe('lines', () => {
  it('break if nothing is known', () => {
    const points = [point(0, 1), point(10, 2), point(20, null), point(30, 4), point(40, 5)];
    expect(linePath(points, scales)).toBe('M0 99L1 98M3 96L4 95');
  });

  it('of one value are a dot', () => {
    const points = [point(0, 1, { isAlone: true }), point(20, null)];
    expect([linePath(points, scales), dotsPath({ points }, scales)]).toEqual(['', 'M0 99h0']);
  });

  it('have an area down to their base', () => {
    expect(areaPath([point(0, 5, { base: 1 }), point(10, 6, { base: 2 })], scales)).toBe('M0 95L1 94L1 98L0 99Z');
  });

  it('continue beyond both ends of a window', () => {
    const points = [0, 10, 20, 30, 40, 50].map((atMs) => point(atMs, 1));
    expect(pointsIn(points, { fromMs: 15, toMs: 32 }).map(({ atMs }) => atMs)).toEqual([10, 20, 30, 40]);
    expect(pointsIn(points, { fromMs: 12, toMs: 18 }).map(({ atMs }) => atMs)).toEqual([10, 20]);
    expect(pointsIn(points, { fromMs: -9, toMs: 99 })).toEqual(points);
    expect(pointsIn([], { fromMs: 0, toMs: 1 })).toEqual([]);
  });
});

const bars: DrawnBars = {
  kind: 'bars',
  id: 'a',
  color: '',
  slot: 1,
  slots: 2,
  bars: [
    { fromMs: 0, toMs: 500, base: 0, value: 10 },
    { fromMs: 500, toMs: 1000, base: 0, value: -10 },
    { fromMs: 1000, toMs: 1500, base: 0, value: 99 },
  ],
};

it('bars are in their slot of their bucket, up or down, and none is drawn outside of the window', () => {
  expect(barsPath(bars, { fromMs: 0, toMs: 1000 }, scales)).toBe('M25 90h21v10h-21ZM75 100h21v10h-21Z');
});

it('the extent covers only visible values', () => {
  const line = { kind: 'line', id: 'l', color: '', width: 1, points: [point(0, 50), point(700, 3)] } as const;
  expect(extentIn([bars, line], { fromMs: 500, toMs: 1000 })).toEqual({ lowest: -10, highest: 3 });
  expect(extentIn([line], { fromMs: 800, toMs: 900 })).toBeNull();
});

it('a cell is closed, with round corners or square ones', () => {
  expect(cellPath(1, 2, 10, 8, 0)).toBe('M1 2h10v8h-10Z');
  expect(cellPath(0, 0, 10, 8, 2)).toBe('M2 0h6a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-6a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2Z');
});
