import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { requestReconciliation } from '../../server/push/push-reconciliation.ts';
import { listDayChecksums } from '../../server/energy/day-checksums.sql.ts';
import { findRecording } from '../../server/push/push-recording.sql.ts';
import { findReconciliation } from '../../server/push/push-reconciliation.sql.ts';
import { customerDetail } from '../../shared/fleet.ts';
import { pushOverview } from '../../shared/push.ts';
import { setKeptFrom } from '../../server/energy/measurements.sql.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { createCustomer } from '../support/fleet.ts';
import { clearPush, createPusher, untilDue } from '../support/pushing.ts';
import { createDevice, createSite } from '../support/sites.ts';

const dayMs = 86_400_000;
const today = Date.UTC(2026, 3, 20);
const start = today - 10 * dayMs;
const long = today - 100 * dayMs;
let nowMs = 0;
/** How much the fleet's clock is ahead. */
let aheadMs = 0;
let client: TestApp;
let fleet: TestApp;
let cable: Cable;
let admin = { cookie: '' };
let customer = { id: '', token: '' };
let customers = 0;
let deviceIds: string[] = [];

type Reaction = { status: number; headers?: Record<string, string> } | 'loseAnswer' | 'pass';

/** Forwards to the fleet; a request may be answered on the way, or its answer lost. */
interface Cable extends AsyncDisposable {
  url: string;
  /** The requested paths, with their bodies. */
  asked: { path: string; body: string }[];
  react: (path: string) => Reaction | Promise<Reaction>;
}

async function openCable(to: string): Promise<Cable> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const body = await buffer(request);
    cable.asked.push({ path, body: body.toString('latin1') });
    const reaction = await cable.react(path);
    if (typeof reaction === 'object') {
      response.writeHead(reaction.status, reaction.headers).end('{"error":"As the test wants it."}');
      return;
    }
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const kept = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await fetch(new URL(path, to), { method: 'POST', headers: kept, body: new Uint8Array(body) });
    const text = await answer.text();
    if (reaction === 'loseAnswer') request.socket.destroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  };
  const server = createServer((request, response) => void pass(request, response).catch(() => request.destroy()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cable: Cable = {
    url: `http://127.0.0.1:${port}/api/fleet/ingest`,
    asked: [],
    react: () => 'pass',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return cable;
}

const pushSettings = {
  FleetIngest__Enabled: 'true',
  FleetIngest__Url: 'http://127.0.0.1:9/api/fleet/ingest',
  FleetIngest__Token: 'a'.repeat(64),
};

beforeAll(async () => {
  [client, fleet] = await Promise.all([
    createTestApp({ environment: pushSettings }),
    createAdminApp({ now: () => nowMs + aheadMs }),
  ]);
  cable = await openCable(await fleet.app.listen({ host: '127.0.0.1', port: 0 }));
  admin = await client.signIn();
  const session = { app: client.app, headers: admin };
  const siteId = await createSite(session);
  for (const externalId of ['m-1', 'm-2', 'm-3']) deviceIds.push(await createDevice(session, siteId, { externalId }));
  deviceIds = deviceIds.toSorted();
});
afterAll(async () => {
  await Promise.all([client.close(), fleet.close()]);
  await cable[Symbol.asyncDispose]();
});

beforeEach(async () => {
  nowMs = today + 12 * 3_600_000;
  aheadMs = 0;
  cable.react = () => 'pass';
  cable.asked.length = 0;
  await clearPush(client);
  customers += 1;
  customer = await createCustomer(fleet, `customer-${customers}`);
});

const store = async (days: number, { from = start, perDay = 4 } = {}) => {
  const payload = ['m-1', 'm-2', 'm-3'].flatMap((externalId) =>
    Array.from({ length: days * perDay }, (_, at) => ({
      externalId,
      time: new Date(from + (at * dayMs) / perDay).toISOString(),
      activePowerKw: at + 0.25,
      energyImportedKwh: at,
    })),
  );
  const answer = await client.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: admin });
  expect(answer.json()).toMatchObject({ rejected: 0 });
};
const pusher = (quietInMs = 0) =>
  createPusher(
    client,
    { url: cable.url, batches: [] },
    { now: () => nowMs, token: customer.token, intervalSeconds: 1, quietInMs: () => quietInMs },
  );
