import { describe, expect, it } from 'vitest';
import { partlyPriced } from './partly-priced.ts';
import { presetRange } from '../lib/time-range.ts';

const zone = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

describe('the energy of a cost that has no price', () => {
  const side = (range: { fromMs: number; toMs: number }, days: number, unpricedEnergyKwh: number) => ({
    range,
    tariffDays: [{ currency: 'EUR', days }],
    unpricedEnergyKwh,
  });
  const november = presetRange('last-month', zone, at('2026-12-03T12:00:00Z'));
  const october = presetRange('last-month', zone, at('2026-11-03T12:00:00Z'));

  it('a tariff that ended or began within a range makes its side incomplete, so that no percentage of the cost is shown', () => {
    expect(partlyPriced(side(november, 12, 900), side(october, 31, 0), 'EUR')).toBe('current');
    expect(partlyPriced(side(november, 30, 0), side(october, 12, 900), 'EUR')).toBe('previous');
    expect(partlyPriced(side(november, 30, 900), side(october, 60, 900), 'EUR')).toBe('current');
  });

  it('months of 30 and 31 days, an hour more or less, and a site that never had a tariff do not', () => {
    expect(partlyPriced(side(november, 30, 0), side(october, 31, 0), 'EUR')).toBeNull();
    expect(partlyPriced(side(november, 30, 900), side(october, 31, 900), 'EUR')).toBeNull();
    const longDay = { fromMs: at('2026-10-24T22:00:00Z'), toMs: at('2026-10-25T23:00:00Z') };
    const dayBefore = { fromMs: at('2026-10-23T22:00:00Z'), toMs: at('2026-10-24T22:00:00Z') };
    expect(partlyPriced(side(longDay, 1, 5), side(dayBefore, 1, 5), 'EUR')).toBeNull();
  });

  it('if another currency took over, everything has a price', () => {
    expect(partlyPriced(side(november, 12, 0), side(october, 31, 0), 'EUR')).toBeNull();
  });
});
