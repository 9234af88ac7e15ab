import { beforeAll, describe, expect, it } from 'vitest';
import { baseLoad, dashboardSummary, loadCurve, usualLoad } from '../../shared/dashboard.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
// A Sunday, 07:30 in Berlin.
const now = Date.UTC(2026, 5, 14, 5, 30);
const today = { fromDate: '2026-06-14', toDate: '2026-06-15' };
const startMs = now - 9 * weekMs;
const firstMs = Math.ceil(startMs / hourMs) * hourMs;
const portal = appOfFile({ now: () => now });
let admin = { cookie: '' };
const devices = { office: '', store: '', freezer: '', fresh: '' };

/** Energy of the office in an hour: 2 kWh more each week, and a night without data. */
const officeKw = (ms: number) => 10 + 2 * Math.floor((now - ms) / weekMs);

const get = (query: Record<string, string>) =>
  portal.app.inject({ method: 'GET', url: '/api/dashboard/usual', query, headers: admin });
const usual = async (query: Record<string, string>) => {
  const answer = await get({ bucket: 'hour', ...query });
  expect(answer.statusCode, answer.body).toBe(200);
  return usualLoad.parse(answer.json());
};

async function deliver(externalId: string, fromMs: number, kwAt: (ms: number) => number | null) {
  let register = 1000;
  const rows: object[] = [];
  for (let ms = Math.ceil(fromMs / hourMs) * hourMs; ms <= now; ms += hourMs) {
    const kw = kwAt(ms);
    if (kw === null) continue;
    rows.push({ externalId, time: new Date(ms).toISOString(), activePowerKw: kw, energyImportedKwh: register });
    register += kw;
  }
  const url = '/api/ingest/measurements';
  const answer = await portal.app.inject({ method: 'POST', url, payload: rows, headers: admin });
  expect(answer.json()).toMatchObject({ accepted: rows.length });
}

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const office = await createSite(session, { name: 'Office', timeZone: 'Europe/Berlin' });
  const store = await createSite(session, { name: 'Store', timeZone: 'Asia/Kolkata' });
  const hourly = { expectedIntervalSeconds: 3600 };
  devices.office = await createDevice(session, office, { externalId: 'office', ...hourly });
  devices.store = await createDevice(session, store, { externalId: 'store', ...hourly });
  const inStore = { externalId: 'freezer', parentDeviceId: devices.store, ...hourly };
  devices.freezer = await createDevice(session, store, inStore);
  devices.fresh = await createDevice(session, office, { externalId: 'fresh', ...hourly });
  const gapFrom = Date.UTC(2026, 5, 6, 22);
  const isGap = (ms: number) => ms > gapFrom && ms < gapFrom + 8 * hourMs;
  await deliver('office', startMs, (ms) => (isGap(ms) ? null : officeKw(ms)));
  await deliver('store', startMs, () => 4);
  await deliver('freezer', startMs, () => 3);
  await deliver('fresh', now - 6 * hourMs, () => 50);
});

