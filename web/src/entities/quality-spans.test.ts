import { describe, expect, it } from 'vitest';
import { maxSlots, qualitySpans, shownShare, sumOfSlots, type QualityDay } from './quality-spans.ts';

const dayMs = 86_400_000;
const daysFrom = (first: string, count: number): QualityDay[] =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse(`${first}T00:00:00Z`) + index * dayMs).toISOString().slice(0, 10),
    measured: 90,
    interpolated: 4,
    missing: 2,
  }));

describe('the columns of a quality strip', () => {
  it('are the days themselves while there is room for them', () => {
    expect(qualitySpans(daysFrom('2026-03-01', 3), 3)).toEqual([
      { firstDate: '2026-03-01', lastDate: '2026-03-01', measured: 90, interpolated: 4, missing: 2 },
      { firstDate: '2026-03-02', lastDate: '2026-03-02', measured: 90, interpolated: 4, missing: 2 },
      { firstDate: '2026-03-03', lastDate: '2026-03-03', measured: 90, interpolated: 4, missing: 2 },
    ]);
  });

  it('become weeks from Monday, then months, then years', () => {
    const year = daysFrom('2026-01-01', 365);
    const weeks = qualitySpans(year, 60);
    // 1 January 2026 is a Thursday.
    expect(weeks[0]).toMatchObject({ firstDate: '2026-01-01', lastDate: '2026-01-04', measured: 4 * 90 });
    expect(weeks[1]).toMatchObject({ firstDate: '2026-01-05', lastDate: '2026-01-11', measured: 7 * 90 });
    const months = qualitySpans(year, 12);
    expect(months).toHaveLength(12);
    expect(months[1]).toMatchObject({ firstDate: '2026-02-01', lastDate: '2026-02-28', missing: 28 * 2 });
    expect(qualitySpans(year, 5)).toMatchObject([{ firstDate: '2026-01-01', lastDate: '2026-12-31' }]);
  });

  it('are scaled to the one with the most quarter-hours', () => {
    const spring = { date: '2026-03-29', measured: 90, interpolated: 2, missing: 0 };
    expect(maxSlots([spring])).toBe(92);
    expect(maxSlots([spring, ...daysFrom('2026-03-30', 2)])).toBe(96);
    expect(maxSlots([])).toBe(0);
  });

  it('lose no quarter-hour, whatever their number', () => {
    const days = daysFrom('2024-02-20', 800);
    for (const most of [1, 10, 50, 200, 1000]) {
      expect(sumOfSlots(qualitySpans(days, most))).toEqual(sumOfSlots(days));
    }
    expect(qualitySpans([], 10)).toEqual([]);
  });
});

describe('a share of the quarter-hours', () => {
  it('is 0 % or 100 % only if that is exact', () => {
    expect(shownShare(0, 672)).toBe(0);
    expect(shownShare(672, 672)).toBe(1);
    expect(shownShare(1, 100_000)).toBe(0.001);
    expect(shownShare(99_999, 100_000)).toBe(0.999);
    expect(shownShare(336, 672)).toBe(0.5);
  });

  it('is unknown without any', () => {
    expect(shownShare(0, 0)).toBeNull();
  });
});
