import fc from 'fast-check';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dashboardSpec,
  heatmapAnswer,
  querySpec,
  seriesAnswer,
  toolCustomers,
  toolDevices,
  toolSites,
  totalsAnswer,
} from '../../shared/dashboard-tool.ts';
import { showsTotals } from '../../shared/dashboard-panels.ts';
import { provisionedFor } from '../../dashboards/server/provisioned/provisioned.ts';
import { device } from '../../shared/sites.ts';
import { customerDetail } from '../../shared/fleet.ts';
import { countStates, deviceState, fleetDeviceState, siteState } from '../../shared/states.rules.ts';
import { costBreakdown, dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { bucketedRow } from '../../shared/measurements.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { answerOf, openTestTool, somebody, type TestTool, viewer } from '../support/dashboard-tool.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';

const heatmapSpec = querySpec.pick({ measure: true, split: true, sites: true, devices: true, customers: true }).strip();
const now = () => Date.parse('2026-03-29T21:30:00Z');
const start = Date.parse('2026-03-25T00:00:00Z') * 1000;
/** In Berlin clocks go forward on its last day; both ends cut a quarter-hour. */
const range = { from: '2026-03-25T00:07:00Z', to: '2026-03-29T20:05:00Z' };
const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/St_Johns'];
const inYen = { currency: 'JPY', defaultRatePerKwh: 25.37, exportRatePerKwh: null };

let client: TestApp;
let tool: TestTool;
let fleet: TestApp;
let fleetTool: TestTool;
let headers: { cookie: string };
const sites: string[] = [];
const devices: string[] = [];
const customers: string[] = [];
/** Sees the second customer only. */
let restricted = { ...viewer };

beforeAll(async () => {
  const options = { now, environment: { Application__TimeZone: 'Europe/Berlin' } };
  [client, fleet] = await Promise.all([createTestApp(options), createAdminApp(options)]);
  headers = await client.signIn();
  const session = { app: client.app, headers };
  for (const [at, timeZone] of zones.entries()) {
    const site = await createSite(session, { name: `Site ${at}`, timeZone });
    sites.push(site);
    // The last one has no tariff: its energy has no price.
    if (at < 2) await createTariff(session, site, at === 0 ? {} : inYen);
  }
  const readings = fc.sample(hostileReadingsFrom(start), { numRuns: 9, seed: 11 });
  for (const [at, rules] of fc.sample(anyRules, { numRuns: readings.length, seed: 12 }).entries()) {
    const externalId = `meter ${at}`;
    devices.push(
      await createDevice(session, sites[at % sites.length] ?? '', { externalId, ...rules, isActive: at !== 4 }),
    );
    const rows = (readings[at] ?? []).map((reading, row) => ({
      externalId,
      time: new Date(reading.timeMicros / 1000).toISOString(),
      activePowerKw: reading.activePowerKw,
      reactivePowerKvar: row % 3 === 0 ? null : row / 7,
      voltageV: 228 + ((row * 7) % 11) / 4,
      frequencyHz: row % 2 === 0 ? null : 49.9 + row / 10_000,
      energyImportedKwh: reading.importedKwh,
      energyExportedKwh: reading.exportedKwh,
    }));
    if (rows.length > 0) await post(session, '/api/ingest/measurements', rows);
  }
  // Ten minutes apart, so that no energy is spread over a gap.
  for (const at of [9, 10]) {
    const externalId = `meter ${at}`;
    devices.push(await createDevice(session, sites[at % sites.length] ?? '', { externalId }));
    const rows = Array.from({ length: 600 }, (_, row) => ({
      externalId,
      time: new Date(start / 1000 + row * 600_000).toISOString(),
      activePowerKw: 5 + ((row * 13) % 37) / at,
      reactivePowerKvar: row % 5,
      voltageV: 231,
    }));
    await post(session, '/api/ingest/measurements', rows);
  }
  tool = await openTestTool(client, { now });
  for (const code of ['first', 'second']) {
    const { id } = await createCustomer(fleet, code);
    customers.push(id);
    await copyToFleet(client, fleet, id, '2026-03-29T20:10:00Z');
  }
  const { id: user } = await createUser(fleet, { email: 'north@example.com', roles: ['RestrictedAdmin'] });
  const assigned = await fleet.app.inject({
    method: 'PUT',
    url: `/api/users/${user}/customers`,
    headers: await fleet.signIn(),
    payload: { customerIds: [customers[1]] },
  });
  expect(assigned.statusCode, assigned.body).toBe(200);
  restricted = { ...viewer, user, role: 'RestrictedAdmin' };
  fleetTool = await openTestTool(fleet, { now });
});
afterAll(async () => {
  await tool[Symbol.asyncDispose]();
  await fleetTool[Symbol.asyncDispose]();
  await client.close();
  await fleet.close();
});

const portal = async (path: string, query: Record<string, string>) => {
  const answer = await client.app.inject({ url: path, query, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const summaryOf = async (query: Record<string, string> = range) =>
  dashboardSummary.parse(await portal('/api/dashboard/summary', query));
const asked = (path: string, payload: object, { of = tool, as = somebody } = {}) =>
  answerOf(of, path, 'fromDate' in payload ? payload : { ...range, ...payload }, as);
const totals = async (payload: object, where = {}) => totalsAnswer.parse(await asked('totals', payload, where)).totals;
const series = async (payload: object, where = {}) => seriesAnswer.parse(await asked('query', payload, where));
const valuesBy = (label: string, all: Awaited<ReturnType<typeof totals>>) =>
  Object.fromEntries(all.map(({ labels, unit, value }) => [`${labels[label]} ${unit}`, value]));
const close = (value: number | null) => (value === null ? null : expect.closeTo(value, 9));

describe('Totals are the numbers of the summary page', () => {
  test('cost, to the cent: total, by site, by device and by tariff period, one value for each currency', async () => {
    const summary = await summaryOf();
    expect(summary.costs.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
    expect(await totals({ measure: 'cost' })).toEqual(
      summary.costs.map(({ currency, total }) => ({
        name: 'Total',
        unit: currency,
        labels: { currency },
        value: total,
        at: null,
      })),
    );
    expect(valuesBy('siteId', await totals({ measure: 'cost', split: 'site' }))).toEqual(
      Object.fromEntries(
        summary.sites.flatMap(({ siteId, costs }) =>
          costs.map(({ currency, total }) => [`${siteId} ${currency}`, total]),
        ),
      ),
    );
    expect(valuesBy('deviceId', await totals({ measure: 'cost', split: 'device' }))).toEqual(
      Object.fromEntries(
        summary.devices.flatMap(({ deviceId, costs }) =>
          costs.map(({ currency, energyCost }) => [`${deviceId} ${currency}`, energyCost]),
        ),
      ),
    );
    const byPeriod = await totals({ measure: 'cost', split: 'period' });
    const ofPeriods = Object.fromEntries(
      summary.periods.map(({ name, currency, cost }) => [`${name} ${currency}`, cost]),
    );
    expect(valuesBy('period', byPeriod)).toMatchObject(ofPeriods);
    for (const { currency, total } of summary.costs) {
      const own = byPeriod.filter(({ unit }) => unit === currency).map(({ value }) => value ?? 0);
      expect(own.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 9);
    }
  });

  test('energy, average power and peak demand: of all, by site and by device', async () => {
    const summary = await summaryOf();
    expect(await totals({ measure: 'energy' })).toMatchObject([{ unit: 'kWh', value: summary.energyImportedKwh }]);
    expect(await totals({ measure: 'power' })).toMatchObject([{ unit: 'kW', value: summary.averagePowerKw }]);
    expect(await totals({ measure: 'demand' })).toMatchObject([{ value: summary.peakPowerKw, at: summary.peakAt }]);
    const [power, demand] = [
      await totals({ measure: 'power', split: 'site' }),
      await totals({ measure: 'demand', split: 'site' }),
    ];
    for (const siteId of sites) {
      const deviceIds = summary.devices.filter((one) => one.siteId === siteId).map((one) => one.deviceId);
      const own = await summaryOf({ ...range, deviceIds: deviceIds.join(',') });
      expect(power.find(({ labels }) => labels['siteId'] === siteId)).toMatchObject({ value: own.averagePowerKw });
      expect(demand.find(({ labels }) => labels['siteId'] === siteId)).toMatchObject({
        value: own.peakPowerKw,
        at: own.peakAt,
      });
    }
    for (const [measure, field] of [
      ['energy', 'energyImportedKwh'],
      ['power', 'averagePowerKw'],
      ['demand', 'peakPowerKw'],
    ] as const) {
      const byDevice = await totals({ measure, split: 'device' });
      expect(byDevice.map(({ labels, value }) => [labels['deviceId'], value])).toEqual(
        summary.devices.map((device) => [device.deviceId, device[field]]),
      );
    }
    const byPeriod = await totals({ measure: 'energy', split: 'period' });
    expect(byPeriod.map(({ name }) => name).toSorted()).toEqual(['Default', 'Night', 'Unpriced']);
    expect(byPeriod.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBeCloseTo(summary.energyImportedKwh, 6);
  });

  test('the power factor is that of the sums of P and Q', async () => {
    const { averagePowerFactor } = await summaryOf();
    expect(await totals({ measure: 'powerFactor' })).toMatchObject([{ unit: '1', value: close(averagePowerFactor) }]);
  });
});

describe('Series are those of the load curve and of the cost breakdown', () => {
  test.each([
    [3600, 'hour'],
    [900, '15min'],
    [300, '5min'],
    [86_400, 'day'],
  ] as const)('power and energy in steps of %d s', async (step, bucket) => {
    for (const [split, groupBy] of [
      ['none', 'total'],
      ['site', 'site'],
      ['device', 'device'],
    ] as const) {
      const curve = loadCurve.parse(await portal('/api/dashboard/load-curve', { ...range, bucket, groupBy }));
      const times = curve.times.map((time) => Date.parse(time));
      for (const [measure, field] of [
        ['power', 'averagePowerKw'],
        ['energy', 'energyImportedKwh'],
      ] as const) {
        const found = await series({ measure, split, step });
        expect(found.bucket).toBe(bucket);
        expect(found.series.map(({ points }) => points)).toEqual(
          curve.series.map((one) => one[field].map((value, at) => [times[at], value])),
        );
      }
    }
  });

  test('voltage, frequency and power factor of a device are those of its page', async () => {
    for (const deviceId of [...devices.slice(0, 3), ...devices.slice(9)]) {
      const rows = bucketedRow
        .array()
        .parse(await portal('/api/measurements', { ...range, deviceId, bucket: 'hour' }))
        .filter(({ samples }) => samples > 0);
      const zone = zones[devices.indexOf(deviceId) % zones.length];
      for (const [measure, field] of [
        ['voltage', 'voltageV'],
        ['frequency', 'frequencyHz'],
        ['powerFactor', 'powerFactor'],
      ] as const) {
        const found = await series({ measure, split: 'device', step: 3600, devices: [deviceId] });
        expect(found.timeZone).toBe(zone);
        const known = (found.series[0]?.points ?? []).filter(([, value]) => value !== null);
        expect(known).toEqual(
          rows.filter((row) => row[field] !== null).map((row) => [Date.parse(row.time), row[field]]),
        );
      }
    }
  });

  test('the highest demand of all hours is the peak demand of the range', async () => {
    const { peakPowerKw } = await summaryOf();
    const found = await series({ measure: 'demand', step: 3600 });
    const values = (found.series[0]?.points ?? []).flatMap(([, value]) => value ?? []);
    expect(Math.max(...values)).toBeCloseTo(peakPowerKw ?? 0, 9);
  });

  test('cost by day, site and tariff period adds up to the lines of the cost breakdown, to the cent', async () => {
    const breakdown = costBreakdown.parse(await portal('/api/dashboard/cost-breakdown', { ...range, group: 'day' }));
    const bySite = await series({ measure: 'cost', split: 'site', step: 86_400 });
    expect(bySite).toMatchObject({ bucket: 'day', timeZone: 'Europe/Berlin' });
    for (const { labels, unit, points } of bySite.series) {
      const lines = breakdown.lines.filter((line) => line.siteId === labels['siteId'] && line.currency === unit);
      const days = Map.groupBy(lines, (line) => line.group ?? '');
      expect(points.filter(([, value]) => value !== null)).toEqual(
        [...days].map(([day, own]) => [
          Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin').epochMilliseconds,
          expect.closeTo(
            own.reduce((sum, line) => sum + (line.cost ?? 0), 0),
            6,
          ),
        ]),
      );
    }
    const byPeriod = await series({ measure: 'cost', split: 'period', step: 86_400 });
    for (const { currency, total } of breakdown.costs) {
      const own = byPeriod.series.filter(({ unit }) => unit === currency);
      expect(own.map(({ labels }) => labels['period'])).toEqual(expect.arrayContaining(['VAT', 'Fixed charge']));
      const sum = own.flatMap(({ points }) => points).reduce((all, [, value]) => all + (value ?? 0), 0);
      expect(sum).toBeCloseTo(total, 6);
    }
    // Energy by tariff period.
    const energy = await series({ measure: 'energy', split: 'period', step: 86_400 });
    const sum = energy.series.flatMap(({ points }) => points).reduce((all, [, value]) => all + (value ?? 0), 0);
    expect(sum).toBeCloseTo(breakdown.energyImportedKwh, 6);
  });

  test('cost by device over time is that of energy and export, and adds up to the summary, to the cent', async () => {
    for (const asked of [range, { fromDate: '2026-03-01', toDate: '2026-04-01' }]) {
      const summary = await summaryOf(asked);
      for (const step of [86_400, 2_592_000]) {
        const found = await series({ measure: 'cost', split: 'device', step, ...asked });
        const sums = found.series.map(({ labels, unit, points }) => [
          `${labels['deviceId']} ${unit}`,
          expect.closeTo(
            points.reduce((all, [, value]) => all + (value ?? 0), 0),
            6,
          ),
        ]);
        const costs = summary.devices.flatMap(({ deviceId, costs: own }) =>
          own.map(({ currency, energyCost }) => [`${deviceId} ${currency}`, energyCost]),
        );
        expect(Object.fromEntries(costs)).toEqual(Object.fromEntries(sums));
      }
    }
  });

  test('a month is one point, from its first local midnight on', async () => {
    const found = await series({ measure: 'energy', step: 2_592_000, sites: [sites[0]] });
    expect(found.bucket).toBe('month');
    expect(found.series[0]?.points.map(([time]) => new Date(time).toISOString())).toEqual(['2026-02-28T23:00:00.000Z']);
    const day = await series({ measure: 'energy', step: 86_400, sites: [sites[0]] });
    const sum = (day.series[0]?.points ?? []).reduce((all, [, value]) => all + (value ?? 0), 0);
    expect(found.series[0]?.points[0]?.[1]).toBeCloseTo(sum, 9);
  });
});

describe("Local dates are each site's own days, as on the portal's pages", () => {
  // A whole month with a clock change, and days for which each zone has readings in other hours.
  const calendars = [
    { fromDate: '2026-03-01', toDate: '2026-04-01' },
    { fromDate: '2026-03-26', toDate: '2026-03-30' },
    { fromDate: '2026-03-29', toDate: '2026-03-30' },
  ];

  test.each(calendars)('totals from $fromDate to $toDate are those of the summary, to the cent', async (dates) => {
    const summary = await summaryOf(dates);
    expect(valuesBy('currency', await totals({ measure: 'cost', ...dates }))).toEqual(
      Object.fromEntries(summary.costs.map(({ currency, total }) => [`${currency} ${currency}`, total])),
    );
    expect(valuesBy('siteId', await totals({ measure: 'cost', split: 'site', ...dates }))).toEqual(
      Object.fromEntries(
        summary.sites.flatMap(({ siteId, costs }) =>
          costs.map(({ currency, total }) => [`${siteId} ${currency}`, total]),
        ),
      ),
    );
    expect(await totals({ measure: 'energy', ...dates })).toMatchObject([{ value: summary.energyImportedKwh }]);
    expect(await totals({ measure: 'power', ...dates })).toMatchObject([{ value: summary.averagePowerKw }]);
    expect(await totals({ measure: 'demand', ...dates })).toMatchObject([
      { value: summary.peakPowerKw, at: summary.peakAt },
    ]);
    expect(await totals({ measure: 'powerFactor', ...dates })).toMatchObject([
      { value: close(summary.averagePowerFactor) },
    ]);
    for (const [measure, field] of [
      ['energy', 'energyImportedKwh'],
      ['demand', 'peakPowerKw'],
    ] as const) {
      const byDevice = await totals({ measure, split: 'device', ...dates });
      expect(byDevice.map(({ value }) => value)).toEqual(summary.devices.map((device) => device[field]));
    }
  });

  test('they are others than those of the same days by one clock', async () => {
    const [dates = {}] = calendars.slice(1);
    const instants = { from: '2026-03-25T23:00:00Z', to: '2026-03-29T22:00:00Z' };
    expect(await totals({ measure: 'cost', ...dates })).not.toEqual(await totals({ measure: 'cost', ...instants }));
  });

  test.each(calendars)('series from $fromDate to $toDate are those of the load curve', async (dates) => {
    for (const [bucket, step] of [
      ['day', 86_400],
      ['hour', 3600],
    ] as const) {
      for (const [split, groupBy] of [
        ['none', 'total'],
        ['site', 'site'],
        ['device', 'device'],
      ] as const) {
        const curve = loadCurve.parse(await portal('/api/dashboard/load-curve', { ...dates, bucket, groupBy }));
        const times = curve.times.map((time) => Date.parse(time));
        const found = await series({ measure: 'energy', split, step, ...dates });
        expect(found.series.map(({ points }) => points)).toEqual(
          curve.series.map(({ energyImportedKwh }) => energyImportedKwh.map((value, at) => [times[at], value])),
        );
      }
    }
  });

  test.each(calendars)('cost by day and by month adds up to the total of $fromDate to $toDate', async (dates) => {
    const summary = await summaryOf(dates);
    for (const [step, bucket] of [
      [86_400, 'day'],
      [2_592_000, 'month'],
    ] as const) {
      const found = await series({ measure: 'cost', step, ...dates });
      expect(found.bucket).toBe(bucket);
      for (const { currency, total } of summary.costs) {
        const own = found.series.find(({ unit }) => unit === currency);
        const first = Temporal.PlainDate.from(bucket === 'day' ? dates.fromDate : '2026-03-01');
        expect(own?.points[0]?.[0]).toBe(first.toZonedDateTime('Europe/Berlin').epochMilliseconds);
        expect(own?.points.length).toBe(
          bucket === 'month' ? 1 : first.until(Temporal.PlainDate.from(dates.toDate)).days,
        );
        const sum = (own?.points ?? []).reduce((all, [, value]) => all + (value ?? 0), 0);
        expect(sum).toBeCloseTo(total, 6);
      }
    }
  });

  test("the highest demand of a site's days, and of all days, is its peak; a month is one point", async () => {
    const dates = calendars[0];
    const summary = await summaryOf(dates);
    const highest = ({ points }: { points: readonly (readonly [number, number | null])[] }) =>
      Math.max(...points.map(([, value]) => value ?? 0));
    for (const step of [3600, 86_400, 2_592_000]) {
      const all = await series({ measure: 'demand', step, ...dates });
      expect(all.series.map(highest)).toEqual([summary.peakPowerKw]);
      const bySite = await series({ measure: 'demand', split: 'site', step, ...dates });
      const peaks = await totals({ measure: 'demand', split: 'site', ...dates });
      expect(bySite.series.map(highest)).toEqual(peaks.map(({ value }) => value));
    }
    const month = await series({ measure: 'energy', step: 2_592_000, ...dates });
    expect(month.series[0]?.points).toEqual([[Date.parse('2026-02-28T23:00:00Z'), close(summary.energyImportedKwh)]]);
  });

  test("a site's highest demand of a day is that of its own day", async () => {
    const dates = { fromDate: '2026-03-26', toDate: '2026-03-28' };
    const found = await series({ measure: 'demand', split: 'site', step: 86_400, ...dates });
    for (const { labels, points } of found.series) {
      const own: (number | null)[] = [];
      for (const [fromDate, toDate] of [
        ['2026-03-26', '2026-03-27'],
        ['2026-03-27', '2026-03-28'],
      ]) {
        const question = { measure: 'demand', sites: [labels['siteId']], fromDate, toDate };
        own.push(...(await totals(question)).map(({ value }) => value));
      }
      expect(points.map(([, value]) => value)).toEqual(own);
    }
  });

  test('the heatmap adds up to the energy of the days', async () => {
    const dates = { fromDate: '2026-03-28', toDate: '2026-03-30' };
    const found = heatmapAnswer.parse(await asked('heatmap', { measure: 'energy', sites: [sites[1]], ...dates }));
    expect(found).toMatchObject({ timeZone: 'Asia/Tokyo', days: [{ date: '2026-03-28' }, { date: '2026-03-29' }] });
    const sum = found.days.flatMap(({ values }) => values).reduce((all: number, value) => all + (value ?? 0), 0);
    const [total] = await totals({ measure: 'energy', sites: [sites[1]], ...dates });
    expect(sum).toBeCloseTo(total?.value ?? 0, 6);
  });

  test('voltage and frequency are averages of the days of each device', async () => {
    const dates = { fromDate: '2026-03-27', toDate: '2026-03-28' };
    for (const [at, zone] of zones.entries()) {
      const instantOf = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(zone).toInstant().toString();
      const instants = { from: instantOf(dates.fromDate), to: instantOf(dates.toDate) };
      for (const measure of ['voltage', 'frequency', 'powerFactor']) {
        const question = { measure, split: 'device', sites: [sites[at]] };
        expect(await totals({ ...question, ...dates })).toEqual(await totals({ ...question, ...instants }));
      }
      const together = await totals({ measure: 'voltage', split: 'site', ...dates });
      const own = await totals({ measure: 'voltage', split: 'site', sites: [sites[at]], ...instants });
      expect(together.find(({ labels }) => labels['siteId'] === sites[at])).toEqual(own[0]);
    }
  });
});

test('The heatmap has the hours of each local day; the hour that a spring day skips is unknown, and they add up to the total', async () => {
  const question = { measure: 'energy', sites: [sites[0]] };
  const found = heatmapAnswer.parse(await asked('heatmap', question));
  expect(found).toMatchObject({ unit: 'kWh', timeZone: 'Europe/Berlin' });
  expect(found.days.map(({ date }) => date)).toEqual([
    '2026-03-25',
    '2026-03-26',
    '2026-03-27',
    '2026-03-28',
    '2026-03-29',
  ]);
  expect(found.days[4]?.values[2]).toBeNull();
  const sum = found.days.flatMap(({ values }) => values).reduce((all: number, value) => all + (value ?? 0), 0);
  const [total] = await totals({ measure: 'energy', sites: [sites[0]] });
  expect(sum).toBeCloseTo(total?.value ?? 0, 6);
});

test('Sites and devices are filters that both hold; unknown ones match nothing', async () => {
  const own = await totals({ measure: 'energy', split: 'device', sites: [sites[0]] });
  expect(own.map(({ labels }) => labels['siteId'])).toEqual([sites[0], sites[0], sites[0], sites[0]]);
  expect(
    await totals({ measure: 'energy', split: 'device', sites: [sites[0]], devices: [devices[0], devices[1]] }),
  ).toEqual(own.filter(({ labels }) => labels['deviceId'] === devices[0]));
  expect(await totals({ measure: 'energy', sites: [viewer.user] })).toEqual([]);
  expect(await series({ measure: 'power', sites: [viewer.user] })).toMatchObject({ series: [] });
  const listed = toolDevices.parse((await tool.ask(`/api/devices?site=${sites[1]}`, { as: viewer })).json());
  expect(listed.map(({ name, siteName }) => [name, siteName])).toEqual([
    ['meter 1', 'Site 1'],
    ['meter 4', 'Site 1'],
    ['meter 7', 'Site 1'],
    ['meter 10', 'Site 1'],
  ]);
  expect(toolSites.parse((await tool.ask('/api/sites')).json()).map(({ name, timeZone }) => [name, timeZone])).toEqual(
    zones.map((zone, at) => [`Site ${at}`, zone]),
  );
});

test('Each device and site of a Client has its state', async () => {
  const answers = await Promise.all(sites.map(async (id) => portal(`/api/sites/${id}`, {})));
  const known = answers.flatMap((answer) => z.object({ devices: z.array(device) }).parse(answer).devices);
  const expected = new Map(known.map((one) => [one.id, deviceState(one, now())]));
  expect(expected.get(devices[4] ?? '')).toBe('inactive');
  expect([...expected.values()]).toContain('offline');
  const ofSite = (id: string) => known.flatMap((one) => (one.siteId === id ? [expected.get(one.id) ?? 'never'] : []));
  const listed = toolDevices.parse((await tool.ask('/api/devices')).json());
  expect(new Map(listed.map(({ id, state }) => [id, state]))).toEqual(expected);
  for (const { id, state } of toolSites.parse((await tool.ask('/api/sites')).json())) {
    expect(state).toBe(siteState(countStates(ofSite(id))));
  }
});

test('Each customer of a fleet has its state, and each of its devices and sites too, as on its page', async () => {
  const [id = ''] = customers;
  const cookies = await fleet.signIn();
  const list = async (path: string) => (await fleetTool.ask(`/api/${path}`)).json();
  for (const [lastSeenAt, state] of [
    ['2026-03-29T21:29:00Z', 'sending'],
    ['2026-03-29T18:10:00Z', 'silent'],
  ] as const) {
    const text = 'UPDATE fleet.customer_state SET last_seen_at = $2, last_measured_at = $2 WHERE customer_id = $1';
    await fleet.database.query({ text }, [id, lastSeenAt]);
    const page = await fleet.app.inject({ url: `/api/fleet/customers/${id}/detail`, headers: cookies });
    const detail = customerDetail.parse(page.json());
    expect(detail.customer.state).toBe(state);
    const listed = toolCustomers.parse(await list('customers'));
    expect(listed.find((one) => one.id === id)?.state).toBe(state);
    const states = new Map(detail.devices.map((one) => [one.id, fleetDeviceState(one, detail.customer, now())]));
    const devicesOfTool = toolDevices.parse(await list(`devices?customer=${id}`));
    expect(new Map(devicesOfTool.map((one) => [one.id, one.state]))).toEqual(states);
    for (const site of toolSites.parse(await list(`sites?customer=${id}`))) {
      const ofSite = detail.devices.flatMap((one) => (one.siteId === site.id ? [states.get(one.id) ?? 'never'] : []));
      expect(site.state).toBe(siteState(countStates(ofSite)));
    }
  }
});

test('An invalid query is rejected with the field, the value and what is accepted', async () => {
  const refusal = async (path: string, payload: object) => {
    const answer = await tool.ask(`/api/${path}`, { payload: { measure: 'power', ...range, ...payload } });
    expect(answer.status, answer.body).toBe(400);
    return answer.body;
  };
  expect(await refusal('query', { measure: 'sql' })).toContain('measure');
  expect(await refusal('query', { from: 'yesterday' })).toContain('from is \\"yesterday\\"');
  expect(await refusal('query', { from: range.to, to: range.from })).toContain('to must be after from');
  expect(await refusal('totals', { from: undefined })).toContain('from is missing');
  expect(await refusal('totals', { fromDate: '2026-03-01', toDate: '2026-04-01' })).toContain(
    'from cannot be combined with fromDate',
  );
  const dates = { from: undefined, to: undefined, fromDate: '2026-03-02', toDate: '2026-03-01' };
  expect(await refusal('heatmap', dates)).toContain('toDate must be after fromDate');
  expect(await refusal('query', { ...dates, toDate: '2026-02-30' })).toContain('toDate is \\"2026-02-30\\"');
  expect(await refusal('totals', { to: '2226-03-29T20:05:00Z' })).toContain('at most 36600 days');
  expect(await refusal('query', { split: 'period' })).toContain('only energy and cost can be split by period');
  expect(await refusal('query', { split: 'customer' })).toContain('run mode Admin');
  expect(await refusal('heatmap', { from: '2024-03-25T00:00:00Z' })).toContain('at most 400 days');
  expect(await refusal('query', { devices: ["'; DROP TABLE"] })).toContain('must be a GUID');
  expect(await refusal('query', { devices: Array.from({ length: 501 }, () => devices[0]) })).toContain('at most 500');
});

test('However fine the steps that are asked for, a series has no more points than the limit', async () => {
  const found = await series({ measure: 'power', step: 1, from: '2020-01-01T00:00:00Z' });
  expect(found.bucket).toBe('day');
  expect(found.series[0]?.points.length).toBeLessThanOrEqual(5_000);
});

describe('In Admin mode', () => {
  test('the numbers of a customer are those of its own portal, and those of all are their sums', async () => {
    const where = { of: fleetTool };
    const [first = ''] = customers;
    for (const question of [
      { measure: 'cost', split: 'site' },
      { measure: 'demand', split: 'device' },
      { measure: 'energy', split: 'period' },
    ]) {
      const own = await totals(question);
      const fleets = await totals({ ...question, customers: [first] }, where);
      const plain = ({ name, unit, value, at }: (typeof own)[number]) => ({ name, unit, value, at });
      expect(fleets.map(plain)).toEqual(own.map(plain));
    }
    const own = await series({ measure: 'power', split: 'site', step: 3600 });
    const fleets = await series({ measure: 'power', split: 'site', step: 3600, customers: [first] }, where);
    expect(fleets.series.map(({ points }) => points)).toEqual(own.series.map(({ points }) => points));

    const summary = await summaryOf();
    const byCustomer = await totals({ measure: 'cost', split: 'customer' }, where);
    expect(valuesBy('customer', byCustomer)).toEqual(
      Object.fromEntries(
        ['first', 'second'].flatMap((name) =>
          summary.costs.map(({ currency, total }) => [`${name} ${currency}`, total]),
        ),
      ),
    );
    expect((await totals({ measure: 'cost' }, where)).map(({ value }) => value)).toEqual(
      summary.costs.map(({ total }) => expect.closeTo(2 * total, 9)),
    );
    expect(await totals({ measure: 'demand' }, where)).toMatchObject([
      { value: expect.closeTo(2 * (summary.peakPowerKw ?? 0), 6), at: summary.peakAt },
    ]);
    expect(await totals({ measure: 'power' }, where)).toMatchObject([
      { value: expect.closeTo(2 * (summary.averagePowerKw ?? 0), 6) },
    ]);
    expect((await totals({ measure: 'energy', split: 'site' }, where)).map(({ name }) => name)).toContain(
      'second · Site 1',
    );
  });

  test('a RestrictedAdmin sees the customers assigned to them and no others, in no answer', async () => {
    const where = { of: fleetTool, as: restricted };
    const [first = '', second = ''] = customers;
    const paths = ['customers', 'sites', 'devices', `sites?customer=${first}`, `devices?customer=${first}`];
    for (const path of paths) {
      const answer = await fleetTool.ask(`/api/${path}`, { as: restricted });
      expect(answer.status, path).toBe(200);
      expect(answer.body, path).not.toContain(first);
    }
    const seen = async (path: string) => (await fleetTool.ask(`/api/${path}`, { as: restricted })).json();
    expect(toolCustomers.parse(await seen('customers'))).toMatchObject([{ id: second, name: 'second' }]);
    expect(toolSites.parse(await seen('sites'))).toHaveLength(3);
    expect(await seen(`sites?customer=${first}`)).toEqual([]);
    expect(await totals({ measure: 'energy', customers: [first] }, where)).toEqual([]);
    expect(await series({ measure: 'power', split: 'customer', customers: [first] }, where)).toMatchObject({
      series: [],
    });
    const map = heatmapAnswer.parse(await asked('heatmap', { measure: 'power', customers: [first] }, where));
    expect(new Set(map.days.flatMap(({ values }) => values))).toEqual(new Set([null]));
    const all = await totals({ measure: 'energy', split: 'customer' }, where);
    expect(all.map(({ labels }) => labels)).toEqual([{ customerId: second, customer: 'second' }]);
    const own = await totals({ measure: 'energy', split: 'customer', customers: [second] }, { of: fleetTool });
    expect(all).toEqual(own);
  });

  test('a user without a fleet role sees none of its data, and roles are read at each request', async () => {
    const ofDashboards = ['dashboards', 'dashboards/overview', 'dashboards/overview/versions'];
    for (const path of ['me', 'customers', 'sites', 'devices', ...ofDashboards]) {
      expect(await fleetTool.ask(`/api/${path}`, { as: viewer })).toMatchObject({ status: 403 });
    }
    for (const path of ['query', 'totals', 'heatmap']) {
      const payload = { measure: 'power', ...range };
      expect(await fleetTool.ask(`/api/${path}`, { as: viewer, payload })).toMatchObject({ status: 403 });
    }
    const stranger = { ...restricted, user: somebody.user };
    expect(await totals({ measure: 'energy' }, { of: fleetTool, as: stranger })).toEqual([]);
  });
});

test.each(['Client', 'Admin'] as const)('Every panel of the dashboards that ship (%s) is answered', async (runMode) => {
  const of = runMode === 'Client' ? tool : fleetTool;
  const isFixed = (value: string) => !value.startsWith('$');
  for (const [name, written] of Object.entries(provisionedFor(runMode))) {
    const { panels } = dashboardSpec.parse(written);
    for (const [key, { spec }] of Object.entries(panels)) {
      const heatmap = heatmapSpec.safeParse(spec.plugin.spec);
      const questions = (spec.queries ?? []).map(({ spec: { plugin } }) => ({
        path: showsTotals(spec.plugin.kind, spec.plugin.spec) ? 'totals' : 'query',
        question: plugin.spec,
      }));
      if (spec.plugin.kind === 'LoadHeatmap' && heatmap.success)
        questions.push({ path: 'heatmap', question: heatmap.data });
      for (const { path, question } of questions) {
        const chosen = Object.fromEntries(
          (['sites', 'devices', 'customers'] as const).map((list) => [list, question[list]?.filter(isFixed) ?? []]),
        );
        const { measure, split } = question;
        const answer = await of.ask(`/api/${path}`, {
          payload: { ...range, measure, split, ...chosen },
          as: somebody,
        });
        expect(answer.status, `${name} ${key}: ${answer.body.slice(0, 300)}`).toBe(200);
        expect(answer.body, `${name} ${key}`).toMatch(/[1-9]\.?\d*[,\]}]/);
      }
    }
  }
});
