import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardSummary, loadCurve } from '../../shared/dashboard.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile({ now: () => now });
let admin = { cookie: '' };
const devices = { main: '', pv: '', off: '', store: '' };
const sites = { store: '' };
const now = Date.UTC(2026, 5, 1, 12);
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const day = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };

const get = (path: string, query: Record<string, string>) =>
  portal.app.inject({ method: 'GET', url: path, query, headers: admin });
const summary = async (query: Record<string, string> = {}) =>
  dashboardSummary.parse((await get('/api/dashboard/summary', { ...day, ...query })).json());
const curve = async (query: Record<string, string>) =>
  loadCurve.parse((await get('/api/dashboard/load-curve', { ...day, bucket: 'hour', ...query })).json());

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const office = await createSite(session, { name: 'Office', timeZone: 'Europe/Berlin' });
  const store = (sites.store = await createSite(session, { name: 'Store', timeZone: 'Asia/Kolkata' }));
  devices.main = await createDevice(session, office, { externalId: 'main', name: 'Main' });
  devices.pv = await createDevice(session, office, { externalId: 'pv', name: 'PV' });
  devices.off = await createDevice(session, office, { externalId: 'off', name: 'Off', isActive: false });
  devices.store = await createDevice(session, store, { externalId: 'store', name: 'Store' });
  const rows = [
    { externalId: 'main', time: ago(60), activePowerKw: 8, reactivePowerKvar: 6 },
    { externalId: 'main', time: ago(2), activePowerKw: 0.1, reactivePowerKvar: 0 },
    { externalId: 'pv', time: ago(61), activePowerKw: -4 },
    { externalId: 'pv', time: ago(14), activePowerKw: 0.2 },
    { externalId: 'off', time: ago(1), activePowerKw: 1000 },
    { externalId: 'store', time: ago(15), activePowerKw: 50 },
  ];
  const delivered = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload: rows,
    headers: admin,
  });
  expect(delivered.json()).toMatchObject({ accepted: 6 });
});

describe('GET /api/dashboard/summary (decisions 4)', () => {
  it('currentPowerKw sums the latest readings of active devices that are younger than 15 min, without noise digits', async () => {
    expect((await summary()).currentPowerKw).toBe(0.3);
  });

  it('currentDeviceCount says how many those are', async () => {
    expect((await summary()).currentDeviceCount).toBe(2);
  });

  it('is null where no device has a fresh reading, never 0', async () => {
    expect(await summary({ deviceIds: devices.store })).toMatchObject({ currentPowerKw: null, currentDeviceCount: 0 });
  });

  it('a reading is current for max(15 min, 2 x expectedIntervalSeconds)', async () => {
    const interval = (expectedIntervalSeconds: number | null) =>
      portal.app.inject({
        method: 'PUT',
        url: `/api/admin/devices/${devices.store}`,
        payload: { siteId: sites.store, name: 'Store', externalId: 'store', expectedIntervalSeconds },
        headers: admin,
      });
    // Its last reading is 15 minutes old.
    for (const [seconds, power] of [
      [450, null],
      [451, 50],
      [900, 50],
    ] as const) {
      expect((await interval(seconds)).statusCode).toBe(200);
      expect(await summary({ deviceIds: devices.store })).toMatchObject({
        currentPowerKw: power,
        currentDeviceCount: power === null ? 0 : 1,
      });
    }
    await interval(null);
  });

  it('activeDeviceCount counts the chosen devices that are active', async () => {
    expect((await summary()).activeDeviceCount).toBe(3);
    expect((await summary({ deviceIds: `${devices.main},${devices.off}` })).activeDeviceCount).toBe(1);
  });

  it('has a line for each chosen device, sorted by site and name', async () => {
    const { devices: lines, sites } = await summary();
    expect(
      lines.map((line) => [
        line.siteName,
        line.deviceName,
        line.averagePowerKw,
        line.currentPowerKw,
        line.lastMeasuredAt,
      ]),
    ).toEqual([
      ['Office', 'Main', 4.05, 0.1, '2026-06-01T11:58:00Z'],
      ['Office', 'Off', 1000, 1000, '2026-06-01T11:59:00Z'],
      ['Office', 'PV', -1.9, 0.2, '2026-06-01T11:46:00Z'],
      ['Store', 'Store', 50, null, '2026-06-01T11:45:00Z'],
    ]);
    expect(sites.map((site) => site.siteName)).toEqual(['Office', 'Store']);
  });

  it('average power factor is that of the sums of P and Q', async () => {
    expect((await summary()).averagePowerFactor).toBeCloseTo(8.1 / Math.hypot(8.1, 6), 9);
  });

  it('power over gaps is unknown: no energy, no cost, no peak', async () => {
    expect(await summary()).toMatchObject({
      peakPowerKw: null,
      peakAt: null,
      energyImportedKwh: 0,
      energyExportedKwh: 0,
      estimatedEnergyKwh: 0,
      unpricedEnergyKwh: 0,
      costs: [],
      periods: [],
    });
  });

  it('to not after from, a bad device id: 400; unknown ids match nothing', async () => {
    expect((await get('/api/dashboard/summary', { from: day.to, to: day.from })).statusCode).toBe(400);
    expect((await get('/api/dashboard/summary', { ...day, deviceIds: 'x' })).statusCode).toBe(400);
    expect(await summary({ deviceIds: '00000000-0000-0000-0000-000000000000' })).toMatchObject({
      activeDeviceCount: 0,
      devices: [],
    });
  });

  it('siteIds adds all devices of the sites to those of deviceIds; unknown ids match nothing, an invalid one is 400', async () => {
    const namesOf = async (query: Record<string, string>) =>
      (await summary(query)).devices.map((line) => line.deviceName);
    const unknown = '00000000-0000-0000-0000-000000000000';
    expect(await namesOf({ siteIds: sites.store })).toEqual(['Store']);
    expect(await namesOf({ siteIds: ` ${sites.store} ,`, deviceIds: devices.pv })).toEqual(['PV', 'Store']);
    expect(await namesOf({ siteIds: sites.store, deviceIds: devices.store })).toEqual(['Store']);
    expect(await namesOf({ siteIds: unknown })).toEqual([]);
    expect(await namesOf({ siteIds: '', deviceIds: '' })).toHaveLength(4);
    // The id of a device is not the id of a site.
    expect(await namesOf({ siteIds: devices.pv })).toEqual([]);
    const refused = await get('/api/dashboard/summary', { ...day, siteIds: 'x' });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      error: 'siteIds has "x", which is not a GUID; expected GUIDs of sites, separated by commas.',
    });
  });

  it.each(['/api/dashboard/load-curve', '/api/data-quality', '/api/measurements/raw'])(
    '%s takes siteIds as it takes the ids of their devices',
    async (path) => {
      const own = { ...day, bucket: 'hour', groupBy: 'device' };
      const bySite = await get(path, { ...own, siteIds: sites.store });
      expect(bySite.statusCode, bySite.body).toBe(200);
      expect(bySite.json()).toEqual((await get(path, { ...own, deviceIds: devices.store })).json());
      expect(bySite.json()).not.toEqual((await get(path, own)).json());
    },
  );

  it('a reading from the future is not the current one, and hides none', async () => {
    const rows = [{ externalId: 'pv', time: new Date(now + 3_600_000).toISOString(), activePowerKw: 500 }];
    await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload: rows, headers: admin });
    const { currentPowerKw, devices: lines } = await summary();
    expect(currentPowerKw).toBe(0.3);
    expect(lines.find((line) => line.deviceName === 'PV')).toMatchObject({
      currentPowerKw: 0.2,
      lastMeasuredAt: '2026-06-01T13:00:00Z',
    });
  });
});

