import { describe, expect, it } from 'vitest';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { presetRange, resolveTimeRange } from '../../../lib/time-range.ts';
import { toLocalText } from '../../../../../shared/time.ts';
import { costLineOf as line, deviceOf } from '../test-figures.ts';
import { reportedParts } from './report-query.ts';
import { changedTariffs, deviceShares, largestSites, reportedCosts } from './report-data.ts';
import { energyBars } from '../../../../../shared/charts/bars.ts';
import { choices, lastMonth, monthOf, readReportSearch, reportedSearch, reportOf, shiftMonth } from './search.ts';

const vat = { kind: 'vat', name: 'VAT', ratePerKwh: null, energyKwh: null } as const;

describe('a month that runs', () => {
  const zone = 'Europe/Berlin';
  const march = resolveTimeRange(reportedSearch({}, '2026-03'), zone, 0);
  const parts = (now: string, arrived: string) => {
    const found = reportedParts(march, zone, Date.parse(now), Date.parse(arrived));
    return (
      found && {
        ends: [found.own, ...found.others].map(({ part }) => toLocalText(part.toMs, zone)),
        states: [found.isWhole, found.isEmpty],
      }
    );
  };

  it('is reported, and set beside the month before and that of the year before, as far as all devices have sent', () => {
    expect(parts('2026-03-10T12:00:00Z', '2026-03-10T11:45:00Z')).toEqual({
      ends: ['2026-03-10T12:45', '2026-02-10T12:45', '2025-03-10T12:45'],
      states: [false, false],
    });
  });

  it('and has just ended is not whole before the readings of its last minutes have come', () => {
    expect(parts('2026-03-31T22:10:00Z', '2026-03-31T21:45:00Z')).toEqual({
      ends: ['2026-03-31T23:45', '2026-03-01T00:00', '2025-03-31T23:45'],
      states: [false, false],
    });
    expect(parts('2026-03-31T22:30:00Z', '2026-03-31T22:00:00Z')).toEqual({
      ends: ['2026-04-01T00:00', '2026-03-01T00:00', '2025-04-01T00:00'],
      states: [true, false],
    });
  });

  it('of which nothing has come yet reaches until now, and says that there is nothing to compare', () => {
    expect(parts('2026-02-28T23:10:00Z', '2026-02-28T22:45:00Z')).toEqual({
      ends: ['2026-03-01T00:10', '2026-02-01T00:10', '2025-03-01T00:10'],
      states: [false, true],
    });
    expect(parts('2026-02-28T22:59:00Z', '2026-02-28T22:59:00Z')).toBeNull();
  });
});

