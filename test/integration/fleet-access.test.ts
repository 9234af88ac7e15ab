import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { customerDetail, fleetDashboard, fleetSite } from '../../shared/fleet.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { openMeters, usualRules } from '../support/meters.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

// Two customers with the same data; "Undercover" is not assigned to the person.
const seenAt = '2026-03-10T11:00:00Z';
const now = Date.parse('2026-03-10T12:00:00Z');
const range = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', bucket: 'hour' };

let fleet: TestApp;
let own: string;
/** Its id is the same in both. */
let deviceId = '';
let hidden: string;
let person: { id: string; email: string; password: string };
let restricted: { cookie: string };
let admin: { cookie: string };
let operations: { method: string; path: string }[];

beforeAll(async () => {
  const options = { now: () => now };
  const client = await createTestApp(options);
  fleet = await createAdminApp(options);
  const meters = await openMeters(client);
  const { externalId, id } = await meters.create(usualRules);
  deviceId = id;
  await meters.deliver(
    externalId,
    Array.from({ length: 60 }, (_, at) => ({
      timeMicros: (now - at * 60_000) * 1000,
      activePowerKw: 1,
      importedKwh: 1000 - at,
      exportedKwh: null,
    })),
  );
  own = (await createCustomer(fleet, 'own-works', { name: 'Own Works' })).id;
  hidden = (await createCustomer(fleet, 'undercover-works', { name: 'Undercover Works' })).id;
  for (const id of [own, hidden]) await copyToFleet(client, fleet, id, seenAt);
  await client.close();
  // What only the hidden one has.
  for (const table of ['sites', 'devices', 'municipalities']) {
    await fleet.database.query(
      { text: `UPDATE fleet.${table} SET name = 'Undercover ' || name WHERE customer_id = $1` },
      [hidden],
    );
  }
  await fleet.database.query(
    {
      text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected,
                                              payload_bytes, cursor, error)
             SELECT c, gen_random_uuid(), $3, 'sites', n, 0, 100, 'cursor of ' || c, CASE WHEN c = $2 THEN 'Undercover error' END
             FROM unnest(ARRAY[$1, $2]::uuid[]) AS c, generate_series(1, 30) n`,
    },
    [own, hidden, seenAt],
  );
  await fleet.database.query(
    { text: `UPDATE fleet.customer_state SET last_error = 'Undercover error' WHERE customer_id = $1` },
    [hidden],
  );
  admin = await fleet.signIn();
  person = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
  await assign([own]);
  restricted = await fleet.signIn(person);
  const { paths } = (await fleet.app.inject({ url: '/api/openapi.json', headers: admin })).json<{
    paths: Record<string, object>;
  }>();
  operations = Object.entries(paths).flatMap(([path, found]) =>
    Object.keys(found).map((method) => ({ method: method.toUpperCase(), path })),
  );
}, 120_000);
afterAll(() => fleet.close());

async function assign(customerIds: string[]): Promise<void> {
  const url = `/api/users/${person.id}/customers`;
  const answer = await fleet.app.inject({ method: 'PUT', url, headers: admin, payload: { customerIds } });
  expect(answer.statusCode, answer.body).toBe(200);
}

const get = (path: string, headers: { cookie?: string }, id = own) =>
  fleet.app.inject({ url: path.replace('{id}', id), query: { ...range, deviceId }, headers });

/** Everything that an answer says, also inside a workbook. */
function textOf(answer: LightMyRequestResponse): string {
  const isWorkbook = String(answer.headers['content-type']).includes('spreadsheetml');
  const contents = isWorkbook ? JSON.stringify(openWorkbook(answer.rawPayload).sheets) : answer.body;
  return contents + JSON.stringify(answer.headers);
}

const detailPath = '/api/fleet/customers/{id}/detail';
const fleetReads = [
  '/api/fleet/dashboard',
  '/api/fleet/dashboard/export.xlsx',
  '/api/fleet/customers',
  '/api/fleet/sites',
  detailPath,
  '/api/fleet/customers/{id}/sites',
  '/api/fleet/customers/{id}/sites/devices',
  '/api/fleet/customers/{id}/measurements',
  '/api/fleet/customers/{id}/measurements/raw',
  '/api/fleet/customers/{id}/measurements/profile/export.xlsx',
  '/api/fleet/customers/{id}/measurements/profile/export.csv',
  '/api/fleet/customers/{id}/measurements/profile/export.ndjson',
  '/api/fleet/customers/{id}/measurements/raw/export.xlsx',
  '/api/fleet/customers/{id}/measurements/raw/export.csv',
  '/api/fleet/customers/{id}/measurements/raw/export.ndjson',
  '/api/fleet/customers/{id}/cost/export.xlsx',
];

it('a RestrictedAdmin finds nothing of a customer that is not assigned to them, in no answer and no export', async () => {
  const reads = operations.filter(({ method }) => method === 'GET');
  expect(reads.map(({ path }) => path)).toEqual(expect.arrayContaining(fleetReads));
  // The same search finds it where it is allowed.
  expect(textOf(await get('/api/fleet/dashboard', admin))).toMatch(/Undercover Works/);
  let answered = 0;
  for (const { path } of reads) {
    for (const id of new Set([own, path.includes('{id}') ? hidden : own])) {
      const answer = await get(path, restricted, id);
      const text = textOf(answer);
      expect(text, path).not.toMatch(/undercover/i);
      expect(text, path).not.toContain(hidden);
      if (answer.statusCode === 200) answered += 1;
      if (id === hidden) expect([403, 404], path).toContain(answer.statusCode);
    }
  }
  expect(answered).toBeGreaterThan(fleetReads.length);
});

it('a RestrictedAdmin changes nothing of any customer', async () => {
  const rowsOf = async () => {
    const found: unknown[] = [];
    for (const table of ['customers', 'customer_state', 'customer_access', 'sites', 'devices', 'measurements']) {
      const text = `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS sum FROM fleet.${table} t`;
      found.push((await fleet.database.query({ text })).rows);
    }
    return found;
  };
  const before = await rowsOf();
  const writes = operations.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api/auth/'));
  expect(writes.length).toBeGreaterThan(10);
  for (const { method, path } of writes) {
    // Also what is their own to be changed by others: their account, and which customers they see.
    for (const id of [own, hidden, person.id]) {
      const answer = await fleet.app.inject({
        method: method === 'DELETE' ? 'DELETE' : method === 'PUT' ? 'PUT' : 'POST',
        url: path.replace('{id}', id),
        headers: restricted,
        ...(method === 'DELETE' ? {} : { payload: { name: 'Changed', isActive: false, customerIds: [hidden] } }),
      });
      expect([401, 403, 404], `${method} ${path}`).toContain(answer.statusCode);
      expect(answer.body).not.toMatch(/undercover/i);
    }
  }
  expect(await rowsOf()).toEqual(before);
});

it('totals are of the assigned customers only, and an Admin sees all', async () => {
  const dashboards = [restricted, admin].map(async (headers) =>
    fleetDashboard.parse((await get('/api/fleet/dashboard', headers)).json()),
  );
  const [theirs, all] = await Promise.all(dashboards);
  expect(theirs?.customers.map(({ id }) => id)).toEqual([own]);
  expect(theirs).toMatchObject({ customerCount: 1, totalMeasurements: 60, todayMeasurements: 60 });
  expect(all?.customers.map(({ code }) => code)).toEqual(['own-works', 'undercover-works']);
  expect(all).toMatchObject({
    customerCount: 2,
    activeCustomerCount: 2,
    totalMeasurements: 120,
    todayMeasurements: 120,
  });
  expect(all?.todayEnergyKwh).toBeCloseTo(2 * (theirs?.todayEnergyKwh ?? 0), 9);
  expect(theirs?.todayEnergyKwh).toBeCloseTo(59, 6);
});

it('the sites of the fleet are listed with their customers, without those that were removed', async () => {
  const listed = async (headers: { cookie?: string }) =>
    z.array(fleetSite).parse((await get('/api/fleet/sites', headers)).json());
  const [theirs, all] = [await listed(restricted), await listed(admin)];
  expect(theirs.length).toBeGreaterThan(0);
  expect(theirs).toEqual(all.filter(({ customerId }) => customerId === own));
  expect(all).toHaveLength(2 * theirs.length);
  expect(new Set(theirs.map(({ customerName }) => customerName))).toEqual(new Set(['Own Works']));
  const [first] = theirs;
  const remove = (at: string | null) =>
    fleet.database.query({ text: 'UPDATE fleet.sites SET removed_at = $2 WHERE customer_id = $1 AND id = $3' }, [
      own,
      at,
      first?.id,
    ]);
  await remove(seenAt);
  expect(await listed(restricted)).toEqual(theirs.slice(1));
  await remove(null);
});

it('what is assigned holds from the next request on', async () => {
  await assign([hidden]);
  expect((await get(detailPath, restricted, own)).statusCode).toBe(404);
  expect((await get(detailPath, restricted, hidden)).statusCode).toBe(200);
  await assign([]);
  const none = fleetDashboard.parse((await get('/api/fleet/dashboard', restricted)).json());
  expect(none).toMatchObject({ customerCount: 0, totalMeasurements: 0, todayEnergyKwh: 0, customers: [] });
  await assign([own]);
});

it('nobody without one of the two roles reads the fleet: 403, without a session 401; an id that is none is 404', async () => {
  const plain = await fleet.signIn(await createUser(fleet, { email: 'plain@example.com' }));
  for (const path of fleetReads) {
    expect((await get(path, plain)).statusCode, path).toBe(403);
    expect((await get(path, {})).statusCode, path).toBe(401);
    if (!path.includes('{id}')) continue;
    for (const id of ['x', '018f4ad0-0000-7000-8000-00000000ffff']) {
      expect((await get(path, admin, id)).statusCode, path).toBe(404);
    }
  }
});

it('the detail of a customer has its current records, the last 50 measurements and the last 20 batches', async () => {
  const answer = await get(detailPath, restricted);
  const detail = customerDetail.parse(answer.json());
  // Nothing beside what is documented.
  expect(answer.json()).toEqual(detail);
  expect(detail.customer).toMatchObject({
    code: 'own-works',
    totalMeasurements: 60,
    lagSeconds: 3600,
    lastError: null,
  });
  expect(detail.sites).toMatchObject([{ deviceCount: 1, municipalityName: detail.municipalities[0]?.name }]);
  expect(detail.devices).toMatchObject([{ siteName: detail.sites[0]?.name, lastMeasuredAt: '2026-03-10T12:00:00Z' }]);
  expect(detail.measurements).toHaveLength(50);
  expect(detail.measurements[0]).toEqual({
    time: '2026-03-10T12:00:00Z',
    deviceId: detail.devices[0]?.id,
    deviceName: detail.devices[0]?.name,
    siteName: detail.sites[0]?.name,
    activePowerKw: 1,
    reactivePowerKvar: null,
    apparentPowerKva: null,
    powerFactor: null,
    voltageV: null,
    frequencyHz: null,
    energyImportedKwh: 1000,
    energyExportedKwh: null,
  });
  const times = detail.measurements.map(({ time }) => time);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(detail.ingestEvents).toHaveLength(20);
});

it('a customer that was deleted is gone from every answer at once', async () => {
  const { id } = await createCustomer(fleet, 'short-lived');
  expect((await get('/api/fleet/dashboard', admin)).body).toContain('short-lived');
  await fleet.app.inject({ method: 'DELETE', url: `/api/admin/customers/${id}`, headers: admin });
  expect((await get('/api/fleet/dashboard', admin)).body).not.toContain('short-lived');
  expect((await get(detailPath, admin, id)).statusCode).toBe(404);
});