const waiting = async () => {
  const { rows } = await client.database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM monitoring.push_outbox',
  });
  return rows[0]?.count ?? 0;
};
const known = () => findReconciliation(client.database);
const isOver = async () => {
  const recording = await findRecording(client.database);
  const isSent = recording !== null && recording.walk === null && (await waiting()) === 0;
  return isSent && (await known())?.isRunning === false;
};
/** A new portal for each round: it knows only what is in its database. */
const untilOver = async (eachRound: () => void = () => undefined, most = 80) => {
  for (let rounds = 1; rounds <= most; rounds += 1) {
    await untilDue(client);
    await pusher().tick();
    if (await isOver()) return;
    eachRound();
  }
  throw new Error(`It was not over after ${most} rounds: ${JSON.stringify(await known())}`);
};
const everything = { fromMicros: (long - dayMs) * 1000, toMicros: (today + dayMs) * 1000 };
const ofClient = () => listDayChecksums(client.database, deviceIds, everything);
const ofFleet = () => listDayChecksums(fleet.database.forCustomer(customer.id), deviceIds, everything);
const inFleet = async (text: string) =>
  (await fleet.database.query({ text: text.replaceAll('$1', `'${customer.id}'`) })).rowCount;
const losesRows = () => inFleet('DELETE FROM fleet.measurements WHERE customer_id = $1');
const compareAll = () => {
  const by = { actor: { kind: 'system' }, log: { info: () => undefined } } as const;
  return requestReconciliation({ database: client.database, by }, true, nowMs);
};
const later = (ms: number) => {
  nowMs += ms;
};
const overview = async () => {
  const answer = await client.app.inject({ method: 'GET', url: '/api/admin/push', headers: admin });
  return pushOverview.parse(answer.json()).reconciliation;
};
const detail = async () => {
  const headers = await fleet.signIn();
  const url = `/api/fleet/customers/${customer.id}/detail`;
  return customerDetail.parse((await fleet.app.inject({ method: 'GET', url, headers })).json());
};
const comparisons = () => cable.asked.filter(({ path }) => path.endsWith('/reconcile'));

it('once all is sent, all is compared, without anybody asking; both sides say up to when they are in step', async () => {
  await store(3);
  expect(await overview()).toMatchObject({ inStepUpTo: null, finishedAt: null, isRunning: false });
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await ofClient()).toHaveLength(9);
  const state = await overview();
  expect(state).toMatchObject({ finishedComparedDays: 9, finishedResentDays: 0, differingDays: 0, differences: [] });
  expect(Date.parse(state.inStepUpTo ?? '')).toBe(nowMs);
  const shown = (await detail()).customer;
  expect(shown).toMatchObject({ inStepUpTo: state.inStepUpTo, differingDays: 0 });
  expect(Date.parse(shown.reconciledAt ?? '')).toBe(nowMs);
});

it('rows that the fleet lost, and rows that have other values there, are found and sent again; then both sides are the same', async () => {
  await store(40, { from: long });
  await untilOver();
  const day = (at: number) => `'${new Date(long + at * dayMs).toISOString()}'::timestamptz`;
  const own = 'customer_id = $1';
  expect(await inFleet(`DELETE FROM fleet.measurements WHERE ${own} AND time = ${day(0.25)}`)).toBe(3);
  expect(
    await inFleet(`DELETE FROM fleet.measurements WHERE ${own} AND time >= ${day(20)} AND time < ${day(22)}`),
  ).toBe(24);
  const odd = `UPDATE fleet.measurements SET active_power_milliwatts = 7, energy_imported_milliwatthours = NULL,
    voltage_millivolts = 230000 WHERE ${own} AND time = ${day(10)}`;
  expect(await inFleet(odd)).toBe(3);
  await inFleet(`DELETE FROM fleet.energy_dirty_ranges WHERE ${own}`);
  if (fleet.engine.name.startsWith('TimescaleDB')) {
    await inFleet(`SELECT compress_chunk(c, true) FROM show_chunks('fleet.measurements') c`);
  }
  const before = (await detail()).customer.totalMeasurements;
  later(1_000);
  await compareAll();
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await overview()).toMatchObject({ finishedComparedDays: 120, finishedResentDays: 12, differingDays: 0 });
  // Rows removed outside the portal are counted again; changed ones are not.
  expect((await detail()).customer.totalMeasurements).toBe(before + 3 + 24);
  const dirty = `SELECT FROM fleet.energy_dirty_ranges WHERE ${own} AND from_time <= ${day(10)} AND to_time >= ${day(10)}`;
  expect(await inFleet(dirty)).toBe(3);
});

