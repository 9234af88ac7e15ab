import { describe, expect, it } from 'vitest';
import { dayRangeProblem, devicesOf, pastRange, simulationRequest, thisMonth } from './load-values.ts';

describe('the days of a calculation', () => {
  it('must be two dates, in their order, and at most ten years', () => {
    expect(dayRangeProblem({ firstDay: '2026-03-01', lastDay: '2026-03-01' })).toBeNull();
    expect(dayRangeProblem({ firstDay: '', lastDay: '2026-03-01' })).toBe('dateMissing');
    expect(dayRangeProblem({ firstDay: '2026-03-02', lastDay: '2026-03-01' })).toBe('lastDayInvalid');
    expect(dayRangeProblem({ firstDay: '2016-01-01', lastDay: '2025-12-31' })).toBeNull();
    expect(dayRangeProblem({ firstDay: '2015-01-01', lastDay: '2025-12-31' })).toBe('tooLong');
  });

  it('are offered as whole months that are over, or as this year', () => {
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

describe('the meters that a tariff is tried on first', () => {
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

  it('are all where it has none, or all of them', () => {
    expect(devicesOf('pune', sites, devices)).toBe('all');
    expect(devicesOf('berlin', sites, [device('a', 's')])).toBe('all');
  });
});