describe('GET /api/dashboard/usual (docs/energy.md, Usual consumption)', () => {
  it('tells median and percentiles of the same weekday and hour, and of how many weeks', async () => {
    const { times, lowPowerKw, medianPowerKw, highPowerKw, weekCounts, energy } = await usual({
      ...today,
      deviceIds: devices.office,
    });
    expect(times).toHaveLength(24);
    // At noon the weeks had 10, 12, … 24 kW, before 8 o'clock 2 kW more; in the last week the night is a gap.
    expect(weekCounts.slice(8)).toEqual(Array.from({ length: 16 }, () => 8));
    expect(weekCounts.slice(1, 6)).toEqual([7, 7, 7, 7, 7]);
    expect([lowPowerKw[12], medianPowerKw[12], highPowerKw[12]]).toEqual(
      [11.4, 17, 22.6].map((kw) => expect.closeTo(kw, 6)),
    );
    expect(medianPowerKw[3]).toBeCloseTo(20, 6);
    expect(energy).toMatchObject({ weekCount: 7, medianKwh: expect.closeTo(8 * 20 + 16 * 18, 6) });
  });

  it('energyUntil is the part of each day that is over', async () => {
    const until = new Date(now).toISOString();
    const { energy, energyUntil } = await usual({ ...today, until, deviceIds: devices.store });
    expect(energy?.medianKwh).toBeCloseTo(24 * 4, 6);
    // In Kolkata the day is 11 hours old.
    expect(energyUntil?.medianKwh).toBeCloseTo(11 * 4, 6);
  });

  it('without until, energyUntil ends where the readings of the summary end, and at most with the range', async () => {
    const deviceIds = devices.store;
    const { energyUntil, until } = await usual({ ...today, deviceIds });
    const summary = await portal.app.inject({
      url: '/api/dashboard/summary',
      query: { ...today, deviceIds },
      headers: admin,
    });
    expect(until).toBe(dashboardSummary.parse(summary.json()).arrivedUntil);
    expect(until).toBe('2026-06-14T05:00:00Z');
    expect(energyUntil?.medianKwh).toBeCloseTo(10.5 * 4, 6);
    const hours = await usual({ from: '2026-06-14T03:00:00Z', to: '2026-06-14T09:00:00Z', deviceIds });
    expect([hours.energy?.medianKwh, hours.energyUntil?.medianKwh]).toEqual(
      [24, 8].map((kwh) => expect.closeTo(kwh, 6)),
    );
    const past = await usual({ fromDate: '2026-06-13', toDate: '2026-06-14', deviceIds });
    expect(past.until).toBe(past.to);
    expect(past.energyUntil).toEqual(past.energy);
  });

  it('adds up the sites, each by its own clock, and names the devices that are too new to count', async () => {
    const { medianPowerKw, devicesWithoutUsual } = await usual({ ...today, bucket: 'day' });
    expect(devicesWithoutUsual).toEqual([devices.fresh]);
    expect(medianPowerKw).toEqual([expect.closeTo(4 + (8 * 19 + 16 * 17) / 24, 6)]);
    // The load curve draws them separately, so the rest contains the devices of the band.
    const curveOf = async (more: object) => {
      const query = { ...today, bucket: 'day', groupBy: 'total', ...more };
      const answer = await portal.app.inject({ url: '/api/dashboard/load-curve', query, headers: admin });
      return new Map(loadCurve.parse(answer.json()).series.map(({ id, energyImportedKwh: [kwh] }) => [id, kwh ?? 0]));
    };
    const [whole, split] = [await curveOf({}), await curveOf({ apartDeviceIds: devices.fresh })];
    const alone = await curveOf({ deviceIds: devices.fresh });
    expect([...split.keys()]).toEqual(['total', 'apart']);
    expect(split.get('apart')).toBe(alone.get('total'));
    expect((split.get('total') ?? 0) + (split.get('apart') ?? 0)).toBeCloseTo(whole.get('total') ?? 0, 6);
  });

  it('a sub-meter counts in its main meter, and individually if it is requested alone', async () => {
    const kwOf = async (deviceIds: string) => (await usual({ ...today, bucket: 'day', deviceIds })).medianPowerKw[0];
    expect(await kwOf(`${devices.store},${devices.freezer}`)).toBeCloseTo(4, 6);
    expect(await kwOf(devices.freezer)).toBeCloseTo(3, 6);
  });

  it('a week, a month and single instants are answered in every bucket', async () => {
    for (const range of [
      { fromDate: '2026-06-08', toDate: '2026-06-15' },
      { fromDate: '2026-06-01', toDate: '2026-07-01' },
      { from: '2026-06-13T10:07:00Z', to: '2026-06-14T10:07:00Z' },
    ]) {
      for (const bucket of ['15min', 'hour', 'day']) {
        const { times, medianPowerKw, weekCounts } = await usual({ ...range, bucket, deviceIds: devices.store });
        expect(medianPowerKw).toHaveLength(times.length);
        expect(new Set(medianPowerKw.map((kw) => kw?.toFixed(6)))).toEqual(new Set(['4.000000']));
        expect(Math.min(...weekCounts)).toBeGreaterThan(0);
      }
    }
  });

  it('without earlier weeks there is nothing: null, not 0', async () => {
    for (const deviceIds of [devices.fresh, '00000000-0000-0000-0000-000000000000']) {
      const answer = await usual({ ...today, deviceIds });
      expect(answer.energy).toBeNull();
      expect(answer.medianPowerKw.every((kw) => kw === null)).toBe(true);
      expect(answer.weekCounts.every((count) => count === 0)).toBe(true);
    }
  });

  it('a late row of an earlier week is in the next answer', async () => {
    const query = { ...today, bucket: '15min', deviceIds: devices.store };
    const [time, hours] = ['2026-06-07T08:15:00Z', (Date.UTC(2026, 5, 7, 8) - firstMs) / hourMs];
    const rows = [{ externalId: 'store', time, activePowerKw: 4, energyImportedKwh: 1000 + 4 * hours + 3 }];
    const quarterAt = async () => (await usual(query)).highPowerKw[4 * 13 + 2];
    expect(await quarterAt()).toBeCloseTo(4, 6);
    await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload: rows, headers: admin });
    // 3 kWh in one of eight quarter-hours from 13:30 in Kolkata, otherwise 1.
    expect(await quarterAt()).toBeCloseTo(4 + 0.3 * 8, 6);
  });

  it('refuses what it cannot answer, by name of the field', async () => {
    for (const [query, message] of [
      [{ ...today, bucket: '5min' }, 'bucket must be one of 15min, hour, day; got "5min".'],
      [
        { fromDate: '2026-01-01', toDate: '2026-03-01', bucket: 'day' },
        'toDate: typical values cover at most 35 days; got 59.',
      ],
      [{ ...today, bucket: 'day', deviceIds: 'x' }, 'deviceIds has "x"'],
      [
        { from: '2026-06-14T00:00:00Z', to: '2026-06-15T00:00:00Z', until: '2026-06-14T05:00:00Z', bucket: 'day' },
        'until needs',
      ],
    ] as const) {
      const answer = await get(query);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ error: string }>().error).toContain(message);
    }
  });

  it('the earliest ranges there are are answered', async () => {
    for (const range of [
      { from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' },
      { fromDate: '0001-01-01', toDate: '0001-01-02' },
      { fromDate: '9999-12-30', toDate: '9999-12-31' },
    ])
      expect((await usual({ ...range, bucket: 'day' })).energy).toBeNull();
  });
});

