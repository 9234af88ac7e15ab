import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fleetIngestResult } from '../../shared/push.ts';
import { device } from '../../shared/sites.ts';
import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { dayOf } from '../../server/energy/energy.rules.ts';
import { listDayChecksums } from '../../server/energy/day-checksums.sql.ts';
import { findReconciliation } from '../../server/push/push-reconciliation.sql.ts';
import { requestReconciliation } from '../../server/push/push-reconciliation.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { readSlots } from '../support/energy-rollup.ts';
import { createCustomer } from '../support/fleet.ts';
import { createPusher, stateOf, untilDue } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-03-10T00:00:00Z');

const nowMs = start + 5 * dayMs;
let client: TestApp;
let fleet: TestApp;
let url = '';
let headers = { cookie: '' };
let customer = { id: '', token: '' };
let customers = 0;
let deviceId = '';
let siteId = '';

beforeAll(async () => {
  [client, fleet] = await Promise.all([createTestApp({ now: () => nowMs }), createAdminApp({ now: () => nowMs })]);
  url = `${await fleet.app.listen({ host: '127.0.0.1', port: 0 })}/api/fleet/ingest`;
  headers = await client.signIn();
  siteId = await createSite({ app: client.app, headers });
});
afterAll(() => Promise.all([client.close(), fleet.close()]));
beforeEach(async () => {
  await client.database.query({ text: 'TRUNCATE monitoring.intervals' });
  customers += 1;
  customer = await createCustomer(fleet, `profile-${customers}`);
  deviceId = await createDevice({ app: client.app, headers }, siteId, { externalId: `p-${customers}` });
});

const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const quarter = (index: number) => ({
  externalId: `p-${customers}`,
  from: at(15 * index),
  to: at(15 * (index + 1)),
  importedKwh: (index % 9) / 4,
  exportedKwh: index % 5 === 0 ? 0.5 : null,
});
const post = async (path: string, payload: object[]) => {
  const answer = await client.app.inject({ method: 'POST', url: path, payload, headers });
  expect(answer.json()).toMatchObject({ accepted: payload.length });
};
const store = (count: number) =>
  post(
    '/api/ingest/intervals',
    Array.from({ length: count }, (_, at) => quarter(at)),
  );
const push = async (options: { batchSize?: number; target?: string } = {}) => {
  await untilDue(client);
  const target = options.target ?? customer.id;
  const pusher = createPusher(
    client,
    { url, batches: [] },
    { now: () => nowMs, token: customer.token, ...options, target },
  );
  await pusher.tick();
};
const unpushed = async () =>
  (await client.database.query({ text: 'SELECT FROM monitoring.intervals WHERE NOT is_pushed' })).rowCount;
const inFleet = async (text: string) =>
  (await fleet.database.query({ text: text.replaceAll('$1', `'${customer.id}'`) })).rowCount;
const count = () => inFleet('SELECT FROM fleet.intervals WHERE customer_id = $1');
const days = { firstDay: dayOf(start * 1000) - 1, count: 8 };
const slots = () =>
  Promise.all([
    readSlots(client.database, deviceId, days),
    readSlots(fleet.database.forCustomer(customer.id), deviceId, days),
  ]);
const everything = {
  fromMicros: days.firstDay * 86_400_000_000,
  toMicros: (days.firstDay + days.count) * 86_400_000_000,
};
const checksums = () =>
  Promise.all([
    listDayChecksums(client.database, [deviceId], everything),
    listDayChecksums(fleet.database.forCustomer(customer.id), [deviceId], everything),
  ]);
const send = async (payload: object[], token = customer.token) =>
  fleet.app.inject({
    method: 'POST',
    url: '/api/fleet/ingest',
    payload,
    headers: { 'x-customer-token': token, 'x-batch-type': 'intervals' },
  });

