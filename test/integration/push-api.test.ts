import { afterAll, beforeAll, expect, it } from 'vitest';
import { pushOverview, pushResourceState } from '../../shared/push.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { type FleetReceiver, startFleetReceiver } from '../support/fleet-receiver.ts';
import { createPusher, stateOf } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';

let receiver: FleetReceiver;
let portal: TestApp;
let admin = { cookie: '' };

beforeAll(async () => {
  receiver = await startFleetReceiver();
  portal = await createTestApp({
    environment: {
      FleetIngest__Enabled: 'true',
      FleetIngest__Url: receiver.url,
      FleetIngest__Token: 'a'.repeat(64),
      FleetIngest__BatchSize: '700',
    },
  });
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  await createDevice(session, await createSite(session), { externalId: 'm-1' });
});
afterAll(async () => {
  await portal.close();
  await receiver[Symbol.asyncDispose]();
});

const ask = async (method: 'GET' | 'POST', url: string, app = portal, headers = admin) =>
  app.app.inject({ method, url, headers });
const measurementsOf = async () => {
  const { resources } = pushOverview.parse((await ask('GET', '/api/admin/push')).json());
  return resources.find(({ resource }) => resource === 'measurements');
};

it('shows the state of each resource, in their order; the backlog is counted in rows', async () => {
  const pusher = createPusher(portal, receiver, { batchSize: 700 });
  await pusher.tick();
  const payload = Array.from({ length: 25 }, (_, at) => ({
    externalId: 'm-1',
    time: new Date(Date.UTC(2026, 2, 10) + at * 60_000).toISOString(),
    activePowerKw: 1,
  }));
  await portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: admin });
  const answered: { resources: object[] } = (await ask('GET', '/api/admin/push')).json();
  for (const resource of answered.resources) {
    expect(Object.keys(resource).toSorted()).toEqual(Object.keys(pushResourceState.shape).toSorted());
  }
  const overview = pushOverview.parse(answered);
  expect(overview).toMatchObject({ isEnabled: true, intervalSeconds: 30 });
  expect(overview.resources.map(({ resource }) => resource)).toEqual([
    'sites',
    'devices',
    'municipalities',
    'tariffs',
    'removals',
    'measurements',
    'intervals',
  ]);
  expect(overview.resources[0]).toMatchObject({ backlogRows: null, failures: 0, lastSuccessAt: expect.any(String) });
  expect(await measurementsOf()).toMatchObject({ backlogRows: 25, batchSize: 700, rejectedRows: 0, cursor: null });
  const metrics = (await portal.app.inject({ method: 'GET', url: '/metrics' })).body;
  expect(metrics).toContain('portal_push_backlog_rows 25');
  await pusher.drain();
  expect(await measurementsOf()).toMatchObject({
    backlogRows: 0,
    cursor: expect.stringContaining('/2026-03-10T00:24'),
  });
});

it('"push now" ends the waits of all resources', async () => {
  receiver.react = () => ({ status: 401 });
  await createPusher(portal, receiver, { now: () => Date.now() + 4_000_000 }).tick();
  expect((await stateOf(portal, 'sites')).nextAttemptAt).not.toBeNull();
  const response = await ask('POST', '/api/admin/push/run');
  expect(response.statusCode).toBe(202);
  expect(pushOverview.parse(response.json()).resources.every(({ nextAttemptAt }) => nextAttemptAt === null)).toBe(true);
});

it('reports that the push is off, and 409 to a request to push now; an Admin has no push at all', async () => {
  await using off = await createTestApp();
  const headers = await off.signIn();
  expect((await ask('GET', '/api/admin/push', off, headers)).json()).toMatchObject({ isEnabled: false });
  const refused = await ask('POST', '/api/admin/push/run', off, headers);
  expect(refused.statusCode).toBe(409);
  expect(refused.json<{ error: string }>().error).toContain('FleetIngest__Enabled');
  await using fleet = await createAdminApp();
  const session = await fleet.signIn();
  expect((await ask('GET', '/api/admin/push', fleet, session)).statusCode).toBe(404);
  expect((await ask('POST', '/api/admin/push/run', fleet, session)).statusCode).toBe(404);
});
