import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Incoming, KeyDeliveries } from '../../shared/arrivals.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

let now = Date.now();
const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
let key: { id: string; key: string };
const unknownId = '019a0000-0000-7000-8000-000000000001';

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const site = await createSite(session, { name: 'Works' });
  await createDevice(session, site, { externalId: 'm1', name: 'Main meter' });
  await createDevice(session, site, { externalId: 'm2' });
  const created = await ask('POST', '/api/api-keys', { name: 'Gateway' });
  key = created.json();
});
beforeEach(async () => {
  await ask('GET', '/api/incoming');
  const tables = 'monitoring.arrivals, monitoring.delivery_hours, monitoring.arrivals_watched';
  await portal.database.query({ text: `TRUNCATE ${tables}` });
  now += 60_000;
});

/** By then the sessions are over. */
const nextDay = async () => {
  now += 25 * 3_600_000;
  admin = await portal.signIn();
};
const ask = (method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = admin) =>
  portal.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const deliver = (rows: object | readonly object[], headers?: Record<string, string>, of = portal) =>
  of.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    headers: headers ?? { authorization: `Bearer ${key.key}` },
    payload: rows,
  });
const row = (externalId: string, secondsAgo: number, activePowerKw: unknown = 1.5) => ({
  externalId,
  time: new Date(now - secondsAgo * 1000).toISOString(),
  activePowerKw,
});
const incoming = async () => (await ask('GET', '/api/incoming')).json<Incoming>();
const deliveries = async () => (await ask('GET', `/api/api-keys/${key.id}/deliveries`)).json<KeyDeliveries>();

describe('Incoming', () => {
  test('has the newest delivery first, and its rejected rows before the others', async () => {
    await deliver([row('m1', 10), row('m2', 10), row('nobody', 10)]);
    now += 1000;
    const answer = await deliver([row('m1', 5), row('zero', 5)]);
    // The stored details of a rejected row beside its reason are not part of the answer.
    expect(answer.json<{ errors: object[] }>().errors).toEqual([
      {
        index: 1,
        externalId: 'zero',
        reason: expect.stringContaining('no device has this external ID'),
        refusal: { code: 'rowOfNoDevice', params: {}, field: 'externalId' },
      },
    ]);
    const { rows } = await incoming();
    expect(rows.map(({ externalId }) => externalId)).toEqual(['zero', 'm1', 'nobody', 'm2']);
  });

  test('shows the latest row of each device with value, time, sender and verdict, and rejected rows with their reason', async () => {
    await deliver([row('m1', 20), row('m1', 10, 2.5), row('nobody', 10), row('m2', 10, 'much'), { time: 'x' }]);
    const { at, rows } = await incoming();
    expect(Date.parse(at)).toBe(now);
    const apiKey = { id: key.id, name: 'Gateway' };
    const byId = (id: string | null) => rows.find(({ externalId }) => externalId === id);
    expect(rows).toHaveLength(4);
    expect(byId('m1')).toMatchObject({
      verdict: 'accepted',
      activePowerKw: 2.5,
      apiKey,
      device: { name: 'Main meter', siteName: 'Works', timeZone: 'Europe/Berlin' },
    });
    expect(Date.parse(byId('m1')?.measuredAt ?? '')).toBe(now - 10_000);
    expect(Date.parse(byId('m1')?.receivedAt ?? '')).toBe(now);
    const reason = 'externalId: no device has this external ID; create the device under Sites first';
    expect(byId('nobody')).toMatchObject({ verdict: 'rejected', field: 'externalId', reason, device: null });
    expect(byId('m2')).toMatchObject({ verdict: 'rejected', field: 'activePowerKw', device: { name: 'm2' } });
    for (const id of ['nobody', 'm2']) expect(Date.parse(byId(id)?.measuredAt ?? '')).toBe(now - 10_000);
    expect(byId(null)).toMatchObject({ verdict: 'rejected', field: 'externalId' });
  });

  test('a request with only stored rows is a duplicate; the next one with a new row is accepted', async () => {
    const rows = [row('m1', 300)];
    await deliver(rows);
    await deliver(rows);
    expect((await incoming()).rows).toMatchObject([{ externalId: 'm1', verdict: 'known' }]);
    now += 1_000;
    await deliver([row('m1', 1)], admin);
    const [latest, before] = (await incoming()).rows;
    expect(latest).toMatchObject({ verdict: 'accepted', apiKey: null });
    expect(before).toMatchObject({ verdict: 'known', apiKey: { name: 'Gateway' } });
  });

  test('a body that is rejected as a whole is shown with the reason', async () => {
    expect((await deliver({ rows: [] })).statusCode).toBe(400);
    expect((await deliver([])).statusCode).toBe(400);
    const { rows } = await incoming();
    expect(rows).toMatchObject([{ externalId: null, field: 'body', verdict: 'rejected' }]);
    expect(rows[0]?.reason).toContain('empty list');
  });

  test('a device created afterwards is named beside the rejected row', async () => {
    await deliver([row('later', 1)]);
    const session = { app: portal.app, headers: admin };
    await createDevice(session, await createSite(session), { externalId: 'later', name: 'Late one' });
    expect((await incoming()).rows).toMatchObject([{ verdict: 'rejected', device: { name: 'Late one' } }]);
  });

  test('deliveries to another portal on the same database are shown here too, once they are written', async () => {
    const connectionString = portal.config.database.connectionString ?? '';
    await using other = await createTestApp({ now: () => now, connectionString });
    await incoming();
    await deliver([row('m1', 5, 7)], undefined, other);
    await deliver([row('m2', 5, 8)]);
    // On closing a portal writes what it has; before that it does so within some seconds.
    await other.close();
    const rows = (await incoming()).rows.map(({ externalId, activePowerKw }) => [externalId, activePowerKw]);
    expect(rows.toSorted()).toEqual([
      ['m1', 7],
      ['m2', 8],
    ]);
    expect((await deliveries()).accepted).toBe(2);
  });
});

