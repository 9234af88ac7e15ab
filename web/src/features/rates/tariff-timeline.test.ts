import { describe, expect, it } from 'vitest';
import { axisOf, findDateOverlaps, findGaps, forceSpans, shareOf, stateOf, ticksOf } from './tariff-timeline.ts';

const today = '2026-06-15';
const tariff = (id: string, effectiveFrom: string, effectiveTo: string | null = null, isActive = true) => ({
  id,
  effectiveFrom,
  effectiveTo,
  isActive,
});
const old = tariff('old', '2024-01-01', '2026-01-01');
const current = tariff('current', '2026-01-01');

describe('the tariff in force', () => {
  it('is the active one with the latest effectiveFrom; after it ends, the earlier one again', () => {
    const base = tariff('base', '2020-01-01');
    const summer = tariff('summer', '2026-06-01', '2026-09-01');
    expect(forceSpans([base, summer], '2026-01-01')).toEqual([
      { from: '2026-01-01', to: '2026-06-01', tariff: base },
      { from: '2026-06-01', to: '2026-09-01', tariff: summer },
      { from: '2026-09-01', to: null, tariff: base },
    ]);
    expect(stateOf(base, [base, summer], today)).toBe('overruled');
    expect(stateOf(summer, [base, summer], today)).toBe('inForce');
  });

  it('effectiveTo is exclusive, and an inactive tariff is never in force', () => {
    const off = tariff('off', '2026-05-01', null, false);
    const all = [old, current, off, tariff('next', '2027-01-01')];
    expect(all.map((one) => stateOf(one, all, today))).toEqual(['ended', 'inForce', 'off', 'planned']);
    expect(forceSpans([old, current, off], '2025-12-31').map(({ tariff: one }) => one?.id)).toEqual(['old', 'current']);
    expect(stateOf(tariff('until today', '2026-01-01', today), [], today)).toBe('ended');
  });
});

describe('dates without a tariff in force', () => {
  it('do not exist if tariffs follow each other without end', () => {
    expect(findGaps([old, current], today)).toEqual([]);
  });

  it('a gap of the last year, an end without a successor and an inactive tariff are gaps', () => {
    expect(findGaps([tariff('first', '2024-01-01', '2026-02-01'), tariff('second', '2026-03-01')], today)).toEqual([
      { from: '2026-02-01', to: '2026-03-01' },
    ]);
    expect(findGaps([tariff('only', '2020-01-01', '2026-12-01')], today)).toEqual([{ from: '2026-12-01', to: null }]);
    expect(findGaps([tariff('off', '2020-01-01', null, false)], today)).toEqual([{ from: '2025-06-15', to: null }]);
  });

  it('are not warned about after more than a year', () => {
    expect(findGaps([tariff('late', '2025-06-15')], today)).toEqual([]);
    expect(findGaps([tariff('later', '2025-06-16')], today)).toEqual([{ from: '2025-06-15', to: '2025-06-16' }]);
  });
});

describe('dates with two active tariffs', () => {
  it('are reported with the tariff in force, the later one', () => {
    const summer = tariff('summer', '2026-06-01', '2026-09-01');
    expect(findDateOverlaps([summer, current], today)).toEqual([
      { earlier: current, later: summer, from: '2026-06-01', to: '2026-09-01' },
    ]);
    expect(findDateOverlaps([old, current, tariff('off', '2026-02-01', null, false)], today)).toEqual([]);
    expect(
      findDateOverlaps([tariff('a', '2020-01-01', '2022-01-01'), tariff('b', '2021-01-01', '2023-01-01')], today),
    ).toEqual([]);
  });

  it('are reported once for each tariff that takes over, however many follow without end', () => {
    const yearly = [2020, 2021, 2022, 2023, 2024, 2025, 2026].map((year) => tariff(`${year}`, `${year}-01-01`));
    const told = findDateOverlaps(yearly, today).map(({ earlier, later, from, to }) => [
      earlier.id,
      later.id,
      from,
      to,
    ]);
    expect(told).toEqual([
      ['2024', '2025', '2025-01-01', '2026-01-01'],
      ['2025', '2026', '2026-01-01', null],
    ]);
  });

  it('are reported for each tariff that would be in force without the later one, as one ends after another', () => {
    const base = tariff('base', '2020-01-01');
    const spring = tariff('spring', '2026-03-01', '2026-07-01');
    const later = tariff('later', '2026-05-01');
    const told = findDateOverlaps([later, spring, base], today).map((one) => [one.earlier.id, one.later.id, one.from]);
    expect(told).toEqual([
      ['base', 'spring', '2026-03-01'],
      ['spring', 'later', '2026-05-01'],
      ['base', 'later', '2026-07-01'],
    ]);
  });
});

describe('the time axis', () => {
  it('contains today and every edge, but no more than ten years around today', () => {
    const axis = axisOf([old, current], today);
    expect(axis).toEqual({ from: '2024-01-01', to: '2027-01-01' });
    expect(axisOf([tariff('ancient', '1990-01-01')], today).from).toBe('2021-06-01');
    expect(shareOf(axis, '2024-01-01')).toBe(0);
    expect(shareOf(axis, null)).toBe(1);
    expect(shareOf(axis, '1990-01-01')).toBe(0);
    expect(shareOf(axis, today)).toBeCloseTo(0.818, 2);
  });

  it('has few ticks, on first days of months', () => {
    expect(ticksOf({ from: '2024-01-01', to: '2027-01-01' }, 6)).toEqual([
      '2024-01-01',
      '2024-07-01',
      '2025-01-01',
      '2025-07-01',
      '2026-01-01',
      '2026-07-01',
    ]);
    expect(ticksOf({ from: '2025-06-01', to: '2026-12-01' }, 6)).toHaveLength(6);
    expect(ticksOf({ from: '2025-06-01', to: '2026-12-01' }, 4)).toEqual(['2025-07-01', '2026-01-01', '2026-07-01']);
  });
});
