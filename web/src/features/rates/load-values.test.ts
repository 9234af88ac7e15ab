import { describe, expect, it } from 'vitest';
import {
  dayRangeProblem,
  devicesOf,
  pastRange,
  simulationRequest,
  thisMonth,
  compareCosts,
  mergedLines,
} from './load-values.ts';

describe('the days of a calculation', () => {
  it('must be two dates, in order, and at most ten years', () => {
    expect(dayRangeProblem({ firstDay: '2026-03-01', lastDay: '2026-03-01' })).toBeNull();
    expect(dayRangeProblem({ firstDay: '', lastDay: '2026-03-01' })).toBe('dateMissing');
    expect(dayRangeProblem({ firstDay: '2026-03-02', lastDay: '2026-03-01' })).toBe('lastDayInvalid');
    expect(dayRangeProblem({ firstDay: '2016-01-01', lastDay: '2025-12-31' })).toBeNull();
    expect(dayRangeProblem({ firstDay: '2015-01-01', lastDay: '2025-12-31' })).toBe('tooLong');
  });

  it('are offered as whole past months, or as this year', () => {
    expect(pastRange('lastMonth', '2026-01-15')).toEqual({ firstDay: '2025-12-01', lastDay: '2025-12-31' });
    expect(pastRange('lastTwelveMonths', '2026-03-31')).toEqual({ firstDay: '2025-03-01', lastDay: '2026-02-28' });
    expect(pastRange('thisYear', '2026-03-31')).toEqual({ firstDay: '2026-01-01', lastDay: '2026-03-31' });
    expect(thisMonth('2024-02-10')).toEqual({ firstDay: '2024-02-01', lastDay: '2024-02-29' });
  });

  it('are sent as instants of the zone, the last one included', () => {
    const tariff = {
      currency: 'EUR',
      defaultRatePerKwh: 0.3,
      fixedChargePerMonth: 0,
      vatPercent: 0,
      exportRatePerKwh: null,
      periods: [],
    };
    const days = { firstDay: '2026-03-28', lastDay: '2026-03-29' };
    const load = { kind: 'devices', deviceIds: null } as const;
    // Clocks in Berlin are set forward on 29 March 2026: the two days have 47 hours.
    expect(simulationRequest(tariff, 'Europe/Berlin', days, load)).toEqual({
      tariff,
      timeZone: 'Europe/Berlin',
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
      load,
    });
  });
});

describe('the meters that are suggested first', () => {
  const site = (id: string, municipalityId: string) => ({
    id,
    name: id,
    municipalityId,
    municipalityName: municipalityId,
    timeZone: 'Europe/Berlin',
    deviceCount: 1,
  });
  const device = (id: string, siteId: string) => ({
    id,
    name: id,
    externalId: id,
    isActive: true,
    siteId,
    siteName: siteId,
    parentDeviceId: null,
    endUse: null,
    expectedIntervalSeconds: null,
  });
  const sites = [site('s', 'berlin'), site('t', 'boston'), site('u', 'berlin')];
  const devices = [device('a', 's'), device('b', 't'), device('c', 'u')];

  it('are those at the sites of its municipality', () => {
    expect(devicesOf('berlin', sites, devices)).toBe('a,c');
    expect(devicesOf('boston', sites, devices)).toBe('b');
  });

  it('are all meters if the municipality has none, or all of them', () => {
    expect(devicesOf('pune', sites, devices)).toBe('all');
    expect(devicesOf('berlin', sites, [device('a', 's')])).toBe('all');
  });
});

const cost = (currency: string, total: number) => ({ currency, energyCost: total, fixedCharge: 0, vat: 0, total });

describe('the cost of a load beside its actual cost', () => {
  it('differs by an amount and a share of its actual cost', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [cost('EUR', 120)] })).toEqual({
      kind: 'compared',
      actual: 120,
      difference: -30,
      share: -0.25,
    });
  });

  it('differs by cents, not by floating-point noise', () => {
    expect(compareCosts({ currency: 'EUR', total: 0.3 }, { costs: [cost('EUR', 0.1)] })).toMatchObject({
      difference: 0.2,
    });
    const same = compareCosts({ currency: 'EUR', total: 0.1 + 0.2 }, { costs: [cost('EUR', 0.3)] });
    expect(same).toMatchObject({ difference: 0, share: 0 });
  });

  it('has no share of zero, and for a credit the sign shows whether it becomes more expensive', () => {
    expect(compareCosts({ currency: 'EUR', total: 5 }, { costs: [cost('EUR', 0)] })).toMatchObject({ share: null });
    expect(compareCosts({ currency: 'EUR', total: -10 }, { costs: [cost('EUR', -20)] })).toMatchObject({
      difference: 10,
      share: 0.5,
    });
  });

  it('is never compared across two currencies, even if one of them is that of the tariff', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [cost('USD', 120)] })).toEqual({
      kind: 'otherCurrency',
    });
    const both = { costs: [cost('EUR', 50), cost('USD', 70)] };
    expect(compareCosts({ currency: 'EUR', total: 90 }, both)).toEqual({ kind: 'otherCurrency' });
  });

  it('is not compared if nothing is priced today', () => {
    expect(compareCosts({ currency: 'EUR', total: 90 }, { costs: [] })).toEqual({ kind: 'nothingPriced' });
  });
});

it('periods with the same name and rate are one line; another rate or name is another', () => {
  const line = (name: string, ratePerKwh: number, energyKwh: number, cost: number) => ({
    name,
    ratePerKwh,
    energyKwh,
    cost,
    currency: 'EUR',
  });
  const lines = [
    line('Default', 0.3, 64, 19.2),
    line('Peak', 0.4, 10, 4),
    line('Peak', 0.4, 5, 2),
    line('Peak', 0.5, 2, 1),
  ];
  expect(mergedLines(lines)).toEqual([
    line('Default', 0.3, 64, 19.2),
    line('Peak', 0.4, 15, 6),
    line('Peak', 0.5, 2, 1),
  ]);
});