describe('GET /api/dashboard/load-curve (decisions 3)', () => {
  it('by device: one series each over all buckets of the range, null where nothing is known', async () => {
    const answer = await curve({ groupBy: 'device', deviceIds: `${devices.main},${devices.pv}` });
    expect(answer.times).toHaveLength(24);
    expect(answer.series.map((one) => [one.id, one.name])).toEqual([
      [devices.main, 'Main'],
      [devices.pv, 'PV'],
    ]);
    expect(answer.series[0]?.averagePowerKw[11]).toBeCloseTo(4.05, 9);
    expect(answer.series[1]?.averagePowerKw.slice(9, 13)).toEqual([null, -4, 0.2, null]);
    // A reading in a gap shows that no energy was counted.
    expect(answer.series[0]?.energyImportedKwh.slice(10, 13)).toEqual([null, 0, null]);
  });

  it('by site and in total the devices add up', async () => {
    const chosen = `${devices.main},${devices.pv}`;
    expect((await curve({ groupBy: 'site', deviceIds: chosen })).series).toMatchObject([{ name: 'Office' }]);
    const [total] = (await curve({ groupBy: 'total', deviceIds: chosen })).series;
    expect(total?.averagePowerKw[11]).toBeCloseTo(4.25, 9);
  });

  it('hours are local hours of the zone that all chosen devices share', async () => {
    const answer = await curve({ groupBy: 'device', deviceIds: devices.store });
    expect(answer.times[0]).toBe('2026-05-31T23:30:00Z');
  });

  it('refuses more values than are good to send, and names the next coarser bucket', async () => {
    const query = { from: '2026-01-01T00:00:00Z', to: '2026-02-04T00:00:00Z', bucket: 'minute' };
    const session = { app: portal.app, headers: admin };
    const siteId = await createSite(session, { name: 'Many' });
    for (let made = 0; made < 3; made += 1) await createDevice(session, siteId, { externalId: `many-${made}` });
    expect((await get('/api/dashboard/load-curve', { ...query, groupBy: 'total' })).statusCode).toBe(200);
    expect((await get('/api/dashboard/load-curve', { ...query, groupBy: 'device' })).json()).toMatchObject({
      error: expect.stringMatching(/each of 7 series, more than 250000; choose bucket 5min/),
    });
  });

  it('a century by day adds up as its days do, however many devices there are', async () => {
    const century = { from: '1970-01-01T00:00:00Z', to: '2069-12-01T00:00:00Z', bucket: 'day' };
    const [total] = (await curve({ ...century, groupBy: 'total' })).series;
    const known = total?.averagePowerKw.filter((value) => value !== null);
    const ofDay = (await curve({ ...day, bucket: 'day', groupBy: 'device' })).series;
    const sum = ofDay.reduce((all, one) => all + (one.averagePowerKw.find((value) => value !== null) ?? 0), 0);
    expect(ofDay.length).toBeGreaterThan(6);
    expect(known).toEqual([expect.closeTo(sum, 9)]);
  });

  it('refuses a group or bucket that there is not', async () => {
    expect((await get('/api/dashboard/load-curve', { ...day, bucket: 'hour' })).statusCode).toBe(400);
    expect((await get('/api/dashboard/load-curve', { ...day, bucket: 'hour', groupBy: 'city' })).json()).toMatchObject({
      error: expect.stringContaining('groupBy must be one of device, site, endUse, total'),
    });
    expect((await get('/api/dashboard/load-curve', { ...day, bucket: 'week', groupBy: 'site' })).statusCode).toBe(400);
  });
});
