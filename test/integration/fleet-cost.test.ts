import { randomUUID } from 'node:crypto';
import { about, message, storedMessage } from '../../server/base/errors.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { fleetDashboard } from '../../shared/fleet.ts';
import { bucketedRow, rawMeasurementsPage } from '../../shared/measurements.ts';
import { deviceWithSite } from '../../shared/sites.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { anyRules, hostileReadingsFrom } from '../support/hostile-readings.ts';
import { rowsOf } from '../support/meters.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';
import { ranges as vectors, rulesOf } from '../support/vectors.ts';
import { contentsOf, translated } from '../support/xlsx/workbook-language.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const now = Date.parse('2026-03-29T21:30:00Z');
const start = Date.parse('2026-03-25T00:00:00Z') * 1000;
/** A zone where "today" is the day on which clocks go forward. */
const timeZone = 'Europe/Berlin';
const inYen = { currency: 'JPY', defaultRatePerKwh: 25.37, exportRatePerKwh: null };

let client: TestApp;
let fleet: TestApp;
let clientHeaders: { cookie: string };
let fleetHeaders: { cookie: string };
let customerId: string;

beforeAll(async () => {
  const options = { now: () => now, environment: { Application__TimeZone: timeZone } };
  [client, fleet] = await Promise.all([createTestApp(options), createAdminApp(options)]);
  clientHeaders = await client.signIn();
  fleetHeaders = await fleet.signIn();
  const session = { app: client.app, headers: clientHeaders };
  const sites: string[] = [];
  for (const [at, zone] of ['Europe/Berlin', 'Asia/Tokyo', 'America/St_Johns'].entries()) {
    const site = await createSite(session, { name: `Site ${at}`, timeZone: zone });
    sites.push(site);
    // The last one has no tariff: its energy has no price.
    if (at < 2) await createTariff(session, site, at === 0 ? {} : inYen);
  }
  const readings = fc.sample(hostileReadingsFrom(start), { numRuns: 9, seed: 11 });
  for (const [at, rules] of fc.sample(anyRules, { numRuns: readings.length, seed: 12 }).entries()) {
    const externalId = `hostile ${at}`;
    await createDevice(session, sites[at % sites.length] ?? '', { externalId, ...rules, isActive: at !== 4 });
    const rows = rowsOf(externalId, readings[at] ?? []);
    if (rows.length > 0) await post(session, '/api/ingest/measurements', rows);
  }
  // Covers all of today.
  await createDevice(session, sites[0] ?? '', { externalId: 'steady' });
  const steady = Array.from({ length: 80 }, (_, at) => ({
    externalId: 'steady',
    time: new Date(now - at * 20 * 60_000).toISOString(),
    activePowerKw: 1,
    energyImportedKwh: 1000 - at * 0.37,
  }));
  await post(session, '/api/ingest/measurements', steady);
  for (const { id, device, readings: rows } of vectors) {
    await createDevice(session, sites[0] ?? '', { externalId: id, ...rulesOf(device) });
    await post(
      session,
      '/api/ingest/measurements',
      rows.map((row) => ({ ...row, externalId: id })),
    );
  }
  customerId = (await createCustomer(fleet, 'acme', { name: 'Acme Works' })).id;
  await copyToFleet(client, fleet, customerId, '2026-03-29T21:29:00Z');
}, 120_000);
afterAll(() => Promise.all([client.close(), fleet.close()]));

async function sheetsOf(portal: TestApp, url: string, query: Record<string, string>, headers: { cookie: string }) {
  const answer = await portal.app.inject({ url, query, headers });
  expect(answer.statusCode, answer.rawPayload.subarray(0, 300).toString()).toBe(200);
  const { sheets } = openWorkbook(answer.rawPayload);
  return { name: answer.headers['content-disposition'], sheets };
}
const costOf = (query: Record<string, string>) =>
  sheetsOf(fleet, `/api/fleet/customers/${customerId}/cost/export.xlsx`, query, fleetHeaders);

const askClient = (path: string, query: Record<string, string> = {}) =>
  client.app.inject({ url: `/api${path}`, query, headers: clientHeaders });
const askFleet = (path: string, query: Record<string, string> = {}) =>
  fleet.app.inject({ url: `/api/fleet/customers/${customerId}${path}`, query, headers: fleetHeaders });

/** Sends both the same request, and expects the same answer. */
async function expectSame(path: string, query: Record<string, string> = {}): Promise<string> {
  const [own, admins] = await Promise.all([askClient(path, query), askFleet(path, query)]);
  expect({ ...query, status: admins.statusCode, body: admins.body }).toEqual({
    ...query,
    status: own.statusCode,
    body: own.body,
  });
  return own.body;
}
const listDevices = async () => z.array(deviceWithSite).parse((await askClient('/sites/devices')).json());