it('a customer that was deleted and created again gets everything again, as soon as the fleet names it', async () => {
  await store(3);
  await untilOver();
  const headers = await fleet.signIn();
  await fleet.app.inject({ method: 'DELETE', url: `/api/admin/customers/${customer.id}`, headers });
  customers += 1;
  customer = await createCustomer(fleet, `customer-${customers}`);
  // Sets are sent again within the hour though nothing changed.
  later(3_600_000);
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await ofClient()).toHaveLength(9);
  const recording = await findRecording(client.database);
  expect(recording?.target).toBe(`fleet/${customer.id}`);
});

it('without X-Batch-Mode a measurement that is there stays as it is (rule 5)', async () => {
  await store(1);
  await untilOver();
  const [deviceId] = deviceIds;
  const payload = [{ deviceId, time: new Date(start).toISOString(), activePowerKw: 99 }];
  const send = (mode: Record<string, string>) =>
    fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      payload,
      headers: { 'x-customer-token': customer.token, 'x-batch-type': 'measurements', ...mode },
    });
  expect((await send({})).json()).toMatchObject({ accepted: 1 });
  expect(await ofFleet()).toEqual(await ofClient());
  expect((await send({ 'x-batch-mode': 'correct' })).statusCode).toBe(200);
  expect(await ofFleet()).not.toEqual(await ofClient());
  const refused = await send({ 'x-batch-mode': 'replace' });
  expect(refused.statusCode).toBe(400);
  expect(refused.json<{ error: string }>().error).toMatch(/^X-Batch-Mode is "replace"/);
});

it('what only the fleet has stays there, is shown with its day, and is not sent again each day', async () => {
  await store(2);
  await untilOver();
  await inFleet(`INSERT INTO fleet.measurements (time, received_at, active_power_milliwatts, customer_id, device_number)
    SELECT time + interval '1 second', received_at, 1, customer_id, device_number FROM fleet.measurements
    WHERE customer_id = $1 AND time = '${new Date(start).toISOString()}'`);
  for (const finishedResentDays of [3, 0]) {
    later(25 * 3_600_000);
    await untilOver();
    expect(await overview()).toMatchObject({ finishedResentDays, differingDays: 3, finishedComparedDays: 6 });
  }
  const { differences } = await overview();
  expect(differences).toHaveLength(3);
  expect(differences[0]).toMatchObject({ day: new Date(start).toISOString().slice(0, 10), ownCount: 4, fleetCount: 5 });
  expect((await detail()).customer.differingDays).toBe(3);
});

it('rows that the fleet rejected because its clock was wrong are sent again by the first comparison after it is right', async () => {
  aheadMs = -20 * dayMs;
  await store(3);
  await untilOver();
  // Compared, sent again and rejected again each day until then.
  for (let days = 0; days < 2; days += 1) {
    expect(await ofFleet()).toEqual([]);
    expect(await overview()).toMatchObject({ finishedResentDays: 9, differingDays: 9 });
    later(25 * 3_600_000);
    await untilOver();
  }
  aheadMs = 0;
  later(25 * 3_600_000);
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await overview()).toMatchObject({ finishedResentDays: 9, differingDays: 0 });
});

it('once a day the last 31 days are compared, every four weeks all', async () => {
  await store(4, { from: long });
  await store(1);
  await untilOver();
  await losesRows();
  later(23 * 3_600_000);
  await pusher().tick();
  expect(await ofFleet()).toEqual([]);
  later(2 * 3_600_000);
  await untilOver();
  expect(await ofFleet()).toHaveLength(3);
  later(28 * dayMs);
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
});

it('while rows come in fast a tick compares one page', async () => {
  await store(1, { from: long });
  await store(1);
  await untilOver();
  later(1_000);
  await compareAll();
  cable.asked.length = 0;
  const busy = 1;
  await pusher(busy).tick();
  expect(comparisons()).toHaveLength(1);
});

it('rows that are on their way are no difference', async () => {
  await store(2);
  await untilOver();
  cable.react = (path) => (path.endsWith('/ingest') ? { status: 503 } : 'pass');
  await store(1, { from: start + dayMs / 8 });
  await compareAll();
  const own = pusher();
  for (let rounds = 0; rounds < 10; rounds += 1) await own.tick();
  expect(await overview()).toMatchObject({ isRunning: false, finishedResentDays: 0, differingDays: 0 });
  cable.react = () => 'pass';
  later(3_600_000);
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
});

it('nothing is compared before all that was stored is sent once, nor while more waits than a batch holds', async () => {
  await store(3);
  const small = () =>
    createPusher(client, { url: cable.url, batches: [] }, { now: () => nowMs, token: customer.token, batchSize: 10 });
  await small().tick();
  expect((await findRecording(client.database))?.walk).not.toBeNull();
  expect(comparisons()).toEqual([]);
  await untilOver();
  cable.asked.length = 0;
  await store(4, { from: start + 3 * dayMs });
  later(25 * 3_600_000);
  await untilDue(client);
  await small().tick();
  expect(await waiting()).toBeGreaterThan(0);
  expect(comparisons()).toEqual([]);
  await untilOver();
  expect(comparisons()).not.toEqual([]);
});

