import { describe, expect, it } from 'vitest';
import { presetRange } from '../../lib/time-range.ts';
import { barSum } from '../../../../shared/charts/bars.ts';
import { costBars, costGroupOf, costLineName, isCharged } from './cost-bars.ts';
import { daysInMonth, energyDigits } from './explain/explained-amounts.ts';
import { allFixedDays, explain, lastDayMs, roundingOf, type ExplainedTariff } from './explain/explanation.ts';
import { costLineOf as line } from './test-figures.ts';

const names = { default: 'Default rate', export: 'Credit', fixedCharge: 'Fixed', vat: 'VAT', unpriced: 'No price' };
const fixed = (group: string | null, days: number, cost: number) =>
  line({ kind: 'fixedCharge', group, name: 'Fixed charge', ratePerKwh: null, energyKwh: null, days, cost });
const vat = (group: string | null, cost: number) =>
  line({ kind: 'vat', group, name: 'VAT', ratePerKwh: null, energyKwh: null, vatPercent: 19, cost });

describe('cost by tariff period stacked by day', () => {
  const lines = [
    line({ group: '2026-03-01', name: 'Night', cost: 1 }),
    line({ group: '2026-03-01', cost: 3 }),
    line({ group: '2026-03-01', siteId: 's2', cost: 2 }),
    line({ group: '2026-03-01', kind: 'export', name: 'Export', cost: -0.5 }),
    fixed('2026-03-01', 1, 1),
    vat('2026-03-01', 1.24),
    line({ group: '2026-03-03', cost: 4 }),
    line({ group: '2026-03-03', currency: 'CHF', cost: 99 }),
    line({ group: '2026-03-03', kind: 'unpriced', currency: null, name: 'Unpriced', cost: null }),
  ];
  const bars = costBars(lines, 'EUR', names);

  it('adds up to the lines of the currency, day by day, and never adds another currency', () => {
    expect(bars.groups.map((_, index) => barSum(bars, index))).toEqual([7.74, null, 4]);
    expect(costBars(lines, 'CHF', names).groups).toEqual(['2026-03-03']);
  });

  it('keeps the place of a day without cost', () => {
    expect(bars.groups).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  });

  it('stacks the periods first, over all sites, then fixed charge and VAT; the credit lies below zero', () => {
    expect(bars.series.map(({ name }) => name)).toEqual(['Day', 'Night', 'Fixed', 'VAT', 'Credit']);
    expect(bars.series[0]?.values).toEqual([5, null, 4]);
    expect(bars.series.at(-1)?.values).toEqual([-0.5, null, null]);
  });

  it('has nothing to draw where there is no tariff', () => {
    expect(costBars([line({ kind: 'unpriced', currency: null, cost: null })], 'EUR', names)).toEqual({
      groups: [],
      series: [],
    });
  });

  it('a fixed charge that rounds to nothing is still one; VAT of nothing is none', () => {
    const early = [fixed('2026-03-01', 0.001, 0), vat('2026-03-01', 0)];
    expect(costBars(early, 'EUR', names).series).toEqual([]);
    expect(isCharged(early, 'EUR')).toBe(true);
    expect(isCharged(early, 'CHF')).toBe(false);
    expect(isCharged([vat('2026-03-01', 0)], 'EUR')).toBe(false);
    expect(isCharged([line({ cost: 0 })], 'EUR')).toBe(true);
  });

  it('is by month where the range is longer than about 92 days', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(costGroupOf(presetRange('this-month', 'UTC', now), 'UTC')).toBe('day');
    expect(costGroupOf(presetRange('this-year', 'UTC', now), 'UTC')).toBe('month');
    // July to September plus the additional autumn hour is no more than three months.
    const quarter = { fromMs: Date.parse('2026-08-31T22:00:00Z'), toMs: Date.parse('2026-11-30T23:00:00Z') };
    expect(costGroupOf(quarter, 'Europe/Berlin')).toBe('day');
  });

  it('names the default rate in the language of the page, and a period as its owner did', () => {
    expect(costLineName(line({ name: 'Default' }), names)).toBe('Default rate');
    expect(costLineName(line({ name: 'Peak' }), names)).toBe('Peak');
    expect(costLineName(line({ kind: 'vat', name: 'VAT' }), names)).toBe('VAT');
  });
});

