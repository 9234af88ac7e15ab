import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { customerDetail, fleetDashboard, fleetSite, namedCustomer } from '../../shared/fleet.ts';
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
let ofEmptyFleet: unknown[];

beforeAll(async () => {
  const options = { now: () => now };
  const client = await createTestApp(options);
  fleet = await createAdminApp(options);
  admin = await fleet.signIn();
  const lists = ['customers', 'sites', 'groups'].map((list) => get(`/api/fleet/${list}?search=a&limit=5`, admin, ''));
  ofEmptyFleet = (await Promise.all(lists)).map((answer) => [answer.json(), answer.headers['x-total-count']]);
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
  for (const query of ['', '?search=works&state=late&sort=-name&limit=5']) {
    const none = fleetDashboard.parse((await get(`/api/fleet/dashboard${query}`, restricted)).json());
    expect(none).toMatchObject({ customerCount: 0, totalMeasurements: 0, todayEnergyKwh: 0, customers: [] });
    expect(none).toMatchObject({ foundCount: 0, isEnergyPending: false, stateCounts: { late: 0, sending: 0 } });
  }
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

async function found(path: string, headers = admin) {
  const answer = await get(`/api/fleet/${path}`, headers, '');
  const rows = z.array(z.union([namedCustomer, fleetSite])).parse(answer.json());
  return [rows.map(({ name }) => name), Number(answer.headers['x-total-count'])];
}

it('a search finds customers by words of name, code and group, without case and accents, the best matches first', async () => {
  expect(ofEmptyFleet).toEqual([
    [[], '0'],
    [[], '0'],
    [[], undefined],
  ]);
  const made = [
    await createCustomer(fleet, 'shop-1', { headers: admin, name: 'Café Süd', group: 'Bäder' }),
    await createCustomer(fleet, 'shop-10', { headers: admin, name: 'Süd 10', group: 'Zoo' }),
    await createCustomer(fleet, 'shop-2', { headers: admin, name: 'Süd 2', group: 'Bäder' }),
    await createCustomer(fleet, 'shop-3', { headers: admin, name: 'Großmarkt' }),
  ];
  expect(await found('customers?search=SUD')).toEqual([['Süd 2', 'Süd 10', 'Café Süd'], 3]);
  expect(await found('customers?search=sud&limit=1')).toEqual([['Süd 2'], 3]);
  expect(await found('customers?search=%20sud%20cafe')).toEqual([['Café Süd'], 1]);
  expect(await found('customers?search=shop+bader')).toEqual([['Café Süd', 'Süd 2'], 2]);
  expect(await found('customers?search=GROSSMARKT')).toEqual([['Großmarkt'], 1]);
  expect(await found('customers?search=nobody')).toEqual([[], 0]);
  expect(await found('customers?limit=2')).toEqual([['Café Süd', 'Großmarkt'], 6]);
  expect(await found(`customers?ids=${made[1]?.id},${made[3]?.id},${made[3]?.id}`)).toEqual([
    ['Großmarkt', 'Süd 10'],
    2,
  ]);
  expect((await get('/api/fleet/groups', admin)).json()).toEqual([{ name: 'Bäder' }, { name: 'Zoo' }]);
  expect((await get('/api/fleet/groups', restricted)).json()).toEqual([]);
  // A change shows in the next answer.
  const [first] = made;
  const url = `/api/admin/customers/${first?.id}`;
  await fleet.app.inject({ method: 'PUT', url, headers: admin, payload: { name: 'Nord', isActive: true } });
  expect(await found('customers?search=sud')).toEqual([['Süd 2', 'Süd 10'], 2]);
  for (const { id } of made) {
    await fleet.app.inject({ method: 'DELETE', url: `/api/admin/customers/${id}`, headers: admin });
  }
  expect(await found('customers?search=shop')).toEqual([[], 0]);
});

it('a search finds only what the account may see', async () => {
  expect(await found('customers?search=works')).toEqual([['Own Works', 'Undercover Works'], 2]);
  expect(await found('customers?search=works', restricted)).toEqual([['Own Works'], 1]);
  expect(await found(`customers?ids=${own},${hidden}`, restricted)).toEqual([['Own Works'], 1]);
  const [[site = '']] = z.tuple([z.array(z.string()), z.number()]).parse(await found('sites', restricted));
  expect(await found('sites?limit=1')).toEqual([[site], 2]);
  expect(await found(`sites?search=${site}`, restricted)).toEqual([[site], 1]);
  expect(await found(`sites?search=${site}+undercover`)).toEqual([[site], 1]);
  expect(await found(`sites?search=${site}+undercover`, restricted)).toEqual([[], 0]);
  const rename = (name: string) =>
    fleet.database.query({ text: 'UPDATE fleet.sites SET name = $2 WHERE customer_id = $1' }, [own, name]);
  await rename('Fabrik Köln');
  expect(await found('sites?search=koln', restricted)).toEqual([['Fabrik Köln'], 1]);
  await rename(site);
});

it.each([
  ['customers?limit=0', 'limit'],
  ['customers?limit=10001', 'limit'],
  ['customers?limit=many', 'limit'],
  ['sites?limit=', 'limit'],
  [`sites?search=${'a'.repeat(201)}`, 'search'],
  ['customers?search=a&search=b', 'search'],
  ['customers?ids=first', 'ids'],
])('a search with a bad value is rejected: %s', async (path, field) => {
  const answer = await get(`/api/fleet/${path}`, admin, '');
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { field }]);
});