describe('Deliveries of a key', () => {
  test('counts the rows of 24 hours, and lists the rejected rows, each external id and field once', async () => {
    await deliver([row('m1', 30), row('m1', 20), row('nobody', 20), row('nobody', 10)]);
    now += 1_000;
    await deliver([row('m1', 31), row('nobody', 20), row('m1', 20, null)]);
    const { problems, ...counts } = await deliveries();
    expect(counts).toEqual({ deliveries: 2, accepted: 3, duplicates: 1, rejected: 4 });
    expect(problems.map(({ externalId, field }) => [externalId, field])).toEqual([
      ['m1', 'activePowerKw'],
      ['nobody', 'externalId'],
    ]);
    await nextDay();
    expect(await deliveries()).toEqual({ deliveries: 0, accepted: 0, duplicates: 0, rejected: 0, problems: [] });
  });

  test('accepted rows are not written while nobody views them, and old notes are deleted', async () => {
    now += 60_000;
    await deliver([row('m1', 3), row('nobody', 1)]);
    await deliveries();
    const stored = async () =>
      (await portal.database.query<{ id: string }>({ text: 'SELECT external_id AS id FROM monitoring.arrivals' })).rows;
    expect(await stored()).toEqual([{ id: 'nobody' }]);
    expect((await incoming()).rows).toHaveLength(2);
    await nextDay();
    await deliver([row('m2', 1)]);
    await incoming();
    expect(await stored()).toEqual([{ id: 'm2' }]);
  });

  test('hostile: 1,000 unknown external ids leave 200 rows at most, and the measurements are unchanged', async () => {
    for (let at = 0; at < 10; at += 1) {
      now += 1;
      const rows = Array.from({ length: 100 }, (_, of) => row(`\u0000${at}-${of} ${'x'.repeat(300)}`, 1));
      const answer = await deliver([...rows, row('m1', at + 1)]);
      expect(answer.json()).toMatchObject({ accepted: 1, rejected: 100 });
    }
    const { problems, rejected } = await deliveries();
    expect([problems.length, rejected]).toEqual([200, 1_000]);
    expect((await incoming()).rows.length).toBeLessThanOrEqual(200);
  });

  test('a deleted or unknown key is 404', async () => {
    expect((await ask('GET', `/api/api-keys/${unknownId}/deliveries`)).statusCode).toBe(404);
    expect((await ask('GET', '/api/api-keys/x/deliveries')).statusCode).toBe(404);
  });
});

test('if the database cannot store arrivals, ingest is unaffected', async () => {
  await portal.database.query({ text: 'ALTER TABLE monitoring.arrivals RENAME TO hidden' });
  try {
    expect((await deliver([row('m1', 77), row('nobody', 1)])).json()).toMatchObject({ accepted: 1, rejected: 1 });
    await ask('GET', `/api/api-keys/${key.id}/deliveries`);
    expect(portal.log.map(({ msg }) => msg)).toContain('could not record recent arrivals');
  } finally {
    await portal.database.query({ text: 'ALTER TABLE monitoring.hidden RENAME TO arrivals' });
  }
});
