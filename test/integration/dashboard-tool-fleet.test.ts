import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { FleetDays, fleetLimits } from '../../server/fleet/fleet-days.ts';
import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { listNamedCustomers } from '../../server/fleet/fleet-customers.sql.ts';
import { dayOf } from '../../server/energy/energy.rules.ts';
import { allCustomers } from '../../server/base/scopes.ts';
import {
  dashboardSpec,
  heatmapAnswer,
  querySpec,
  seriesAnswer,
  toolLimits,
  toolSites,
  totalsAnswer,
} from '../../shared/dashboard-tool.ts';
import { showsTotals } from '../../shared/dashboard-panels.ts';
import { fleetDashboard } from '../../shared/fleet.ts';
import { provisionedFor } from '../../dashboards/server/provisioned/provisioned.ts';
import { createUser } from '../support/accounts.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { openTestTool, somebody, type TestTool, viewer } from '../support/dashboard-tool.ts';
import { copyToFleet, createCustomer } from '../support/fleet.ts';
import { createDevice, createSite, createTariff, post } from '../support/sites.ts';

let now = Date.parse('2026-03-29T21:30:00Z');
const seenAt = '2026-03-29T21:29:00Z';
/** For the fleet: clocks in Berlin go forward today. */
const timeZone = 'Europe/Berlin';
const customerCount = 300;
/** Whole quarter-hours, which a large fleet reads. */
const range = { from: '2026-03-27T08:15:00Z', to: '2026-03-29T20:00:00Z' };
const days = { fromDate: '2026-03-27', toDate: '2026-03-30' };
const prototypes: string[] = [];
const tokens: string[] = [];
/** How many customers copy each prototype, including itself. */
const sizes = new Map<string, number>();
const failing = (error: unknown) => expect.fail(String(error));
let fleet: TestApp;
let tool: TestTool;
/** Sees all but the last customer. */
let restricted = { ...viewer };
let unseen = '';

const copied = [
  'municipalities',
  'sites',
  'devices',
  'tariffs',
  'tariff_periods',
  'energy_state',
  'energy_days',
  'energy_weeks',
  'energy_flags',
];

async function createClient(): Promise<TestApp> {
  const client = await createTestApp({ now: () => now });
  const session = { app: client.app, headers: await client.signIn() };
  for (const [at, zone] of ['Europe/Berlin', 'Asia/Tokyo'].entries()) {
    const site = await createSite(session, { name: `Site ${at}`, timeZone: zone });
    await createTariff(session, site, at === 0 ? {} : { currency: 'JPY', defaultRatePerKwh: 25.37 });
    const main = await createDevice(session, site, { externalId: `main ${at}` });
    await createDevice(session, site, { externalId: `part ${at}`, parentDeviceId: main });
    await createDevice(session, site, { externalId: `other ${at}` });
    for (const [device, name] of ['main', 'part', 'other'].entries()) {
      // Some days, with one device silent for some hours; the energy in between is interpolated.
      const rows = Array.from({ length: 4 * 96 + 80 }, (_, row) => ({
        externalId: `${name} ${at}`,
        time: new Date(Date.parse('2026-03-25T00:00:00Z') + row * 900_000).toISOString(),
        activePowerKw: 3 + device + ((row * 13 + at) % 37) / 3 - (device === 2 ? 8 : 0),
        ...(device === 2 && { energyImportedKwh: row * 0.7 }),
      })).filter((_, row) => device !== 2 || row < 248 || row >= 264);
      await post(session, '/api/ingest/measurements', rows);
    }
  }
  return client;
}

/** Customers like the first, the second and the third one in turn. */
async function cloneCustomers(): Promise<void> {
  const count = customerCount - prototypes.length;
  const ids = Array.from({ length: count }, () => randomUUID());
  const originals = ids.map((_, at) => prototypes[at % prototypes.length] ?? '');
  await fleet.database.query(
    {
      text: `WITH made AS (
               INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
               SELECT id, 'clone-' || n, 'Clone ' || n, true, sha256(id::text::bytea), now(), now()
               FROM unnest($1::uuid[]) WITH ORDINALITY AS c (id, n) RETURNING id)
             INSERT INTO fleet.customer_state (customer_id) SELECT id FROM made`,
    },
    [ids],
  );
  for (const table of copied) {
    await fleet.database.query(
      {
        text: `INSERT INTO fleet.${table}
               SELECT (jsonb_populate_record(t, jsonb_build_object('customer_id', c.id))).*
               FROM unnest($1::uuid[], $2::uuid[]) AS c (id, original) JOIN fleet.${table} t ON t.customer_id = c.original`,
      },
      [ids, originals],
    );
  }
  for (const id of originals) sizes.set(id, (sizes.get(id) ?? 1) + 1);
  unseen = ids[0] ?? '';
}