it('days that the retention took away, also in part, are not compared, and stay in the fleet', async () => {
  await store(4);
  await untilOver();
  const keptFrom = start + 1.5 * dayMs;
  try {
    await setKeptFrom(client.database, keptFrom * 1000);
    await client.database.query({ text: 'DELETE FROM monitoring.measurements WHERE time < $1' }, [new Date(keptFrom)]);
    later(1_000);
    await compareAll();
    await untilOver();
    expect(await overview()).toMatchObject({ finishedComparedDays: 6, finishedResentDays: 0, differingDays: 0 });
    expect(await ofFleet()).toHaveLength(12);
  } finally {
    await client.database.query({ text: 'DELETE FROM monitoring.retention' });
  }
});

it('continues where it was interrupted, whichever round is the last and whichever answer is lost', async () => {
  await store(60, { from: long });
  await untilOver();
  await losesRows();
  await compareAll();
  cable.asked.length = 0;
  let [batches, others] = [0, 0];
  cable.react = (path) => {
    const isLost = path.endsWith('/ingest') ? (batches += 1) % 7 === 0 : (others += 1) % 2 === 0;
    return isLost ? 'loseAnswer' : 'pass';
  };
  await untilOver(() => later(3_600_000));
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await overview()).toMatchObject({ differingDays: 0, finishedComparedDays: 180, finishedResentDays: 180 });
  // Lost pages were requested once more, and so were those that were sent again: it never started over.
  const pages = new Set(comparisons().map(({ body }) => body)).size;
  expect(comparisons().length).toBeLessThanOrEqual(4 * pages);
});

it('a 429 waits for Retry-After; a rejected token waits for the cap, and the state shows it', async () => {
  await store(1);
  await untilOver();
  later(25 * 3_600_000);
  cable.react = (path) => (path.endsWith('/reconcile') ? { status: 429, headers: { 'retry-after': '7' } } : 'pass');
  await pusher().tick();
  expect(await overview()).toMatchObject({
    isRunning: true,
    failures: 1,
    lastErrorKind: 'busy',
    nextAttemptAt: new Date(nowMs + 7_000).toISOString().replace('.000Z', 'Z'),
  });
  const count = comparisons().length;
  later(6_000);
  await pusher().tick();
  expect(comparisons()).toHaveLength(count);
  later(1_001);
  cable.react = (path) => (path.endsWith('/reconcile') ? { status: 401 } : 'pass');
  await pusher().tick();
  expect(await overview()).toMatchObject({ failures: 2, lastErrorKind: 'unauthorized' });
  expect(Date.parse((await overview()).nextAttemptAt ?? '') - nowMs).toBe(1_800_000);
  cable.react = () => 'pass';
  await compareAll();
  await untilOver();
  expect(await overview()).toMatchObject({ failures: 0, isRunning: false });
});

it('is over only when the fleet has received the result', async () => {
  await store(1);
  cable.react = (path) => (path.endsWith('/result') ? { status: 503 } : 'pass');
  await untilDue(client);
  for (let rounds = 0; rounds < 3; rounds += 1) await pusher().tick();
  expect(await overview()).toMatchObject({ isRunning: true, failures: 1, inStepUpTo: null, finishedAt: null });
  expect((await detail()).customer.inStepUpTo).toBeNull();
  cable.react = () => 'pass';
  later(3_600_000);
  await untilOver();
  expect((await detail()).customer.inStepUpTo).toBe((await overview()).inStepUpTo);
});

it('one from a time when the clock was ahead does not put off the next', async () => {
  await store(1);
  await untilOver();
  cable.asked.length = 0;
  later(-2 * dayMs);
  await pusher().tick();
  expect(comparisons()).not.toEqual([]);
});

it('one that is asked for while another is under way takes its place, and compares everything', async () => {
  await store(1, { from: long });
  await store(1);
  await untilOver();
  await losesRows();
  later(25 * 3_600_000);
  let isAsked = false;
  cable.react = async (path): Promise<Reaction> => {
    if (path.endsWith('/reconcile') && !isAsked) {
      isAsked = true;
      later(1_000);
      await compareAll();
    }
    return 'pass';
  };
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
  expect(await ofClient()).toHaveLength(6);
});