async function materializeEverything(): Promise<void> {
  const materialize = createFleetMaterializer(fleet.database, (error) => expect.fail(String(error)));
  while ((await materialize(new AbortController().signal)) > 0);
  while ((await materializeSome(client.database, { within: null, skip: false })) > 0);
}

describe.each([['before'], ['after']])('%s the readings are materialized', (when) => {
  beforeAll(async () => {
    if (when === 'after') await materializeEverything();
  });

  it.each<Record<string, string>>([
    { from: '2026-03-25T00:07:30Z', to: '2026-03-28T23:59:59.5Z' },
    { fromDate: '2026-03-28', toDate: '2026-03-31' },
    { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' },
  ])("the cost export has the sheets, formats and numbers of the Client's summary, to the bit: %o", async (query) => {
    const own = await sheetsOf(client, '/api/dashboard/summary/export.xlsx', query, clientHeaders);
    const admins = await costOf(query);
    const numbersOf = ({ sheets }: typeof own) => sheets.filter(({ name }) => name !== 'About');
    expect(numbersOf(own).length).toBeGreaterThan(6);
    expect(numbersOf(admins)).toEqual(numbersOf(own));
    const about = admins.sheets.find(({ name }) => name === 'About');
    const rows = about?.rows.map((row) => row.map((cell) => cell?.value ?? null));
    expect(rows).toContainEqual(['Customer', 'Acme Works', 'acme']);
  });

  it('the buckets of each device of a customer equal those of its Client, to the bit, in every size', async () => {
    let rows = 0;
    for (const { id: deviceId } of await listDevices()) {
      for (const bucket of ['minute', '5min', '15min', 'hour', 'day']) {
        const query = { deviceId, bucket, fromDate: '2026-03-25', toDate: '2026-03-31' };
        rows += z.array(bucketedRow).parse(JSON.parse(await expectSame('/measurements', query))).length;
      }
    }
    expect(rows).toBeGreaterThan(1000);
  });

  it('every page of readings of a customer equals that of its Client: for all devices, for some, for local days', async () => {
    const [first, second] = (await listDevices()).filter(({ name }) => name === 'steady' || name === 'hostile 1');
    const all = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
    for (const range of [all, { fromDate: '2026-03-28', toDate: '2026-03-30' }]) {
      for (const deviceIds of ['', first?.id ?? '', `${first?.id},${second?.id}`]) {
        const pages = ['0', '37', '200', '100000'].map(async (offset) =>
          rawMeasurementsPage.parse(
            JSON.parse(await expectSame('/measurements/raw', { ...range, deviceIds, limit: '100', offset })),
          ),
        );
        expect((await pages[0])?.totalCount).toBeGreaterThan(0);
        await Promise.all(pages);
      }
    }
  });

  it.each(['csv', 'ndjson', 'xlsx'])(
    "the readings of a customer as %s are the Client's, under its code",
    async (kind) => {
      const query = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', rowCap: '150' };
      const path = `/measurements/raw/export.${kind}`;
      const [own, admins] = await Promise.all([askClient(path, query), askFleet(path, query)]);
      expect(admins.headers['content-disposition']).toContain(`measurements-acme-20260301-20260401.${kind}`);
      for (const header of ['x-row-count', 'x-total-count']) expect(admins.headers[header]).toBe(own.headers[header]);
      if (kind !== 'xlsx') return expect(admins.body).toBe(own.body);
      const [sheet, about] = openWorkbook(admins.rawPayload).sheets;
      expect(sheet).toEqual(openWorkbook(own.rawPayload).sheets[0]);
      expect(JSON.stringify(about)).toContain('Acme Works');
    },
  );

  it("today's energy is what the summary of the Client says of the local day, and so is the count of readings", async () => {
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: fleetHeaders });
    const dashboard = fleetDashboard.parse(answer.json());
    // Nothing undocumented: readers of the fleet do not see the state of its tokens.
    expect(answer.json()).toEqual(dashboard);
    const query = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' };
    const ask = async (url: string, more: object = {}) =>
      (await client.app.inject({ url, query: { ...query, ...more }, headers: clientHeaders })).json<unknown>();
    const summary = dashboardSummary.parse(await ask('/api/dashboard/summary'));
    expect(summary.energyImportedKwh).toBeGreaterThan(1);
    expect(dashboard).toMatchObject({ today: '2026-03-29', customerCount: 1, activeCustomerCount: 1 });
    expect(dashboard.todayEnergyKwh).toBeCloseTo(summary.energyImportedKwh, 6);
    expect(await ask('/api/measurements/raw', { limit: '1' })).toMatchObject({
      totalCount: dashboard.todayMeasurements,
    });
    expect(dashboard.todayMeasurements).toBeGreaterThan(10);
    expect(dashboard.customers[0]).toMatchObject({
      measurementsToday: dashboard.todayMeasurements,
      energyTodayKwh: dashboard.todayEnergyKwh,
      isEnergyPending: false,
    });
  });

  it.each(vectors)('$id $what: the cost export says so', async ({ id, from, to, expect: wanted }) => {
    const { sheets } = await costOf({ from, to });
    const rows = sheets.find(({ name }) => name === 'Devices')?.rows ?? [];
    const header = rows[0]?.map((cell) => cell?.value) ?? [];
    const device = rows.find((row) => row[0]?.value === id);
    const value = (title: string) => device?.[header.indexOf(title)]?.value;
    expect(value('Energy imported (kWh)')).toBeCloseTo(wanted.importedKwh, 6);
    expect(value('Energy exported (kWh)')).toBeCloseTo(wanted.exportedKwh, 6);
    expect(value('Interpolated (kWh)')).toBeCloseTo(wanted.interpolatedKwh, 6);
  });
});