describe('the address of a report', () => {
  it.each([
    [{ month: '2026-03' }, { month: '2026-03' }],
    [{ month: '2026' }, { month: 2026 }],
    [{ month: 2026 }, { month: 2026 }],
    [{ month: '2026-13' }, { month: 'unknown' }],
    [{ month: '1999-12' }, { month: 'unknown' }],
    [{ month: '2026-03-01' }, { month: 'unknown' }],
    [{ month: ['2026-03', '2026-04'] }, { month: 'unknown' }],
    [{ lang: 'xx', tz: 'Mars/Olympus', sites: '' }, {}],
    [
      { lang: 'de', tz: 'Asia/Kathmandu' },
      { lang: 'de', tz: 'Asia/Kathmandu' },
    ],
  ])('%j is read as %j', (search, read) => expect(readReportSearch(search)).toEqual(read));

  it('means whole months and years of the zone, also those in which clocks change', () => {
    const hours = (month: string, tz: string) => {
      const { fromMs, toMs } = resolveTimeRange(reportedSearch({ tz }, month), tz, 0);
      return (toMs - fromMs) / 3_600_000;
    };
    expect(hours('2026-03', 'Europe/Berlin')).toBe(31 * 24 - 1);
    expect(hours('2026-10', 'Europe/Berlin')).toBe(31 * 24 + 1);
    expect(hours('2026-04', 'Australia/Lord_Howe')).toBe(30 * 24 + 0.5);
    expect(hours('2024-02', 'Asia/Kathmandu')).toBe(29 * 24);
    expect(hours('2026', 'Europe/Berlin')).toBe(365 * 24);
  });

  it('without a month is the last that is over, by the clock of the zone', () => {
    const newYear = Date.parse('2026-01-01T00:30:00Z');
    expect(lastMonth('Europe/Berlin', newYear)).toBe('2025-12');
    expect(lastMonth('America/New_York', newYear)).toBe('2025-11');
    expect(monthOf({ month: 'unknown' }, 'Europe/Berlin', newYear)).toBe('2025-12');
    expect(monthOf({ month: 2024 }, 'Europe/Berlin', newYear)).toBe('2024');
  });

  it('comes from the range of the Overview: its month or year, but no part of a month that runs on', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    const of = (preset: Parameters<typeof presetRange>[0]) => reportOf(presetRange(preset, 'UTC', now), 'UTC', now);
    expect(of('today')).toEqual({});
    expect(of('this-month')).toEqual({ month: '2026-03' });
    expect(of('last-year')).toEqual({ month: 2025 });
    expect(of('last30d')).toEqual({ month: '2026-02' });
  });

  it('goes from month to month and from year to year, and has what was chosen in its list', () => {
    expect([shiftMonth('2026-01', -1), shiftMonth('2025-12', 1), shiftMonth('2026', 1)]).toEqual([
      '2025-12',
      '2026-01',
      '2027',
    ]);
    const { months, years } = choices('2019-05', 'UTC', Date.parse('2026-03-10T12:00:00Z'));
    expect([months[0], months.at(-1), years[0], years.length]).toEqual(['2026-03', '2019-05', '2026', 5]);
  });
});

describe('the costs of a report', () => {
  const lines = [
    line({}),
    line({ siteId: 's2', cost: 2, energyKwh: 6.667 }),
    line({ siteId: 's2', name: 'Day', ratePerKwh: 0.25, cost: 1, energyKwh: 4 }),
    line({ kind: 'fixedCharge', name: 'Fixed charge', ratePerKwh: null, energyKwh: null, days: 31, cost: 12.5 }),
    line({ ...vat, vatPercent: 19, cost: 3.52 }),
    line({ ...vat, siteId: 's2', vatPercent: 7, cost: 0.1 }),
    line({ currency: 'CHF', siteId: 's3', cost: 9 }),
    line({ kind: 'unpriced', currency: null, tariffId: null, name: 'Unpriced', ratePerKwh: null, cost: null }),
  ];
  const costOf = (currency: string, total: number) => ({ currency, energyCost: 0, fixedCharge: 0, vat: 0, total });
  const [euro, franc] = reportedCosts({ costs: [costOf('EUR', 22.12), costOf('CHF', 9)], lines });

  it('have the lines of one name and price of all sites together, and no currency with another', () => {
    expect(euro?.lines.map(({ name, ratePerKwh, vatPercent, cost }) => [name, ratePerKwh, vatPercent, cost])).toEqual([
      ['Day', 0.3, null, 5],
      ['Day', 0.25, null, 1],
      ['Fixed charge', null, null, 12.5],
      ['VAT', null, 19, 3.52],
      ['VAT', null, 7, 0.1],
    ]);
    expect(franc?.lines.map(({ cost }) => cost)).toEqual([9]);
  });

  it('add up to the total of the portal', () => {
    for (const cost of [euro, franc]) {
      expect(cost?.lines.reduce((sum, one) => sum + one.cost, 0)).toBeCloseTo(cost?.total ?? NaN, 9);
    }
  });

  it('say at which sites the tariff changed', () => {
    expect(changedTariffs([...lines, line({ tariffId: 't2', tariffName: 'Grid 2026' })])).toEqual([
      { siteName: 'North', tariffs: ['Grid', 'Grid 2026'] },
    ]);
  });
});