describe('the explanation of a total', () => {
  const lines = [
    vat(null, 2.66),
    fixed(null, 45, 10),
    line({ name: 'Night', ratePerKwh: 0.1, energyKwh: 10, cost: 1 }),
    line({ cost: 3 }),
    line({ kind: 'unpriced', tariffId: null, tariffName: null, currency: null, name: 'Unpriced', cost: null }),
    line({ siteId: 's0', siteName: 'Annex', cost: 5 }),
  ];
  const months = [fixed('2026-04', 15, 3.33), fixed('2026-03', 30, 6.67), vat('2026-03', 1)];
  const tariffs = new Map([
    ['t1', { fixedChargePerMonth: 6.67, effectiveFrom: '2026-01-01', effectiveTo: '2026-07-01' }],
  ]);
  const compare = (a: string, b: string) => a.localeCompare(b);
  const sites = explain(lines, months, tariffs, compare);
  const north = sites[1]?.tariffs ?? [];

  it('lists sites by name, and energy without a tariff last', () => {
    expect(sites.map(({ siteName }) => siteName)).toEqual(['Annex', 'North']);
    expect(north.map(({ tariffId }) => tariffId)).toEqual(['t1', null]);
  });

  it('lists the lines as a bill does: the dearest rate first, then fixed charge and VAT', () => {
    expect(north[0]?.lines.map(({ name }) => name)).toEqual(['Day', 'Night', 'Fixed charge', 'VAT']);
  });

  it('adds up to the sum of the lines, and says what VAT is a share of', () => {
    expect(north[0]?.sum).toBeCloseTo(16.66, 9);
    expect(north[0]?.beforeVat).toBeCloseTo(14, 9);
    expect(Math.round(14 * 19) / 100).toBe(2.66);
  });

  it('gives the days of each month, without which a monthly charge cannot be recomputed', () => {
    expect(north[0]?.fixedDays).toEqual([
      { month: '2026-03', days: 30 },
      { month: '2026-04', days: 15 },
    ]);
    expect([daysInMonth('2026-02'), daysInMonth('2028-02'), daysInMonth('2026-12')]).toEqual([28, 29, 31]);
  });

  it('orders versions of a tariff by the time they hold, not by name or energy', () => {
    const versions = new Map([
      ['new', { fixedChargePerMonth: 0, effectiveFrom: '2026-07-01', effectiveTo: null }],
      ['old', { fixedChargePerMonth: 0, effectiveFrom: '2025-07-01', effectiveTo: '2026-07-01' }],
    ]);
    const both = [line({ tariffId: 'new' }), line({ tariffId: 'old' })];
    const [site] = explain(both, [], versions, compare);
    expect(site?.tariffs.map(({ tariffId }) => tariffId)).toEqual(['old', 'new']);
    expect(site?.tariffs.map(({ details }) => details && lastDayMs(details))).toEqual([Date.UTC(2026, 5, 30), null]);
  });
});

describe('an amount that is not its shown quantity times its price', () => {
  const tariff = (values: Partial<ExplainedTariff>): ExplainedTariff => ({
    tariffId: 't1',
    tariffName: 'Grid',
    currency: 'EUR',
    details: { fixedChargePerMonth: 10, effectiveFrom: '2026-01-01', effectiveTo: null },
    lines: [],
    beforeVat: 0,
    sum: 0,
    fixedDays: [],
    ...values,
  });

  it('says by how much rounding moved it, and nothing where it did not', () => {
    expect(roundingOf(line({ energyKwh: 10, ratePerKwh: 0.3, cost: 3 }), tariff({}))).toBe(0);
    expect(roundingOf(line({ energyKwh: 10, ratePerKwh: 0.3, cost: 3.01 }), tariff({}))).toBeCloseTo(0.01, 9);
    expect(roundingOf(line({ kind: 'export', energyKwh: 10, ratePerKwh: 0.08, cost: -0.8 }), tariff({}))).toBe(0);
    expect(roundingOf(line({ kind: 'unpriced', currency: null, cost: null }), tariff({}))).toBe(0);
  });

  it('takes VAT of the other lines and a fixed charge of the days of each month', () => {
    expect(roundingOf(vat(null, 2.66), tariff({ beforeVat: 14 }))).toBe(0);
    expect(roundingOf(vat(null, 2.67), tariff({ beforeVat: 14 }))).toBeCloseTo(0.01, 9);
    const fixedDays = [
      { month: '2026-02', days: 14 },
      { month: '2026-03', days: 15.5 },
    ];
    expect(roundingOf(fixed(null, 29.5, 10), tariff({ fixedDays }))).toBe(0);
    expect(allFixedDays({ fixedDays })).toBe(29.5);
  });

  it('halves go away from zero, also those that floats miss, and a currency without cents has none', () => {
    expect(roundingOf(line({ energyKwh: 0.5, ratePerKwh: 2.01, cost: 1.01 }), tariff({}))).toBe(0);
    expect(roundingOf(line({ energyKwh: 3, ratePerKwh: 30.5, cost: 92, currency: 'JPY' }), tariff({}))).toBe(0);
  });

  it('shows as many digits of the energy as give the same amount, at least watt-hours', () => {
    expect(energyDigits(10, 0.3, 'EUR')).toBe(3);
    // 0.0496 × 0.1 is less than half a cent; 0.050 × 0.1 is half a cent, which rounds to one.
    expect(energyDigits(0.0496, 0.1, 'EUR')).toBe(4);
  });
});