describe('GET /api/dashboard/base-load (docs/energy.md, Base load)', () => {
  const ask = (query: Record<string, string>) =>
    portal.app.inject({ method: 'GET', url: '/api/dashboard/base-load', query, headers: admin });
  const base = async (query: Record<string, string>) => baseLoad.parse((await ask(query)).json());

  it('is that of the last 28 nights up to now, in the time zone of each site, for the import of the site', async () => {
    expect(await base({ ...today, deviceIds: devices.store })).toMatchObject({
      baseLoadKw: 4,
      nightCount: 28,
      costs: [],
      unpricedKw: 4,
    });
    expect((await base({ ...today, deviceIds: `${devices.store},${devices.freezer}` })).baseLoadKw).toBe(4);
    expect((await base({ ...today, deviceIds: devices.freezer })).baseLoadKw).toBe(3);
    // Until now, whatever part of the range is still ahead.
    expect(await base({ fromDate: '2026-01-01', toDate: '2027-01-01', deviceIds: devices.store })).toMatchObject({
      baseLoadKw: 4,
      nightCount: 28,
    });
    const early = await base({ from: '2026-05-20T00:00:00Z', to: '2026-05-21T00:00:00Z', deviceIds: devices.store });
    expect(early).toMatchObject({ baseLoadKw: 4, nightCount: 28 });
  });

  it('costs a year what the tariff in force says, with VAT, and tells what has none; several currencies apart, in the order of their codes', async () => {
    const sites = await portal.app.inject({ method: 'GET', url: '/api/sites', headers: admin });
    for (const { municipalityId, name } of sites.json<{ municipalityId: string; name: string }[]>()) {
      const tariff = {
        municipalityId,
        name: 'Flat',
        currency: name === 'Store' ? 'INR' : 'USD',
        effectiveFrom: '2026-01-01',
        defaultRatePerKwh: 0.25,
        fixedChargePerMonth: 10,
        vatPercent: 20,
        periods: [],
      };
      const url = '/api/admin/rates/tariffs';
      const answer = await portal.app.inject({ method: 'POST', url, payload: tariff, headers: admin });
      expect(answer.statusCode, answer.body).toBe(201);
    }
    const { costs, baseLoadKw, unpricedKw, devicesLeftOut } = await base(today);
    expect(unpricedKw).toBe(0);
    // It has readings of six hours.
    expect(devicesLeftOut).toEqual([devices.fresh]);
    expect(costs.map(({ currency }) => currency)).toEqual(['INR', 'USD']);
    expect(costs).toContainEqual({ currency: 'INR', perYear: 4 * 8760 * 0.25 * 1.2 });
    const officeKw = (baseLoadKw ?? 0) - 4;
    expect(officeKw).toBeGreaterThan(9);
    expect(costs.find(({ currency }) => currency === 'USD')?.perYear).toBeCloseTo(officeKw * 8760 * 0.25 * 1.2, 2);
  });

  it('by device, the highest first: each by its own nights, sub-meters too, with what a year of it takes and costs', async () => {
    const { devices: ranked, firstNight, lastNight } = await base({ ...today, groupBy: 'device' });
    expect([firstNight, lastNight]).toEqual(['2026-05-18', '2026-06-14']);
    expect(ranked.map(({ deviceId, countedIn }) => [deviceId, countedIn])).toEqual([
      [devices.office, null],
      [devices.store, null],
      [devices.freezer, devices.store],
    ]);
    expect(ranked[0]).toMatchObject({ nightCount: 27, siteName: 'Office' });
    expect(ranked[2]).toMatchObject({
      baseLoadKw: 3,
      nightCount: 28,
      energyPerYearKwh: 3 * 8760,
      cost: { currency: 'INR', perYear: 3 * 8760 * 0.25 * 1.2 },
    });
    expect((await base(today)).devices).toEqual([]);
    expect((await ask({ ...today, groupBy: 'site' })).statusCode).toBe(400);
  });

  it('with no nights there is none: null, not 0', async () => {
    for (const query of [
      { ...today, deviceIds: '00000000-0000-0000-0000-000000000000' },
      { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' },
      { from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' },
    ])
      expect(await base({ ...query, groupBy: 'device' })).toMatchObject({
        baseLoadKw: null,
        nightCount: 0,
        costs: [],
        devices: [],
      });
    expect((await ask({ ...today, deviceIds: 'x' })).statusCode).toBe(400);
  });
});
