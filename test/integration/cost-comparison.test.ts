import { beforeAll, describe, expect, test } from 'vitest';
import { costComparison, type CostComparison } from '../../shared/comparison.ts';
import { dashboardSummary, type DashboardSummary } from '../../shared/dashboard.ts';
import type { Tariff } from '../../shared/rates.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice } from '../support/sites.ts';

const now = Date.UTC(2026, 10, 12, 12);
const tariffs = '/api/admin/rates/tariffs';
const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
let dearer: { id: string; values: object };
const sites: string[] = [];
let freezer = '';

const ask = (method: 'GET' | 'POST' | 'DELETE' | 'PUT', url: string, payload?: object) =>
  portal.app.inject({ method, url, headers: admin, ...(payload === undefined ? {} : { payload }) });
const create = async (url: string, payload: object): Promise<string> => {
  const answer = await ask('POST', url, payload);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
};
const compare = async (query: string): Promise<CostComparison> => {
  const answer = await ask('GET', `/api/dashboard/cost-comparison?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return costComparison.parse(answer.json());
};
const summaryOf = async (query: string): Promise<DashboardSummary> =>
  dashboardSummary.parse((await ask('GET', `/api/dashboard/summary?${query}`)).json());
const october = 'fromDate=2026-10-01&toDate=2026-11-01';
const toSeptember = 'otherFromDate=2026-09-01&otherToDate=2026-10-01';
const hourly = { expectedIntervalSeconds: 3_600 };
const cents = (amount: number) => Math.round(amount * 100) + 0;

/** Every row and every column adds up, and the totals are those of the summaries. */
function expectExact(compared: CostComparison, current: DashboardSummary, other: DashboardSummary): void {
  const columns = ['cost', 'otherCost', 'quantityEffect', 'priceEffect'] as const;
  for (const total of compared.totals) {
    const { currency } = total;
    const totalIn = ({ costs }: DashboardSummary) => costs.find((cost) => cost.currency === currency)?.total ?? 0;
    expect([total.cost, total.otherCost]).toEqual([totalIn(current), totalIn(other)]);
    const lines = compared.lines.filter((line) => line.currency === currency);
    const energy = lines.filter(({ kind }) => kind === 'energy' || kind === 'export');
    const devices = compared.devices.filter((one) => one.currency === currency && one.countedIn === null);
    for (const row of [total, ...lines, ...devices]) {
      expect(cents(row.quantityEffect) + cents(row.priceEffect)).toBe(cents(row.cost) - cents(row.otherCost));
    }
    for (const column of columns) {
      const sum = (rows: readonly (typeof total)[]) => rows.reduce((all, row) => all + cents(row[column]), 0);
      expect(sum(lines)).toBe(cents(total[column]));
      expect(sum(devices)).toBe(sum(energy));
    }
    for (const { deviceId, cost, otherCost } of compared.devices.filter((one) => one.currency === currency)) {
      const costIn = ({ devices: all }: DashboardSummary) =>
        all.find((one) => one.deviceId === deviceId)?.costs.find((one) => one.currency === currency)?.energyCost ?? 0;
      expect([cost, otherCost]).toEqual([costIn(current), costIn(other)]);
    }
  }
}

beforeAll(async () => {
  admin = await portal.signIn();
  const zones = { Berlin: 'Europe/Berlin', Pune: 'Asia/Kolkata' };
  const rates = { isActive: true, effectiveTo: null, exportRatePerKwh: null };
  const session = { app: portal.app, headers: admin };
  const rows: object[] = [];
  for (const [name, timeZone] of Object.entries(zones)) {
    const municipalityId = await create('/api/admin/rates/municipalities', { name, timeZone });
    const siteId = await create('/api/admin/sites', { name, municipalityId });
    sites.push(siteId);
    const values = {
      ...rates,
      municipalityId,
      name: 'Standard',
      currency: name === 'Pune' ? 'INR' : 'EUR',
      effectiveFrom: '2026-01-01',
      defaultRatePerKwh: 0.3015,
      fixedChargePerMonth: 12.5,
      vatPercent: 19,
      periods: [{ name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1841 }],
    };
    await create(tariffs, values);
    const chiller = await createDevice(session, siteId, { externalId: `${name}-chiller`, ...hourly });
    await createDevice(session, siteId, { externalId: `${name}-pump`, parentDeviceId: chiller, ...hourly });
    const load = (time: number) => 3.217 + Math.sin(time / 3e7) + time / 1e12;
    for (let time = Date.UTC(2026, 7, 31); time < now; time += 3_600_000) {
      const at = { time: new Date(time).toISOString() };
      rows.push({ ...at, externalId: `${name}-chiller`, activePowerKw: load(time) });
      rows.push({ ...at, externalId: `${name}-pump`, activePowerKw: load(time) / 3 });
    }
    if (name === 'Pune') continue;
    freezer = await createDevice(session, siteId, { externalId: 'freezer', ...hourly });
    for (let time = Date.UTC(2026, 9, 3); time < now; time += 3_600_000) {
      rows.push({ externalId: 'freezer', time: new Date(time).toISOString(), activePowerKw: 0.71 });
    }
    const changed = { effectiveFrom: '2026-10-10', defaultRatePerKwh: 0.3415, fixedChargePerMonth: 14, vatPercent: 7 };
    const windows = [{ name: 'Weekend', daysOfWeek: 96, startTime: '00:00', endTime: '24:00', ratePerKwh: 0.2 }];
    const next = { ...values, ...changed, name: 'Dearer', periods: windows };
    dearer = { id: await create(tariffs, next), values: next };
  }
  for (let at = 0; at < rows.length; at += 5_000) {
    const delivered = await ask('POST', '/api/ingest/measurements', rows.slice(at, at + 5_000));
    expect(delivered.json()).toMatchObject({ rejected: 0 });
  }
});

describe('GET /api/dashboard/cost-comparison', () => {
  test('a tariff that begins in between, a new device and two currencies: rows and columns add up to the cent', async () => {
    const compared = await compare(`${october}&${toSeptember}`);
    const [current, other] = [await summaryOf(october), await summaryOf(toSeptember.replaceAll(/other(\w)/g, lowered))];
    expect(compared.totals.map(({ currency }) => currency)).toEqual(['EUR', 'INR']);
    expectExact(compared, current, other);
    expect([compared.fromDate, compared.other.fromDate]).toEqual(['2026-10-01', '2026-09-01']);
    const own = compared.devices.filter(({ deviceId }) => deviceId === freezer);
    expect(own).toMatchObject([{ otherEnergyKwh: 0, otherCost: 0, currency: 'EUR' }]);
    expect(compared.devices.filter(({ countedIn }) => countedIn !== null)).toHaveLength(2);
  });

  test('the price effect is the cost minus that of the same energy without the tariff that began in between', async () => {
    const compared = await compare(`${october}&${toSeptember}`);
    const now = await summaryOf(october);
    expect((await ask('DELETE', `${tariffs}/${dearer.id}`)).statusCode).toBe(204);
    const before = await summaryOf(october);
    const same = await compare(`${october}&${toSeptember}`);
    dearer.id = (await ask('POST', tariffs, dearer.values)).json<Tariff>().id;
    const euro = ({ costs }: DashboardSummary) => costs.find(({ currency }) => currency === 'EUR')?.total ?? NaN;
    const [total, rupees] = compared.totals;
    expect(Math.abs(cents(total?.priceEffect ?? NaN) - cents(euro(now) - euro(before)))).toBeLessThanOrEqual(1);
    expect(rupees?.priceEffect).toBe(0);
    // Whole months with one charge: neither their length nor a day of 25 hours is a difference in quantity.
    expect(same.lines.filter(({ kind }) => kind === 'fixedCharge')).toMatchObject([
      { months: 1, otherMonths: 1, quantityEffect: 0, priceEffect: 0 },
      { months: 1, otherMonths: 1, quantityEffect: 0, priceEffect: 0 },
    ]);
    expect(same.totals.map(({ priceEffect }) => priceEffect)).toEqual([0, 0]);
  });

  test('replaced periods are one line, the remaining ones have their own', async () => {
    const days = 'fromDate=2026-10-12&toDate=2026-10-19&otherFromDate=2026-10-03&otherToDate=2026-10-10';
    const { lines } = await compare(`${days}&siteIds=${sites[0]}`);
    const energy = lines.filter(({ kind }) => kind === 'energy');
    expect(energy).toMatchObject([{ periods: ['Default', 'Weekend'], otherPeriods: ['Default', 'Night'] }]);
    const { lines: whole } = await compare(`${october}&${toSeptember}&siteIds=${sites[1]}`);
    expect(whole.filter(({ kind }) => kind === 'energy').map(({ periods }) => periods)).toEqual([
      ['Default'],
      ['Night'],
    ]);
  });

  test('before the first tariff there were no prices: the whole difference is price', async () => {
    const compared = await compare(
      'fromDate=2026-11-02&toDate=2026-11-09&otherFromDate=2025-11-03&otherToDate=2025-11-10',
    );
    expect(
      compared.totals.every(({ cost, priceEffect, quantityEffect }) => cost === priceEffect && quantityEffect === 0),
    ).toBe(true);
  });

  test('a running range is compared with the same part of another one, cut at an instant', async () => {
    const week = 'fromDate=2026-11-09&toDate=2026-11-16&until=2026-11-12T12:00:00Z';
    const before = 'fromDate=2026-11-02&toDate=2026-11-09&until=2026-11-05T12:00:00Z';
    const other = before.replace('from', 'otherFrom').replace('to', 'otherTo').replace('until', 'otherUntil');
    expectExact(await compare(`${week}&${other}`), await summaryOf(week), await summaryOf(before));
    const instants = 'from=2026-11-05T09:07:00Z&to=2026-11-05T10:22:30Z';
    const asOther = instants.replace('from', 'otherFrom').replace('to=', 'otherTo=');
    const [current] = ['from=2026-10-25T00:10:00Z&to=2026-10-25T01:20:00Z'];
    expectExact(await compare(`${current}&${asOther}`), await summaryOf(current), await summaryOf(instants));
  });

  test.each([
    ['', 'from is missing'],
    [october, 'The other range: from is missing'],
    [`${october}&otherFromDate=2026-09-01&otherToDate=2026-09-01`, 'The other range: toDate must be after fromDate'],
    [`${october}&otherFromDate=1900-01-01&otherToDate=2020-01-01`, 'at most 36600 days'],
    [`${october}&otherFromDate=1920-01-01&otherToDate=1920-01-02`, 'both ranges together may span at most 36600 days'],
    [`${october}&${toSeptember}&siteIds=x`, 'siteIds has "x"'],
  ])('%s is rejected: %s', async (query, message) => {
    const answer = await ask('GET', `/api/dashboard/cost-comparison?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(message.replaceAll('"', '\\"'));
  });

  test('unknown ids match nothing', async () => {
    const none = await compare(`${october}&${toSeptember}&deviceIds=01890a5d-ac96-774b-bcce-b302099a8057`);
    expect([none.totals, none.lines, none.devices]).toEqual([[], [], []]);
  });
});

const lowered = (_: string, first: string) => first.toLowerCase();
