import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { costBreakdown, dashboardSummary, loadCurve, usualLoad } from '../../shared/dashboard.ts';
import { dataQuality } from '../../shared/data-quality.ts';
import { customerDetail, fleetDashboard } from '../../shared/fleet.ts';
import { seriesAnswer, totalsAnswer } from '../../shared/dashboard-tool.ts';
import { simulationResult } from '../../shared/rates.ts';
import { device as deviceSchema, siteWithDevices } from '../../shared/sites.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { openTestTool } from '../support/dashboard-tool.ts';
import { materializeAll } from '../support/energy-rollup.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { startFleetReceiver } from '../support/fleet-receiver.ts';
import { createPusher } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';
import { contentsOf, translated } from '../support/xlsx/workbook-language.ts';

const now = Date.parse('2026-03-20T12:00:00Z');
/** Two whole weeks, whose sums are kept. */
const range = { from: '2026-03-02T00:00:00Z', to: '2026-03-16T00:00:00Z' };
const hours = 14 * 24;
/** kW of each device, all the time. */
const powers = { main: 10, hall: 6, press: 4, office: 2.5, gate: 1 } as const;
type Name = keyof typeof powers;
const names = ['main', 'hall', 'press', 'office', 'gate'] as const satisfies readonly Name[];

const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
let reader: { cookie: string };
let works: string;
let store: string;
const ids: Record<Name, string> = { main: '', hall: '', press: '', office: '', gate: '' };

const url = '/api/admin/devices';
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = admin) =>
  portal.app.inject({ method, url: path, headers, ...(payload === undefined ? {} : { payload }) });
const get = (path: string, query: Record<string, string> = {}) =>
  portal.app.inject({ method: 'GET', url: path, query: { ...range, ...query }, headers: reader });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;
const put = (name: Name, fields: object) =>
  ask('PUT', `${url}/${ids[name]}`, { siteId: works, name, externalId: name, ...fields });
const hang = async (name: Name, parent: Name | null) => {
  const answer = await put(name, { parentDeviceId: parent === null ? null : ids[parent] });
  expect(answer.statusCode, answer.body).toBe(200);
};
const plant = async () => {
  await hang('hall', 'main');
  await hang('office', 'main');
  await hang('press', 'hall');
};
const summaryOf = async (...chosen: readonly Name[]) => {
  const deviceIds = chosen.map((name) => ids[name]).join(',');
  const answer = await get('/api/dashboard/summary', chosen.length === 0 ? {} : { deviceIds });
  return dashboardSummary.parse(answer.json());
};
const nameOf = (id: string | null) => names.find((name) => ids[name] === id) ?? null;

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  works = await createSite(session, { name: 'Works', timeZone: 'UTC' });
  store = await createSite(session, { name: 'Store', timeZone: 'UTC' });
  const site = (await ask('GET', `/api/sites/${works}`)).json<{ municipalityId: string }>();
  const tariff = await ask('POST', '/api/admin/rates/tariffs', {
    municipalityId: site.municipalityId,
    name: 'Flat',
    currency: 'EUR',
    effectiveFrom: '2026-01-01',
    defaultRatePerKwh: 0.5,
    fixedChargePerMonth: 31,
    vatPercent: 0,
  });
  expect(tariff.statusCode, tariff.body).toBe(201);
  const rows = names.flatMap((externalId) =>
    Array.from({ length: hours + 1 }, (_, hour) => ({
      externalId,
      time: new Date(Date.parse(range.from) + hour * 3_600_000).toISOString(),
      activePowerKw: powers[externalId],
    })),
  );
  for (const externalId of names) {
    ids[externalId] = await createDevice(session, works, { externalId, expectedIntervalSeconds: 3600 });
  }
  expect((await ask('POST', '/api/ingest/measurements', rows)).json()).toMatchObject({ accepted: rows.length });
  const numbers = await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' });
  await materializeAll(
    portal.database,
    numbers.rows.map(({ number }) => number),
  );
  reader = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
});
beforeEach(async () => {
  await portal.database.query({ text: 'UPDATE monitoring.devices SET parent_device_id = NULL' });
});

