import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { customerDetail, fleetDashboard, fleetSite } from '../../shared/fleet.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { openMeters, usualRules } from '../support/meters.ts';

// Two customers with the same data, one of whom is assigned to the user. isolation.test.ts checks the values of every answer.
const seenAt = '2026-03-10T11:00:00Z';
const now = Date.parse('2026-03-10T12:00:00Z');

let fleet: TestApp;
let own: string;
let hidden: string;
let person: { id: string; email: string; password: string };
let restricted: { cookie: string };
let admin: { cookie: string };

beforeAll(async () => {
  const options = { now: () => now };
  const client = await createTestApp(options);
  fleet = await createAdminApp(options);
  const meters = await openMeters(client);
  const { externalId } = await meters.create(usualRules);
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
  await fleet.database.query(
    {
      text: `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected,
                                              payload_bytes, cursor, error)
             SELECT $1, gen_random_uuid(), $2, 'sites', n, 0, 100, 'cursor', NULL FROM generate_series(1, 30) n`,
    },
    [own, seenAt],
  );
  admin = await fleet.signIn();
  person = await createUser(fleet, { email: 'restricted@example.com', roles: ['RestrictedAdmin'] });
  await assign([own]);
  restricted = await fleet.signIn(person);
}, 120_000);
afterAll(() => fleet.close());

async function assign(customerIds: string[]): Promise<void> {
  const url = `/api/users/${person.id}/customers`;
  const answer = await fleet.app.inject({ method: 'PUT', url, headers: admin, payload: { customerIds } });
  expect(answer.statusCode, answer.body).toBe(200);
}

const get = (path: string, headers: { cookie?: string }, id = own) =>
  fleet.app.inject({ url: path.replace('{id}', id), headers });

const detailPath = '/api/fleet/customers/{id}/detail';

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

it('the sites of the fleet are listed with their customers, without removed ones', async () => {
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

it('an assignment applies from the next request on', async () => {
  await assign([hidden]);
  expect((await get(detailPath, restricted, own)).statusCode).toBe(404);
  expect((await get(detailPath, restricted, hidden)).statusCode).toBe(200);
  await assign([]);
  const none = fleetDashboard.parse((await get('/api/fleet/dashboard', restricted)).json());
  expect(none).toMatchObject({ customerCount: 0, totalMeasurements: 0, todayEnergyKwh: 0, customers: [] });
  await assign([own]);
});

it('the detail of a customer has its current records, the last 50 measurements and the last 20 batches', async () => {
  const answer = await get(detailPath, restricted);
  const detail = customerDetail.parse(answer.json());
  // Nothing undocumented.
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

it('a deleted customer is gone from every answer at once', async () => {
  const { id } = await createCustomer(fleet, 'short-lived');
  expect((await get('/api/fleet/dashboard', admin)).body).toContain('short-lived');
  await fleet.app.inject({ method: 'DELETE', url: `/api/admin/customers/${id}`, headers: admin });
  expect((await get('/api/fleet/dashboard', admin)).body).not.toContain('short-lived');
  expect((await get(detailPath, admin, id)).statusCode).toBe(404);
});