it('the file is named after the customer and the range; a range is checked as that of the Client', async () => {
  const { name } = await costOf({ fromDate: '2026-03-01', toDate: '2026-04-01' });
  expect(name).toBe('attachment; filename="cost-acme-20260301-20260331.xlsx"');
  const url = `/api/fleet/customers/${customerId}/cost/export.xlsx`;
  const refused = await fleet.app.inject({ url, query: { from: '2026-03-02T00:00:00Z' }, headers: fleetHeaders });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({ error: expect.stringMatching(/^to is missing/) });
});

describe('workbooks in the language of their reader', () => {
  const march = { fromDate: '2026-03-01', toDate: '2026-04-01' };
  const typed =
    /^(Site \d|hostile \d|steady|[A-Z]\d\d\w*|Night|Day and night|Acme Works|acme|UTC|\w+\/\w+(, \w+\/\w+)*|[A-Z]{3}|[+-]\d\d:\d\d|\d{4}-\d\d-\d\d(T[\d:.]+Z)?|Administrator \(.+\)|Power Monitoring)$/;

  it.each([
    ['the summary', '/api/dashboard/summary', march],
    ['the comparison', '/api/dashboard/comparison', { ...march, bucket: 'day' }],
    ['the load profile', '/api/measurements/profile', { fromDate: '2026-03-28', toDate: '2026-03-29' }],
    ['the measurements', '/api/measurements/raw', { ...march, rowCap: '50' }],
    ['the fleet', '/api/fleet/dashboard', {}],
    ['the cost of a customer', '/api/fleet/customers/{id}/cost', march],
  ])(
    '%s: every text except what people typed; numbers, formats and the name of the file are the same',
    async (_, path, query) => {
      const [portal, headers] = path.startsWith('/api/fleet') ? [fleet, fleetHeaders] : [client, clientHeaders];
      const ask = (language: Record<string, string>) =>
        portal.app.inject({
          url: `${path.replace('{id}', customerId)}/export.xlsx`,
          query: { ...query, ...language },
          headers,
        });
      const english = await ask({});
      const { texts, numbers } = contentsOf(openWorkbook(english.rawPayload));
      expect(contentsOf(openWorkbook((await ask({ language: '' })).rawPayload)).texts).toEqual(texts);
      for (const language of ['de', 'fr'] as const) {
        const answer = await ask({ language });
        expect(answer.headers['content-disposition']).toBe(english.headers['content-disposition']);
        const said = contentsOf(openWorkbook(answer.rawPayload));
        expect(said.texts).toEqual(await translated(texts, language, typed));
        expect(said.numbers).toEqual(numbers);
      }
      const unknown = await ask({ language: 'tlh' });
      expect(unknown.statusCode).toBe(400);
      expect(unknown.json()).toMatchObject({ error: 'language must be one of en, de, fr, es, nl, it; got "tlh".' });
    },
  );
});