describe('a sub-meter', () => {
  test('is in the answers for the device, all devices and the site; a PUT without it keeps it', async () => {
    await hang('hall', 'main');
    const kept = deviceSchema.parse((await put('hall', {})).json());
    expect(kept.parentDeviceId).toBe(ids.main);
    const listed = (await get('/api/sites/devices')).json<{ id: string; parentDeviceId: string | null }[]>();
    expect(listed.find(({ id }) => id === ids.hall)?.parentDeviceId).toBe(ids.main);
    const site = siteWithDevices.parse((await get(`/api/sites/${works}`)).json());
    expect(site.devices.find(({ id }) => id === ids.hall)?.parentDeviceId).toBe(ids.main);
    await hang('hall', null);
    expect((await summaryOf()).devices.every(({ parentDeviceId }) => parentDeviceId === null)).toBe(true);
  });

  test('can be created as one, by administrators only, and the audit trail has the name of its main meter', async () => {
    const fields = { siteId: works, name: 'Oven', externalId: 'oven', parentDeviceId: ids.hall };
    expect((await ask('POST', url, fields, reader)).statusCode).toBe(403);
    const made = await ask('POST', url, fields);
    expect(made.statusCode, made.body).toBe(201);
    const { id, parentDeviceId } = deviceSchema.parse(made.json());
    expect(parentDeviceId).toBe(ids.hall);
    const trail = await ask('GET', '/api/admin/audit?limit=1');
    expect(trail.body).toContain('"partOf":"hall"');
    expect((await ask('DELETE', `${url}/${id}`)).statusCode).toBe(204);
  });

  test.each([
    ['a device of another site', () => ids.main, () => store],
    ['no device', () => '01890a5d-ac96-774b-bcce-b302099a8057', () => works],
    ['no GUID', () => 'main', () => works],
  ])('of %s: 400 that names the field', async (_what, parent, site) => {
    const fields = { siteId: site(), name: 'New', externalId: 'new', parentDeviceId: parent() };
    const answer = await ask('POST', url, fields);
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer)).toMatch(/^parentDeviceId/);
  });

  test('cannot be its own main meter, or have one of its sub-meters as its main meter', async () => {
    await plant();
    for (const [name, parent] of [
      ['main', 'main'],
      ['main', 'press'],
    ] as const) {
      const answer = await put(name, { parentDeviceId: ids[parent] });
      expect(answer.statusCode).toBe(400);
      expect(errorOf(answer)).toMatch(/^parentDeviceId/);
    }
  });

  test('cannot form a circle by two simultaneous changes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        put('hall', { parentDeviceId: ids.office }),
        put('office', { parentDeviceId: ids.hall }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
      await portal.database.query({ text: 'UPDATE monitoring.devices SET parent_device_id = NULL' });
    }
  });

  test('a device with sub-meters is neither moved nor deleted: 409 that names them', async () => {
    await plant();
    for (const answer of [
      await put('main', { siteId: store }),
      await ask('DELETE', `${url}/${ids.main}`),
      await ask('DELETE', `${url}/${ids.main}?withMeasurements=true`),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(errorOf(answer)).toMatch(/^(?:The device|"main") has sub-meters \("hall", "office"\)/);
    }
  });

  test('a whole tree is moved at once, and keeps its shape; a part of one is not: 409 that names what would be left', async () => {
    await plant();
    const move = (siteId: string, ...chosen: readonly Name[]) =>
      ask('POST', `${url}/change`, { deviceIds: chosen.map((name) => ids[name]), siteId });
    for (const [chosen, message] of [
      [['main', 'hall', 'press'], /^"main" has sub-meters \("office"\); move them too/],
      [['gate', 'hall', 'press'], /^parentDeviceId: "hall" is a sub-meter of "main".*move the main meter too/],
    ] as const) {
      const refused = await move(store, ...chosen);
      expect([refused.statusCode, errorOf(refused)]).toEqual([409, expect.stringMatching(message)]);
      const site = siteWithDevices.parse((await ask('GET', `/api/sites/${works}`)).json());
      expect(site.devices).toHaveLength(names.length);
    }
    expect((await move(store, 'press', 'office', 'main', 'hall')).json()).toEqual({ changed: 4 });
    const site = siteWithDevices.parse((await ask('GET', `/api/sites/${store}`)).json());
    expect(site.devices.map(({ name, parentDeviceId }) => [name, nameOf(parentDeviceId)])).toEqual([
      ['hall', 'main'],
      ['main', null],
      ['office', 'main'],
      ['press', 'hall'],
    ]);
    expect((await move(works, 'press', 'office', 'main', 'hall')).statusCode).toBe(200);
  });

  test('is moved if its main meter at the other site is given', async () => {
    await hang('press', 'hall');
    const answer = await put('press', { siteId: store });
    expect(answer.statusCode).toBe(409);
    expect(errorOf(answer)).toMatch(/^parentDeviceId: "press" is a sub-meter of "hall"/);
    expect((await put('press', { siteId: store, parentDeviceId: ids.hall })).statusCode).toBe(400);
    expect((await put('press', { siteId: store, parentDeviceId: null })).statusCode).toBe(200);
    expect((await put('press', { siteId: works, parentDeviceId: ids.hall })).statusCode).toBe(200);
  });
});