describe('the energy of a report', () => {
  const curve = (values: (number | null)[]) => ({
    bucket: 'day' as const,
    times: values.map(() => '2026-01-01T00:00:00Z'),
    series: [{ id: 'total', name: 'Total', averagePowerKw: values, energyImportedKwh: values }],
  });

  it('stands at the dates of the sites, and a day without readings keeps its place', () => {
    expect(energyBars(curve([1, null, 3]), '2026-02-27', false, 'Energy')).toEqual({
      groups: ['2026-02-27', '2026-02-28', '2026-03-01'],
      series: [{ id: 'energy', name: 'Energy', values: [1, null, 3] }],
    });
  });

  it('of a year is that of its months', () => {
    expect(energyBars(curve([1, null, 3]), '2026-02-27', true, 'Energy')).toMatchObject({
      groups: ['2026-02', '2026-03'],
      series: [{ values: [1, 3] }],
    });
    expect(energyBars(curve([]), '2026-01-01', true, 'Energy').groups).toEqual([]);
  });

  const device = (deviceId: string, energyImportedKwh: number, countedIn: string | null = null) =>
    deviceOf({ deviceId, energyImportedKwh, countedIn });
  const summaryOf = (devices: DashboardSummary['devices']) => ({ devices, energyImportedKwh: 100 });

  it('is shared by the devices: what adds up is the whole, and sub-meters stand below the meter they are in', () => {
    const devices = [device('a', 30), device('part', 20, 'main'), device('main', 70), device('deep', 5, 'part')];
    const { shown, others } = deviceShares(summaryOf(devices), 10);
    expect(shown.map((one) => [one.device.deviceId, one.share])).toEqual([
      ['main', 0.7],
      ['part', 0.2],
      ['deep', 0.05],
      ['a', 0.3],
    ]);
    expect(others).toBeNull();
  });

  it('of main meters has a row before any of a sub-meter, of which the largest follow', () => {
    const parts = Array.from({ length: 30 }, (_, at) => device(`part ${at}`, at, 'main'));
    const mains = Array.from({ length: 10 }, (_, at) => device(`small ${at}`, 1));
    const { shown, others, otherSubMeters } = deviceShares(summaryOf([...parts, device('main', 90), ...mains]), 13);
    expect(shown.map((one) => one.device.deviceId)).toEqual([
      'main',
      'part 29',
      'part 28',
      ...mains.map(({ deviceId }) => deviceId),
    ]);
    expect(others).toBeNull();
    expect(otherSubMeters).toBe(28);
  });

  it('of the devices that are not listed stands in one line, and the sub-meters, whose energy is in their meters, are told apart', () => {
    const devices = [
      device('a', 60),
      device('b', 30),
      device('c', 10),
      device('part', 10, 'b'),
      device('deep', 5, 'part'),
    ];
    expect(deviceShares(summaryOf(devices), 1)).toMatchObject({
      others: { count: 2, energyKwh: 40, share: 0.4 },
      otherSubMeters: 2,
    });
    expect(deviceShares(summaryOf(devices), 4)).toMatchObject({ others: null, otherSubMeters: 1 });
    expect(deviceShares({ devices, energyImportedKwh: 0 }, 1).others?.share).toBeNull();
  });
});

it('of many sites those that took least are told together, in each currency', () => {
  const cost = (currency: string, total: number) => ({
    currency,
    energyCost: total - 2,
    fixedCharge: 1,
    vat: 1,
    total,
  });
  const site = (siteId: string, energyImportedKwh: number, costs: ReturnType<typeof cost>[]) => ({
    siteId,
    siteName: siteId,
    energyImportedKwh,
    energyExportedKwh: 0,
    costs,
  });
  const sites = [
    site('a', 1, [cost('EUR', 10)]),
    site('b', 9, [cost('EUR', 90)]),
    site('c', 2, [cost('EUR', 20), cost('CHF', 5)]),
    site('d', 3, []),
  ];
  const { shown, others } = largestSites(sites, 1);
  expect(shown.map(({ site }) => site.siteId)).toEqual(['b']);
  expect(others).toEqual([
    { count: 1, energyKwh: 3, cost: null },
    { count: 2, energyKwh: 3, cost: { currency: 'EUR', energyCost: 26, fixedCharge: 2, vat: 2, total: 30 } },
    { count: 1, energyKwh: null, cost: cost('CHF', 5) },
  ]);
  expect(largestSites(sites, 4).others).toEqual([]);
});