it('the workbook of the fleet gives the reason of the last rejection in the language of its reader', async () => {
  const reason = about('name', message('mustNotBeEmpty'));
  const error = storedMessage(message('batchRejected', { count: 2, index: 0, reason }));
  const text = `UPDATE fleet.customer_state SET last_error = $2, batch_count = batch_count + 1 WHERE customer_id = $1`;
  await fleet.database.query({ text }, [customerId, error]);
  const { sheets } = await sheetsOf(fleet, '/api/fleet/dashboard/export.xlsx', { language: 'de' }, fleetHeaders);
  const texts = sheets.flatMap(({ rows }) => rows.flat().map((cell) => cell?.value));
  expect(texts).toContain('2 abgelehnt, der erste bei 0: name: darf nicht leer sein');
});

it('the cost export judges devices as the page of the customer does: none is online while the customer is silent', async () => {
  const text = `UPDATE fleet.customer_state SET last_seen_at = $2, last_measured_at = $2 WHERE customer_id = $1`;
  const statusOfSteady = async () => {
    const { sheets } = await costOf({ fromDate: '2026-03-28', toDate: '2026-03-30' });
    const rows = sheets.find(({ name }) => name === 'Devices')?.rows.map((row) => row.map((cell) => cell?.value)) ?? [];
    return rows.find(([device]) => device === 'steady')?.[rows[0]?.indexOf('Status') ?? -1];
  };
  expect(await statusOfSteady()).toBe('Online');
  await fleet.database.query({ text }, [customerId, '2026-03-29T18:00:00Z']);
  expect(await statusOfSteady()).toBe('Late');
  await fleet.database.query({ text }, [customerId, '2026-03-29T21:29:00Z']);
});

it("the lists of a customer's sites and devices are those of its Client", async () => {
  expect(await expectSame('/sites')).toContain('Site 0');
  const listOf = (answer: { json: <T>() => T }) => answer.json<object[]>();
  const own = listOf(await askClient('/sites/devices'));
  // With the numbers of sites, so that both portals draw them in the same colors.
  expect(listOf(await askFleet('/sites/devices'))).toEqual(own);
});

it('errors and fallbacks are the same for a customer as in its Client', async () => {
  const [device] = await listDevices();
  const deviceId = device?.id ?? '';
  const range = { from: '2026-03-28T00:00:00Z', to: '2026-03-29T00:00:00Z' };
  const backwards = { from: range.to, to: range.from };
  const unknown = '018f4ad0-0000-7000-8000-00000000ffff';
  for (const [path, query, status] of [
    ['/measurements', { ...range, deviceId, bucket: 'week' }, 400],
    ['/measurements', { ...backwards, deviceId, bucket: 'hour' }, 400],
    ['/measurements', { ...range, bucket: 'hour' }, 400],
    ['/measurements', { ...range, deviceId: unknown, bucket: 'hour' }, 404],
    ['/measurements', { from: '2020-01-01T00:00:00Z', to: range.to, deviceId, bucket: 'minute' }, 400],
    ['/measurements/raw', backwards, 400],
    ['/measurements/raw', { ...range, deviceIds: 'x' }, 400],
    ['/measurements/raw', { ...range, deviceIds: unknown }, 200],
    ['/measurements/raw', { ...range, limit: '1001', offset: '-1' }, 200],
    ['/measurements/raw/export.csv', backwards, 400],
  ] as const) {
    await expectSame(path, query);
    expect((await askFleet(path, query)).statusCode, path).toBe(status);
  }
});

it('a device whose site has not arrived is in no list, and its readings cannot be requested', async () => {
  const before = (await askFleet('/sites/devices')).json<{ id: string; name: string }[]>();
  const device = before.find(({ name }) => name === 'steady');
  await fleet.database.query({ text: `UPDATE fleet.devices SET site_id = $2 WHERE id = $1` }, [
    device?.id,
    randomUUID(),
  ]);
  const after = (await askFleet('/sites/devices')).json<{ id: string }[]>();
  expect(after).toEqual(before.filter(({ id }) => id !== device?.id));
  const query = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', deviceId: device?.id ?? '', bucket: 'day' };
  expect((await askFleet('/measurements', query)).statusCode).toBe(404);
});

it('a device missing from the newest set no longer counts, as in the Client that deleted it', async () => {
  const before = (await costOf({ from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' })).sheets;
  await fleet.database.query({
    text: `UPDATE fleet.devices SET removed_at = '2026-03-29T21:00:00Z' WHERE external_id = 'hostile 0'`,
  });
  const after = (await costOf({ from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' })).sheets;
  const names = (sheets: typeof before) =>
    sheets.find(({ name }) => name === 'Devices')?.rows.map((row) => row[0]?.value);
  expect(names(before)).toContain('hostile 0');
  expect(names(after)).toEqual(names(before)?.filter((name) => name !== 'hostile 0'));
});