describe('docs/energy.md, main meters and sub-meters: what enters from outside counts once', () => {
  const kwh = (power: number) => power * hours;

  test('in energy, cost, peak, average power and periods; each device keeps its own figures', async () => {
    const flat = await summaryOf();
    expect(flat.energyImportedKwh).toBeCloseTo(kwh(23.5), 6);
    await plant();
    // Twice: first from the readings, then from the kept sums.
    for (let time = 0; time < 2; time += 1) {
      const summary = await summaryOf();
      expect(summary.energyImportedKwh).toBeCloseTo(kwh(11), 6);
      expect(summary.peakPowerKw).toBeCloseTo(11, 6);
      expect(summary.averagePowerKw).toBeCloseTo(11, 6);
      expect(summary.costs).toMatchObject([{ energyCost: 1848, fixedCharge: 14, total: 1862 }]);
      expect(summary.sites).toMatchObject([{ energyImportedKwh: kwh(11), costs: [{ total: 1862 }] }]);
      expect(summary.periods).toMatchObject([{ energyKwh: kwh(11), cost: 1848 }]);
      const found = summary.devices.map((one) => [
        one.deviceName,
        nameOf(one.countedIn),
        Math.round(one.energyImportedKwh),
        one.notSubMeteredKwh === null ? null : Math.round(one.notSubMeteredKwh),
        one.costs[0]?.energyCost,
      ]);
      expect(found).toEqual([
        ['gate', null, kwh(1), null, 168],
        ['hall', 'main', kwh(6), kwh(2), 1008],
        ['main', null, kwh(10), kwh(1.5), 1680],
        ['office', 'main', kwh(2.5), null, 420],
        ['press', 'hall', kwh(4), null, 672],
      ]);
    }
    await hang('hall', null);
    await hang('office', null);
    await hang('press', null);
    expect(await summaryOf()).toEqual(flat);
  });

  test('a filter on sub-meters shows them', async () => {
    await plant();
    const summary = await summaryOf('hall', 'press', 'office');
    expect(summary.energyImportedKwh).toBeCloseTo(kwh(8.5), 6);
    expect(summary.devices.map((one) => nameOf(one.countedIn))).toEqual([null, null, 'hall']);
    // Across a level in between that was not requested.
    expect((await summaryOf('main', 'press')).energyImportedKwh).toBeCloseTo(kwh(10), 6);
    expect((await summaryOf('press')).energyImportedKwh).toBeCloseTo(kwh(4), 6);
  });

  test('in the lines of the cost, by day and for the range', async () => {
    await plant();
    for (const group of ['day', 'month', 'period']) {
      const { lines, costs } = costBreakdown.parse((await get('/api/dashboard/cost-breakdown', { group })).json());
      expect(costs).toMatchObject([{ total: 1862 }]);
      const energy = lines.filter(({ kind }) => kind === 'energy');
      expect(energy.reduce((sum, line) => sum + (line.energyKwh ?? 0), 0)).toBeCloseTo(kwh(11), 6);
    }
  });

  test('in the load curve by site and in total; by device each has its own series', async () => {
    await plant();
    const curve = async (groupBy: string, bucket: string) => {
      const answer = await get('/api/dashboard/load-curve', { groupBy, bucket, to: '2026-03-03T00:00:00Z' });
      return loadCurve.parse(answer.json()).series.map((series) => series.averagePowerKw[1]);
    };
    for (const bucket of ['5min', '15min', 'hour']) {
      expect(await curve('total', bucket)).toEqual(await curve('site', bucket));
      expect(await curve('device', bucket)).toHaveLength(5);
    }
    expect(await curve('total', 'hour')).toEqual([11]);
  });

  test('in the load curve by end use, whose series add up to the total: a sub-meter with its own end use is subtracted from its main meter', async () => {
    await plant();
    const uses = { hall: 'Production', press: null, office: 'lighting', gate: 'Lighting' } as const;
    for (const name of ['hall', 'press', 'office', 'gate'] as const) await put(name, { endUse: uses[name] });
    const curve = async (bucket: string, deviceIds = '') => {
      const query = { groupBy: 'endUse', bucket, to: '2026-03-03T00:00:00Z' };
      const answer = await get('/api/dashboard/load-curve', deviceIds === '' ? query : { ...query, deviceIds });
      return loadCurve
        .parse(answer.json())
        .series.map(({ name, averagePowerKw, energyImportedKwh }) => [
          name,
          averagePowerKw[0],
          energyImportedKwh.reduce<number>((sum, kwh) => sum + (kwh ?? 0), 0),
        ]);
    };
    for (const bucket of ['5min', '15min', 'hour', 'day']) {
      expect(await curve(bucket)).toEqual([
        ['Lighting', 3.5, expect.closeTo(3.5 * 24, 6)],
        ['Production', 6, expect.closeTo(6 * 24, 6)],
        ['No end use', 1.5, expect.closeTo(1.5 * 24, 6)],
      ]);
    }
    // If only sub-meters are requested, each counts by itself.
    expect(await curve('hour', `${ids.press},${ids.office}`)).toEqual([
      ['lighting', 2.5, expect.closeTo(60, 6)],
      ['No end use', 4, expect.closeTo(96, 6)],
    ]);
    await put('press', { endUse: 'Compressed air' });
    expect((await curve('hour')).map(([name, kw]) => [name, kw])).toEqual([
      ['Compressed air', 4],
      ['Lighting', 3.5],
      ['Production', 2],
      ['No end use', 1.5],
    ]);
  });

  test('in usual consumption', async () => {
    await plant();
    // Only one week of the past is known, which is enough for the day after it.
    const day = { from: '2026-03-15T00:00:00Z', to: '2026-03-16T00:00:00Z', bucket: 'hour' };
    const answer = await get('/api/dashboard/usual', day);
    expect(usualLoad.parse(answer.json()).energy?.medianKwh).toBeCloseTo(264, 6);
  });

  test('in the energy that a simulation prices', async () => {
    await plant();
    const answer = await ask('POST', '/api/rates/simulate', {
      ...range,
      timeZone: 'UTC',
      load: { kind: 'devices' },
      tariff: { currency: 'EUR', defaultRatePerKwh: 1, fixedChargePerMonth: 0, vatPercent: 0 },
    });
    expect(simulationResult.parse(answer.json()).energyImportedKwh).toBeCloseTo(kwh(11), 6);
  });

  test('in queries of the dashboard tool, where only a split by device has sub-meters of their own', async () => {
    await plant();
    await using tool = await openTestTool(portal, { now: () => now });
    const day = { from: range.from, to: '2026-03-03T00:00:00Z' };
    const totals = async (measure: string, split: string) => {
      const answer = await tool.ask('/api/totals', { payload: { ...day, measure, split } });
      return totalsAnswer.parse(answer.json()).totals.map(({ value }) => Math.round((value ?? 0) * 10) / 10);
    };
    for (const [measure, value] of [
      ['energy', 264],
      ['demand', 11],
      ['power', 11],
      ['cost', 133],
    ] as const) {
      expect(await totals(measure, 'none')).toEqual([value]);
      expect(await totals(measure, 'site')).toEqual([value]);
    }
    expect(await totals('energy', 'device')).toEqual([24, 144, 240, 60, 96]);
    for (const measure of ['power', 'energy', 'demand']) {
      const answer = await tool.ask('/api/query', { payload: { ...day, measure, split: 'none', step: 3600 } });
      const [series] = seriesAnswer.parse(answer.json()).series;
      expect(series?.points[3]?.[1]).toBeCloseTo(11, 6);
    }
  });

  test('in the workbook, whose devices are listed below their main meter', async () => {
    const open = async (query?: Record<string, string>) =>
      openWorkbook((await get('/api/dashboard/summary/export.xlsx', query)).rawPayload);
    const sheetsOf = async () => {
      const { sheets } = await open();
      return new Map(sheets.map(({ name, rows }) => [name, rows.map((row) => row.map((cell) => cell?.value ?? null))]));
    };
    expect((await sheetsOf()).get('Devices')?.[0]).not.toContain('Main meter');
    await plant();
    const sheets = await sheetsOf();
    const [header = [], ...rows] = sheets.get('Devices') ?? [];
    const at = (title: string) => rows.map((row) => row[header.indexOf(title)] ?? null);
    expect(at('Device')).toEqual(['gate', 'main', 'hall', 'press', 'office']);
    expect(at('Main meter')).toEqual([null, null, 'main', 'hall', 'main']);
    expect(at('Not sub-metered (kWh)').map((value) => (typeof value === 'number' ? Math.round(value) : value))).toEqual(
      [null, kwh(1.5), kwh(2), null, null],
    );
    const totals = new Map(sheets.get('Totals')?.map(([figure, value]) => [figure, value]));
    expect(totals.get('Energy imported')).toBeCloseTo(kwh(11), 6);
    expect(totals.get('Total cost')).toBe(1862);
    expect(sheets.get('About')?.some(([property]) => property === 'Sub-meters')).toBe(true);
    await hang('press', 'gate');
    const { texts } = contentsOf(await open());
    expect(texts).toContain('Meter mismatches');
    const typed =
      /^(gate|main|hall|press|office|Works|Store|Flat|Power Monitoring|[A-Z]{3}|\w+\/\w+|[\d-]+(T[\d:.]+Z)?|.+@.+)$/;
    expect(contentsOf(await open({ language: 'it' })).texts).toEqual(await translated(texts, 'it', typed));
  });

  test('data quality lists a main meter whose sub-meters measured more, or that lacks readings', async () => {
    const balances = async () => dataQuality.parse((await get('/api/data-quality')).json()).balances;
    await plant();
    expect(await balances()).toEqual([]);
    await hang('gate', 'office');
    await hang('main', null);
    expect(await balances()).toEqual([]);
    await hang('press', 'gate');
    expect(await balances()).toMatchObject([
      { deviceName: 'gate', siteName: 'Works', isExceeded: true, missingSlots: 0, notSubMeteredKwh: -kwh(3) },
    ]);
    await plant();
    await createDevice({ app: portal.app, headers: admin }, works, { externalId: 'late', parentDeviceId: ids.press });
    const late = { externalId: 'late', activePowerKw: 0 };
    await ask('POST', '/api/ingest/measurements', [
      { ...late, time: '2026-03-02T00:00:00Z' },
      { ...late, time: '2026-03-02T06:00:00Z' },
    ]);
    expect(await balances()).toMatchObject([
      { deviceName: 'press', isExceeded: false, missingSlots: expect.any(Number) },
    ]);
  });
});