beforeAll(async () => {
  const client = await createClient();
  fleet = await createAdminApp({ now: () => now, environment: { Application__TimeZone: timeZone } });
  for (const code of ['first', 'second', 'third']) {
    const { id, token } = await createCustomer(fleet, code);
    prototypes.push(id);
    tokens.push(token);
    await copyToFleet(client, fleet, id, seenAt);
  }
  await client.close();
  // They differ in their removals.
  const remove = (at: number, names: string[]) =>
    fleet.database.query(
      { text: `UPDATE fleet.devices SET removed_at = now() WHERE customer_id = $1 AND external_id = ANY ($2)` },
      [prototypes[at], names],
    );
  await remove(1, ['other 0', 'main 1']);
  await remove(2, ['main 0', 'part 0', 'part 1']);
  const materialize = createFleetMaterializer(fleet.database, failing);
  while ((await materialize(new AbortController().signal)) > 0);
  await cloneCustomers();
  const { id: user } = await createUser(fleet, { email: 'north@example.com', roles: ['RestrictedAdmin'] });
  await fleet.database.query(
    {
      text: `INSERT INTO fleet.customer_access (user_id, customer_id) SELECT $1, id FROM fleet.customers WHERE id <> $2`,
    },
    [user, unseen],
  );
  restricted = { ...viewer, user, role: 'RestrictedAdmin' };
  tool = await openTestTool(fleet, { now: () => now });
});
afterAll(async () => {
  await tool[Symbol.asyncDispose]();
  await fleet.close();
});

async function asked(path: string, payload: object, as = somebody) {
  const answer = await tool.ask(`/api/${path}`, {
    payload: 'fromDate' in payload ? payload : { ...range, ...payload },
    as,
  });
  expect(answer.status, answer.body).toBe(200);
  return answer.json();
}
const totals = async (payload: object, as = somebody) => totalsAnswer.parse(await asked('totals', payload, as)).totals;
const series = async (payload: object) => seriesAnswer.parse(await asked('query', payload)).series;
const refusal = async (path: string, payload: object) => {
  const { status, body } = await tool.ask(`/api/${path}`, { payload: { ...range, ...payload } });
  return `${status} ${body}`;
};

/** The data of the prototypes, each multiplied by the number of its customers, by name and unit, at each time. */
async function sumOfAlike<Answer>(
  ask: (customers: string[]) => Promise<Answer>,
  valuesOf: (answer: Answer) => [string, number | null][],
) {
  const sums = new Map<string, number | null>();
  for (const [id, count] of sizes) {
    for (const [key, value] of valuesOf(await ask([id]))) {
      sums.set(key, value === null ? (sums.get(key) ?? null) : (sums.get(key) ?? 0) + value * count);
    }
  }
  return Object.fromEntries([...sums].map(([key, value]) => [key, value === null ? null : expect.closeTo(value, 6)]));
}
const byUnit = (all: Awaited<ReturnType<typeof totals>>) =>
  all.map(({ labels, name, unit, value }): [string, number | null] => [`${labels['line']} ${name} ${unit}`, value]);
const byTime = (all: Awaited<ReturnType<typeof series>>) =>
  all.flatMap(({ labels, name, unit, points }) =>
    points.map(([at, value]): [string, number | null] => [`${labels['line']} ${name} ${unit} ${at}`, value]),
  );