describe('intervals of a Client', () => {
  it('have the same slots in the fleet, beside readings, and only once however often they are sent', async () => {
    await store(100);
    const readings = [1000, 1010, 1500, 1600].map((minutes, index) => ({
      externalId: `p-${customers}`,
      time: at(minutes),
      activePowerKw: 2,
      energyImportedKwh: index >= 2 ? 10 * index : null,
    }));
    await post('/api/ingest/measurements', readings);
    await push();
    expect([await count(), await unpushed()]).toEqual([100, 0]);
    const [own, copied] = await slots();
    expect(copied).toEqual(own);
    expect(own.energy.importedKwh.reduce((sum, kwh) => sum + kwh, 0)).toBeGreaterThan(50);
    // A lost answer.
    await client.database.query({ text: 'UPDATE monitoring.intervals SET is_pushed = false' });
    await push();
    expect(await count()).toBe(100);
    expect((await slots())[1]).toEqual(own);
    expect(await stateOf(client, 'intervals')).toMatchObject({ failures: 0, rejectedRows: 0 });
  });

  it('go in batches, three a tick, and the state tells how many are left', async () => {
    await store(95);
    await push({ batchSize: 20 });
    expect([await count(), await unpushed()]).toEqual([60, 35]);
    const answer = await client.app.inject({ url: '/api/admin/push', headers });
    const { resources } = answer.json<{ resources: { resource: string; backlogRows: number | null }[] }>();
    expect(resources.find(({ resource }) => resource === 'intervals')).toMatchObject({ backlogRows: 35 });
    await push({ batchSize: 20 });
    expect([await count(), await unpushed()]).toEqual([95, 0]);
  });

  it('are the newest readings of their device on the page of the customer', async () => {
    await store(3);
    await push();
    const materialize = createFleetMaterializer(fleet.database, (error) => expect.fail(String(error)));
    while ((await materialize(new AbortController().signal)) > 0);
    const answer = await fleet.app.inject({
      url: `/api/fleet/customers/${customer.id}/detail`,
      headers: await fleet.signIn(),
    });
    const { devices } = z
      .object({ devices: z.array(device.pick({ externalId: true, lastMeasuredAt: true })) })
      .parse(answer.json());
    expect(devices).toContainEqual({ externalId: `p-${customers}`, lastMeasuredAt: '2026-03-10T00:45:00Z' });
  });

  it('all go to another fleet', async () => {
    await store(5);
    await push({ target: 'one' });
    customer = await createCustomer(fleet, `profile-${customers}-again`);
    await push({ target: 'another' });
    expect(
      await inFleet(
        "SELECT FROM fleet.intervals i JOIN fleet.devices d ON d.customer_id = i.customer_id AND d.number = i.device_number WHERE i.customer_id = $1 AND d.external_id LIKE 'p-%'",
      ),
    ).toBeGreaterThanOrEqual(5);
    expect((await slots())[1]).toEqual((await slots())[0]);
  });

  it('that the fleet lost, or has with other energy, are found by the comparison and sent again', async () => {
    await store(200);
    await push();
    const of = `customer_id = $1 AND device_number = (SELECT number FROM fleet.devices WHERE customer_id = $1 AND id = '${deviceId}')`;
    expect(await inFleet(`DELETE FROM fleet.intervals WHERE ${of} AND from_time < '2026-03-10T12:00:00Z'`)).toBe(48);
    expect(
      await inFleet(
        `UPDATE fleet.intervals SET imported_milliwatthours = 7 WHERE ${of} AND from_time = '2026-03-11T00:00:00Z'`,
      ),
    ).toBe(1);
    expect((await checksums())[1]).not.toEqual((await checksums())[0]);
    const by = { actor: { kind: 'system' }, log: { info: () => undefined } } as const;
    await requestReconciliation({ database: client.database, by }, true, nowMs);
    for (let rounds = 0; rounds < 40; rounds += 1) {
      await push();
      if ((await findReconciliation(client.database))?.isRunning === false && (await unpushed()) === 0) break;
    }
    const [own, copied] = await checksums();
    expect(copied).toEqual(own);
    expect(own).toMatchObject([{ count: 96 }, { count: 96 }, { count: 8 }]);
    expect((await slots())[1]).toEqual((await slots())[0]);
  });
});

describe('a batch of intervals', () => {
  const row = (from: number, to: number, importedKwh: unknown = 1) => ({
    deviceId,
    from: at(from),
    to: at(to),
    importedKwh,
  });

  it('takes the place of what it overlaps, and its slots follow', async () => {
    await store(1);
    await push();
    // Only now do all sets show that they belong to another fleet.
    await push();
    const before = await count();
    expect((await send([row(1440, 1455), row(1455, 1470)])).json()).toMatchObject({ accepted: 2 });
    expect((await send([row(1440, 1470, 8)])).json()).toMatchObject({ accepted: 1, rejected: 0 });
    expect(await count()).toBe(before + 1);
    const { energy } = await readSlots(fleet.database.forCustomer(customer.id), deviceId, days);
    expect(energy.importedKwh.slice(2 * 96, 2 * 96 + 3)).toEqual(Float64Array.of(4, 4, 0));
  });

  it('judges row by row: who, when and how much', async () => {
    const bad = [
      { ...row(0, 15), deviceId: 'x' },
      row(15, 0),
      row(0, 15, -1),
      row(0, 15, null),
      { ...row(0, 15), to: at(9 * 1440) },
    ];
    const answer = await send([...bad, row(30, 45)]);
    const result = fleetIngestResult.parse(answer.json());
    expect(result).toMatchObject({ accepted: 1, rejected: 5 });
    expect((await send([])).statusCode).toBe(200);
    expect((await send([row(30, 45)], 'f'.repeat(64))).statusCode).toBe(401);
    const list = await fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      payload: '[5]',
      headers: { 'x-customer-token': customer.token, 'x-batch-type': 'intervals', 'content-type': 'application/json' },
    });
    expect(list.statusCode).toBe(400);
  });

  it('is of its customer alone', async () => {
    const { token } = customer;
    const other = await createCustomer(fleet, `profile-${customers}-other`);
    expect((await send([row(0, 15)])).json()).toMatchObject({ accepted: 1 });
    expect((await send([row(5, 10)], other.token)).json()).toMatchObject({ accepted: 1 });
    expect((await send([row(0, 15)], token)).json()).toMatchObject({ accepted: 1 });
    expect(await count()).toBe(1);
  });

  it('goes with its customer', async () => {
    expect((await send([row(0, 15)])).json()).toMatchObject({ accepted: 1 });
    const answer = await fleet.app.inject({
      method: 'DELETE',
      url: `/api/admin/customers/${customer.id}`,
      headers: await fleet.signIn(),
    });
    expect(answer.statusCode).toBe(204);
    await expect.poll(count, { timeout: 10_000 }).toBe(0);
    expect((await send([row(0, 15)])).statusCode).toBe(401);
  });
});