describe('the fleet', () => {
  test('learns of the tree in the set of devices', async () => {
    await hang('hall', 'main');
    await using receiver = await startFleetReceiver();
    await createPusher(portal, receiver).tick();
    const sets = receiver.batches.filter(({ type }) => type !== 'measurements');
    const records = sets.find(({ type }) => type === 'devices')?.records ?? [];
    const subMeters = records.filter((record) => record['parentDeviceId'] !== null);
    expect(subMeters).toMatchObject([{ id: ids.hall, parentDeviceId: ids.main }]);

    await using fleet = await createAdminApp({ now: () => now });
    const { id, token } = await createCustomer(fleet, 'works');
    const send = async (type: string, payload: readonly object[]) => {
      const headers = { 'x-customer-token': token, 'x-batch-type': type };
      const answer = await fleet.app.inject({
        method: 'POST',
        url: '/api/fleet/ingest',
        headers,
        payload: [...payload],
      });
      expect(answer.json()).toMatchObject({ accepted: payload.length, rejected: 0 });
    };
    const parents = async () => {
      const answer = await fleet.app.inject({
        url: `/api/fleet/customers/${id}/detail`,
        headers: await fleet.signIn(),
      });
      const { devices } = customerDetail.parse(answer.json());
      return devices.flatMap((one) =>
        one.parentDeviceId === null ? [] : [[nameOf(one.id), nameOf(one.parentDeviceId)]],
      );
    };
    for (const { type, records: own } of sets) await send(type, own);
    expect(await parents()).toEqual([['hall', 'main']]);
    // The field may be absent, as in batches of other senders.
    await send(
      'devices',
      records.map(({ parentDeviceId: _parent, ...record }) => record),
    );
    expect(await parents()).toEqual([]);
    await send(
      'devices',
      records.map((record) => ({ ...record, parentDeviceId: record['id'] === ids.main ? ids.hall : ids.main })),
    );
  });

  test('counts a customer’s energy once, today and in every file, materialized or not', async () => {
    await plant();
    let nowMs = Date.parse('2026-03-10T12:00:00Z');
    await using fleet = await createAdminApp({ now: () => nowMs, environment: { Application__TimeZone: 'UTC' } });
    const headers = await fleet.signIn();
    const { id } = await createCustomer(fleet, 'works');
    await copyToFleet(portal, fleet, id, '2026-03-10T11:59:00Z');
    const today = async () => {
      nowMs += 60_000;
      const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers });
      return fleetDashboard.parse(answer.json()).customers[0];
    };
    // Each request computes for at most a second, and reports if that was not enough.
    const computed = await vi.waitFor(
      async () => {
        const customer = await today();
        expect(customer?.isEnergyPending).toBe(false);
        return customer;
      },
      { timeout: 45_000, interval: 1 },
    );
    expect(computed?.energyTodayKwh).toBeCloseTo(264, 6);
    const own = fleet.database.forCustomer(id);
    const { rows } = await own.query<{ number: number }>({ text: 'SELECT number FROM fleet.devices ORDER BY number' });
    await materializeAll(
      own,
      rows.map(({ number }) => number),
    );
    const stored = await today();
    expect(stored).toMatchObject({ isEnergyPending: false, measurementsToday: 5 * 24 });
    expect(stored?.energyTodayKwh).toBeCloseTo(264, 6);
    const file = { url: `/api/fleet/customers/${id}/cost/export.xlsx`, query: range, headers };
    const { sheets } = openWorkbook((await fleet.app.inject(file)).rawPayload);
    const totals = sheets.find(({ name }) => name === 'Totals')?.rows ?? [];
    expect(totals.find(([figure]) => figure?.value === 'Total cost')?.[1]?.value).toBe(1862);
  });
});