describe('About all customers of a large fleet', () => {
  test.each([range, days])(
    'energy and cost are the sums of what each has by itself, to the cent: %o',
    async (asked) => {
      for (const question of [
        { measure: 'energy' },
        { measure: 'energy', split: 'period' },
        { measure: 'cost' },
        { measure: 'cost', split: 'period' },
      ]) {
        const whole = { ...question, ...asked };
        const alike = await sumOfAlike((customers) => totals({ ...whole, customers }), byUnit);
        expect(Object.keys(alike).length).toBeGreaterThan(0);
        expect(Object.fromEntries(byUnit(await totals(whole))), JSON.stringify(whole)).toEqual(alike);
      }
    },
  );

  test.each<object>([
    { measure: 'power', step: 900 },
    { measure: 'power', step: 3600 },
    { measure: 'energy', step: 3600 },
    { measure: 'energy', step: 86_400, ...days },
    { measure: 'demand', step: 900 },
    { measure: 'energy', split: 'period', step: 86_400, ...days },
    { measure: 'cost', split: 'period', step: 86_400, ...days },
    { measure: 'cost', step: 2_592_000, ...days },
  ])('series are the sums of those of each: %o', async (question) => {
    const alike = await sumOfAlike((customers) => series({ ...question, customers }), byTime);
    expect(Object.values(alike).filter((value) => value !== null).length).toBeGreaterThan(0);
    expect(Object.fromEntries(byTime(await series(question)))).toEqual(alike);
  });

  test('the peak is that of all together, and the map has the hours of all', async () => {
    const [peak] = await totals({ measure: 'demand' });
    const [curve] = await series({ measure: 'demand', step: 900 });
    const highest = Math.max(...(curve?.points ?? []).map(([, kw]) => kw ?? 0));
    expect(peak).toMatchObject({ name: 'Total', value: expect.closeTo(highest, 6) });
    const first = (curve?.points ?? []).find(([, kw]) => kw !== null && kw > highest - 1e-6);
    expect(Date.parse(peak?.at ?? '')).toBe(first?.[0]);
    const map = async (customers: string[]) =>
      heatmapAnswer.parse(await asked('heatmap', { measure: 'power', customers })).days;
    const flat = (all: Awaited<ReturnType<typeof map>>) =>
      all.flatMap(({ date, values }) => values.map((kw, hour): [string, number | null] => [`${date} ${hour}`, kw]));
    expect(Object.fromEntries(flat(await map([])))).toEqual(await sumOfAlike(map, flat));
  });

  test("today's energy is that of the portal's fleet page, of all and of each that is named", async () => {
    const answer = await fleet.app.inject({ url: '/api/fleet/dashboard', headers: await fleet.signIn() });
    const page = fleetDashboard.parse(answer.json());
    const today = { measure: 'energy', from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' };
    expect(await totals(today)).toMatchObject([{ value: expect.closeTo(page.todayEnergyKwh, 6) }]);
    const energyOf = new Map(page.customers.map(({ id, energyTodayKwh }) => [id, energyTodayKwh]));
    for (const { labels, value } of await totals({ ...today, split: 'customer' })) {
      if (labels['customerId'] !== undefined) expect(value).toBeCloseTo(energyOf.get(labels['customerId']) ?? NaN, 9);
    }
  });

  test('by customer, every answer names those with the most energy, and sums the rest', async () => {
    const most = toolLimits.series - 1;
    const rest = `Others (${customerCount - most})`;
    const energy = await totals({ measure: 'energy', split: 'customer' });
    expect(energy.map(({ name }) => name).at(-1)).toBe(rest);
    const named = energy.slice(0, -1).map(({ labels }) => labels['customerId'] ?? '');
    expect(named).toHaveLength(most);
    const [all] = await totals({ measure: 'energy' });
    expect(energy.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBeCloseTo(all?.value ?? NaN, 6);
    const least = Math.min(...energy.slice(0, -1).map(({ value }) => value ?? 0));
    const byItself = await totals({ measure: 'energy', split: 'customer', customers: prototypes });
    expect(least).toBeCloseTo(Math.max(...byItself.map(({ value }) => value ?? 0)), 9);
    for (const measure of ['cost', 'demand'] as const) {
      const found = await totals({ measure, split: 'customer' });
      expect(new Set(found.map(({ labels }) => labels['customerId'] ?? rest))).toEqual(new Set([...named, rest]));
      const own = await totals({ measure, split: 'customer', customers: named.slice(0, 3) });
      expect(found.filter(({ labels }) => named.slice(0, 3).includes(labels['customerId'] ?? ''))).toEqual(own);
    }
    const curves = await series({ measure: 'power', split: 'customer', step: 900 });
    expect(curves.map(({ name }) => name)).toEqual(energy.map(({ name }) => name));
  });

  test('a customer that was renamed has its new name in the next answer', async () => {
    const question = { ...range, measure: 'energy', split: 'customer' };
    const [largest] = await totals(question);
    const id = largest?.labels['customerId'];
    const rename = (name: string | undefined) =>
      fleet.database.query({ text: 'UPDATE fleet.customers SET name = $2 WHERE id = $1' }, [id, name]);
    await rename('Aardvark & Sons');
    const [renamed] = await totals(question);
    await rename(largest?.name);
    expect(renamed).toMatchObject({
      name: 'Aardvark & Sons',
      labels: { customerId: id, customer: 'Aardvark & Sons' },
      value: largest?.value,
    });
  });

  test('readings received since are in the next answer before they are materialized; if they are too many, the answer counts the pending customers', async () => {
    const question = { measure: 'energy', from: '2026-03-29T20:00:00Z', to: '2026-03-29T21:30:00Z' };
    expect(await totals(question)).toMatchObject([{ value: 0 }]);
    const { rows } = await fleet.database.query<{ id: string }>(
      { text: `SELECT id FROM fleet.devices WHERE customer_id = $1 AND external_id = 'main 0'` },
      [prototypes[0]],
    );
    const records = [0, 1, 2, 3].map((at) => ({
      deviceId: rows[0]?.id,
      time: new Date(Date.parse('2026-03-29T20:00:00Z') + at * 900_000).toISOString(),
      activePowerKw: 8,
    }));
    const pushed = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': tokens[0], 'x-batch-type': 'measurements' },
      payload: records,
    });
    expect(pushed.json()).toMatchObject({ accepted: records.length });
    const answered = async () => {
      // Customers that were not up to date are read again after some seconds.
      now += 6_000;
      return totalsAnswer.parse(await asked('totals', question));
    };
    await expect.poll(async () => (await answered()).pendingCustomers).toBe(0);
    const { totals: found } = await answered();
    expect(found).toEqual(await totals({ ...question, customers: [prototypes[0]] }));
    expect(found[0]?.value).toBeGreaterThan(5);

    // More than is computed for one query.
    await fleet.database.query(
      {
        text: `INSERT INTO fleet.energy_dirty_ranges (customer_id, id, device_number, from_time, to_time)
               SELECT $1, n, 1, '2026-03-26Z', '2026-03-27Z' FROM generate_series(1, 501) n`,
      },
      [prototypes[1]],
    );
    await fleet.database.query(
      { text: `UPDATE fleet.customer_state SET batch_count = batch_count + 1 WHERE customer_id = $1` },
      [prototypes[1]],
    );
    expect(await answered()).toEqual({ totals: found, pendingCustomers: 1 });
    await fleet.database.query({ text: `DELETE FROM fleet.energy_dirty_ranges WHERE customer_id = $1` }, [
      prototypes[1],
    ]);
    expect(await answered()).toEqual({ totals: found, pendingCustomers: 0 });
  });

  test('energy left uncomputed when a client disconnected is computed for the next client', async () => {
    const { rows } = await fleet.database.query<{ id: string }>(
      { text: `SELECT id FROM fleet.devices WHERE customer_id = $1 AND external_id = 'other 0'` },
      [prototypes[0]],
    );
    const pushed = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: { 'x-customer-token': tokens[0], 'x-batch-type': 'measurements' },
      payload: [0, 1, 2, 3].map((at) => ({
        deviceId: rows[0]?.id,
        time: new Date(Date.parse('2026-03-29T20:00:00Z') + at * 900_000).toISOString(),
        activePowerKw: 60,
      })),
    });
    expect(pushed.json()).toMatchObject({ accepted: 4 });
    const slots = new FleetDays(() => now, failing);
    const customers = (await listNamedCustomers(fleet.database, allCustomers)).filter(({ id }) => id === prototypes[0]);
    const today = { fromDay: dayOf(now * 1000), toDay: dayOf(now * 1000) + 1 };
    const asking = { accountId: somebody.user, askedAtMs: now };
    const gone = new AbortController();
    const leaving = fleet.database.until(gone.signal);
    // Data that is not materialized is read customer by customer.
    vi.spyOn(leaving, 'forCustomer').mockImplementation((id) => {
      gone.abort(new Error('gone'));
      return fleet.database.forCustomer(id);
    });
    await expect(slots.read(leaving, customers, today, asking)).rejects.toThrow('gone');
    const energyOf = ({ customers: [customer] }: Awaited<ReturnType<FleetDays['read']>>) =>
      customer?.sites.flatMap(({ days: own }) => [...own].map(([day, { energy }]) => [day, energy.importedKwh]));
    const next = await slots.read(fleet.database, customers, today, asking);
    expect(next.pendingCount).toBe(0);
    const fresh = await new FleetDays(() => now, failing).read(fleet.database, customers, today, asking);
    expect(energyOf(next)).toEqual(energyOf(fresh));
  });

  test('cached days are dropped before anything else is read, whether or not the client still waits', async () => {
    const slots = new FleetDays(() => now, failing, 8);
    const customers = await listNamedCustomers(fleet.database, allCustomers);
    const some = { fromDay: dayOf(now * 1000) - 3, toDay: dayOf(now * 1000) + 1 };
    const read = (at: number) =>
      slots.read(
        fleet.database,
        customers.filter(({ id }) => id === prototypes[at]),
        some,
        { accountId: somebody.user, askedAtMs: now },
      );
    await read(0);
    expect(slots.keptSiteDays).toBeGreaterThan(4);
    // Its sites are read first, then its days.
    const { snapshot } = Database.prototype;
    const reading = vi
      .spyOn(Database.prototype, 'snapshot')
      .mockImplementationOnce(function (this: Database, readSites) {
        return snapshot.call(this, readSites);
      })
      .mockRejectedValue(new Error('gone'));
    await expect(read(1)).rejects.toThrow('gone');
    reading.mockRestore();
    expect(slots.keptSiteDays).toBe(0);
    await read(1);
    expect(slots.keptSiteDays).toBeLessThanOrEqual(8);
  });

  test('a RestrictedAdmin sees only the assigned customers, whoever asked before', async () => {
    const [all] = await totals({ measure: 'energy' });
    const [seen] = await totals({ measure: 'energy' }, restricted);
    const [hidden] = await totals({ measure: 'energy', customers: [unseen] });
    expect(seen?.value).toBeCloseTo((all?.value ?? NaN) - (hidden?.value ?? NaN), 6);
    expect(hidden?.value).toBeGreaterThan(0);
    expect(await totals({ measure: 'energy', customers: [unseen] }, restricted)).toEqual([]);
    for (const path of ['query', 'totals']) {
      const answer = await tool.ask(`/api/${path}`, {
        payload: { measure: 'energy', split: 'customer', ...range },
        as: restricted,
      });
      expect(answer).toMatchObject({ status: 200, body: expect.not.stringContaining(unseen) });
      expect(answer.body).toContain(`Others (${customerCount - toolLimits.series})`);
    }
    expect(await tool.ask('/api/totals', { payload: { measure: 'energy', ...range }, as: viewer })).toMatchObject({
      status: 403,
    });
  });

  test('a measure that needs each device requires a choice of customers, and a range that is too long names the limit', async () => {
    for (const question of [
      { measure: 'voltage' },
      { measure: 'energy', split: 'device' },
      { measure: 'cost', split: 'site' },
      { measure: 'energy', devices: [randomUUID()] },
    ]) {
      expect(await refusal('totals', question)).toMatch(/^400.*for up to 200 customers; choose some of them/);
    }
    const most = Math.floor(fleetLimits.siteDays / (customerCount * 2));
    expect(await refusal('totals', { measure: 'energy', from: '2016-03-27T08:15:00Z' })).toMatch(
      new RegExp(`^400.*of 300 customers; at most ${most} days can be read\\. Choose a shorter range`),
    );
    expect(toolSites.parse((await tool.ask('/api/sites')).json())).toEqual([]);
    expect(toolSites.parse((await tool.ask(`/api/sites?customer=${prototypes[0]}`)).json())).toHaveLength(2);
  });

  test('the overview that ships is answered whole', async () => {
    const { panels } = dashboardSpec.parse(provisionedFor('Admin')['overview']);
    const heatmap = querySpec.pick({ measure: true }).loose();
    let count = 0;
    for (const [key, { spec }] of Object.entries(panels)) {
      const questions = (spec.queries ?? []).map(({ spec: { plugin } }) => ({
        path: showsTotals(spec.plugin.kind, spec.plugin.spec) ? 'totals' : 'query',
        question: { measure: plugin.spec.measure, split: plugin.spec.split },
      }));
      if (spec.plugin.kind === 'LoadHeatmap') {
        questions.push({
          path: 'heatmap',
          question: { measure: heatmap.parse(spec.plugin.spec).measure, split: 'none' },
        });
      }
      for (const { path, question } of questions) {
        const answer = await tool.ask(`/api/${path}`, { payload: { ...range, ...question } });
        expect(answer.status, `${key}: ${answer.body.slice(0, 300)}`).toBe(200);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(7);
  });
});