it('a fleet that cannot be reached, or does not compare, stops nothing; the comparison goes on later', async () => {
  await store(1);
  await untilOver();
  later(25 * 3_600_000);
  cable.react = (path) => (path.endsWith('/reconcile') ? 'loseAnswer' : 'pass');
  await pusher().tick();
  expect(await overview()).toMatchObject({ failures: 1, lastErrorKind: 'unreachable' });
  await store(1, { from: start + 3 * dayMs });
  await untilDue(client);
  await pusher().tick();
  expect(await waiting()).toBe(0);
  cable.react = (path) => (path.endsWith('/reconcile') ? { status: 404 } : 'pass');
  later(3_600_000);
  await pusher().tick();
  expect(await overview()).toMatchObject({ lastErrorKind: 'refused', lastError: expect.stringContaining('404') });
  cable.react = () => 'pass';
  later(3_600_000);
  await untilOver();
  expect(await overview()).toMatchObject({ finishedComparedDays: 6, failures: 0 });
});

it('a portal that is stopped in the middle of a comparison stops, and the next one goes on', async () => {
  await store(1);
  await untilOver();
  await losesRows();
  await compareAll();
  const giveUp = new AbortController();
  cable.react = (path) => {
    if (path.endsWith('/reconcile')) giveUp.abort(new Error('It is stopped.'));
    return 'pass';
  };
  const own = pusher();
  await expect(own.tick({ stopping: giveUp.signal, givenUp: giveUp.signal })).rejects.toThrow('It is stopped.');
  expect(await known()).toMatchObject({ isRunning: true, failures: 0 });
  cable.react = () => 'pass';
  await untilOver();
  expect(await ofFleet()).toEqual(await ofClient());
});

it('POST /api/admin/push/reconcile: for administrators, recorded with author and source; 409 while the push is off', async () => {
  const url = '/api/admin/push/reconcile';
  expect((await client.app.inject({ method: 'POST', url })).statusCode).toBe(401);
  const answer = await client.app.inject({ method: 'POST', url, headers: admin });
  expect(answer.statusCode).toBe(202);
  expect(pushOverview.parse(answer.json()).reconciliation).toMatchObject({ isRunning: true, comparedDays: 0 });
  const began = (await known())?.beganMicros;
  await client.app.inject({ method: 'POST', url, headers: admin });
  expect((await known())?.beganMicros).toBe(began);
  const { events } = (
    await client.app.inject({ method: 'GET', url: '/api/admin/audit?subjectKind=push&limit=2', headers: admin })
  ).json<{ events: object[] }>();
  expect(events[0]).toMatchObject({
    action: 'push.reconcile',
    accountEmail: 'admin@example.com',
    sourceAddress: '127.0.0.1',
  });
  await using off = await createTestApp();
  const refused = await off.app.inject({ method: 'POST', url, headers: await off.signIn() });
  expect(refused.statusCode).toBe(409);
  expect(refused.json<{ error: string }>().error).toContain('FleetIngest__Enabled');
});

it('deleted devices are marked as removed in the fleet; their readings stay there and are not compared', async () => {
  const session = { app: client.app, headers: admin };
  const siteId = await createSite(session, { name: 'Mill' });
  const deviceId = await createDevice(session, siteId, { externalId: 'gone' });
  const payload = [{ externalId: 'gone', time: new Date(start).toISOString(), activePowerKw: 1 }];
  await client.app.inject({ method: 'POST', url: '/api/ingest/measurements', payload, headers: admin });
  await untilOver();
  expect((await detail()).devices.map(({ id }) => id)).toContain(deviceId);
  expect((await detail()).sites.map(({ name }) => name)).toContain('Mill');
  const remove = (path: string) => client.app.inject({ method: 'DELETE', url: path, headers: admin });
  expect((await remove(`/api/admin/devices/${deviceId}?withMeasurements=true`)).statusCode).toBe(204);
  expect((await remove(`/api/admin/sites/${siteId}`)).statusCode).toBe(204);
  later(1_000);
  await compareAll();
  await untilOver();
  const { sites, devices } = await detail();
  expect(devices.map(({ id }) => id)).not.toContain(deviceId);
  expect(sites.map(({ name }) => name)).not.toContain('Mill');
  const kept = `SELECT FROM fleet.measurements m JOIN fleet.devices d ON d.customer_id = $1 AND d.number = m.device_number
    WHERE m.customer_id = $1 AND d.id = '${deviceId}' AND d.removed_at IS NOT NULL`;
  expect(await inFleet(kept)).toBe(1);
  expect(await overview()).toMatchObject({ finishedResentDays: 0, differingDays: 0 });
});