it('customers are found, sorted and cut off by the portal; totals and counts are of all that the account may see', async () => {
  const ask = async (query: string, headers = admin) =>
    fleetDashboard.parse((await get(`/api/fleet/dashboard?${query}`, headers)).json());
  const names = async (query: string, headers = admin) => (await ask(query, headers)).customers.map(({ name }) => name);
  await createCustomer(fleet, 'late-comer', { name: 'Café 10', headers: admin });
  const { id } = await createCustomer(fleet, 'other', { name: 'Café 9', headers: admin });
  const payload = { name: 'Café 9', isActive: false, group: 'Zürich' };
  await fleet.app.inject({ method: 'PUT', url: `/api/admin/customers/${id}`, headers: admin, payload });

  const all = await ask('');
  expect(all.stateCounts).toMatchObject({ late: 2, never: 1, inactive: 1, sending: 0 });
  expect(all).toMatchObject({ customerCount: 4, foundCount: 4 });
  expect(all.customers.map(({ name }) => name)).toEqual(['Café 10', 'Own Works', 'Undercover Works', 'Café 9']);
  expect(await names('search=zurich+cafe')).toEqual(['Café 9']);
  expect(await names('search=COMER')).toEqual(['Café 10']);
  expect(await names('search=cafe&sort=name')).toEqual(['Café 9', 'Café 10']);
  expect(await names('sort=-name&limit=1')).toEqual(['Undercover Works']);
  expect(await names('state=late&sort=-energyTodayKwh')).toEqual(['Own Works', 'Undercover Works']);
  const cut = await ask('search=works&limit=1');
  expect(cut).toMatchObject({ foundCount: 2, customers: [{ name: 'Own Works' }] });
  expect({ ...cut, foundCount: 4, customers: all.customers }).toEqual(all);

  // Nobody learns of others by counts, or by searching for them.
  const theirs = await ask('search=cafe', restricted);
  expect(theirs).toMatchObject({ customerCount: 1, foundCount: 0, customers: [] });
  expect(Object.values(theirs.stateCounts).reduce((sum, count) => sum + count, 0)).toBe(1);

  const refused = [
    ['state=lost', 'state: must be one of silent, failing'],
    ['sort=code', 'sort: must be one of name, lastSeenAt'],
    ['limit=0', 'limit: must be'],
    ['limit=many', 'limit: must be'],
    [`search=${'x'.repeat(201)}`, 'search: must'],
    ['search=a&search=b', 'search: must'],
  ] as const;
  for (const [query, error] of refused) {
    const answer = await get(`/api/fleet/dashboard?${query}`, admin);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, expect.stringContaining(error)]);
  }
});
