import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { adminAccount } from '../support/accounts.ts';
import { findCaddy, startCaddy } from '../support/caddy.ts';
import { type Answer, createAdministrator } from '../support/chaos/settings.ts';
import { startFleetReceiver } from '../support/fleet-receiver.ts';
import { pictures } from '../support/images.ts';
import { findFreePort } from '../support/ports.ts';
import { makePortalFolder, startPortal } from '../support/portal.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { onlyIf } from '../support/only-if.ts';

const patience = { timeout: 90_000, interval: 100 };
const start = Date.UTC(2026, 2, 10);
const minute = (at: number) => new Date(start + at * 60_000).toISOString();
let resources = new AsyncDisposableStack();
afterEach(async () => {
  await resources.disposeAsync();
  resources = new AsyncDisposableStack();
});

/** Two portals, as real processes, on one database. */
async function startTwo(mode: 'client' | 'admin', environments: readonly Record<string, string>[]) {
  const made = resources.use(await createTestDatabase(mode));
  const database = new Database(made.connectionString, { maxConnections: 1 });
  resources.defer(() => database.close());
  const start = async (environment: Record<string, string>) => {
    const portal = await startPortal({
      environment: { Database__ConnectionString: made.connectionString, ...environment },
    });
    resources.use(portal);
    return { ...portal, ask: createAdministrator(() => portal.url) };
  };
  return { database, connectionString: made.connectionString, portals: await Promise.all(environments.map(start)) };
}

const fieldOf = (answer: Answer | null, name: 'id' | 'token') =>
  Object.assign({ id: '', token: '' }, answer?.body)[name];

it('two Clients on one database: both accept rows and one pushes; if it is killed the other continues, and only unacknowledged rows are sent again', async () => {
  const receiver = resources.use(await startFleetReceiver());
  // The token shows which portal sent a batch.
  const tokens = ['a', 'b'].map((digit) => digit.repeat(64));
  const { portals } = await startTwo(
    'client',
    tokens.map((token) => ({
      FleetIngest__Enabled: 'true',
      FleetIngest__Url: receiver.url,
      FleetIngest__Token: token,
      FleetIngest__IntervalSeconds: '1',
      FleetIngest__BatchSize: '50',
      FleetIngest__BackoffMinSeconds: '0.1',
      FleetIngest__BackoffMaxSeconds: '1',
    })),
  );
  const [first] = portals;
  if (first === undefined) throw new Error('There is no portal.');
  const town = { name: 'Town', timeZone: 'Europe/Berlin' };
  const municipalityId = fieldOf(await first.ask('POST', '/api/admin/rates/municipalities', town), 'id');
  const siteId = fieldOf(await first.ask('POST', '/api/admin/sites', { name: 'Site', municipalityId }), 'id');
  await first.ask('POST', '/api/admin/devices', { siteId, name: 'Meter', externalId: 'meter' });

  let delivered = 0;
  const deliver = async ({ ask }: (typeof portals)[number]) => {
    const rows = Array.from({ length: 40 }, () => {
      delivered += 1;
      return { externalId: 'meter', time: minute(delivered), activePowerKw: delivered };
    });
    expect((await ask('POST', '/api/ingest/measurements', rows))?.body).toMatchObject({ accepted: 40, duplicates: 0 });
  };
  const times = () => receiver.measurements().map(({ time }) => String(time));
  for (let round = 0; round < 5; round += 1) await Promise.all(portals.map(deliver));
  await vi.waitFor(() => expect(new Set(times()).size).toBe(400), patience);
  expect(times()).toHaveLength(400);
  expect(new Set(receiver.batches.map(({ token }) => token)).size).toBe(1);

  // It is killed while it pushes a batch that the fleet stores, and never learns the answer.
  const { promise: isOnItsWay, resolve: arrived } = Promise.withResolvers<string>();
  receiver.react = ({ type, token }) => {
    if (type !== 'measurements') return 'accept';
    arrived(token);
    return 'hang';
  };
  await Promise.all(portals.map(deliver));
  const pusher = portals[tokens.indexOf(await isOnItsWay)];
  const other = portals.find((portal) => portal !== pusher);
  if (pusher === undefined || other === undefined) throw new Error('Nobody has pushed.');
  receiver.react = () => 'accept';
  await pusher.kill();
  await deliver(other);
  await vi.waitFor(() => expect(new Set(times()).size).toBe(520), patience);
  const sentAgain = times().length - 520;
  expect(sentAgain).toBeGreaterThan(0);
  expect(sentAgain).toBeLessThanOrEqual(50);
}, 240_000);

it('two Admins on one database behind one address: verdicts, events and counts are exact, and tokens change at once for both', async () => {
  const mode = { Application__RunMode: 'Admin', FleetIngest__MaxBatchesPerMinute: '10000' };
  const { database, portals } = await startTwo('admin', [mode, mode]);
  const address = await shareOneAddress(portals.map(({ port }) => port));
  const ask = createAdministrator(() => portals[0]?.url ?? '');
  const create = async (code: string) => {
    const made = await ask('POST', '/api/admin/customers', { code, name: code });
    const { customer } = Object.assign({ customer: { id: '' } }, made?.body);
    return { id: customer.id, token: fieldOf(made, 'token') };
  };
  const push = async (token: string, type: string, records: readonly object[], part?: string) => {
    const answer = await fetch(`${address}/api/fleet/ingest`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-customer-token': token,
        'x-batch-type': type,
        'x-push-cursor': 'cursor',
        ...(part === undefined ? {} : { 'x-batch-part': part }),
      },
      body: JSON.stringify(records),
    });
    return { status: answer.status, body: await answer.text() };
  };

  // Each row arrives three times, in overlapping batches, for devices without sets.
  const customers = await Promise.all(['one', 'two', 'three'].map(create));
  const devices = Array.from({ length: 5 }, () => randomUUID());
  const batchOf = (from: number) =>
    Array.from({ length: 30 }, (_, at) => ({
      deviceId: devices[(from + at) % devices.length],
      time: minute(from + at),
      activePowerKw: from + at,
    }));
  const answers = await Promise.all(
    customers.flatMap(({ token }) =>
      Array.from({ length: 20 }, (_, at) => push(token, 'measurements', batchOf(at * 10))),
    ),
  );
  expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"accepted":30,"rejected":0,"errors":[]}']));
  const { rows } = await database.query<object>({
    text: `SELECT s.measurement_count AS said, s.last_device_number AS devices,
             (SELECT count(*) FROM fleet.measurements m WHERE m.customer_id = s.customer_id) AS stored,
             (SELECT count(*) FROM fleet.devices d WHERE d.customer_id = s.customer_id) AS numbered,
             (SELECT count(*) FROM fleet.ingest_events e WHERE e.customer_id = s.customer_id) AS events
           FROM fleet.customer_state s`,
  });
  expect(rows).toEqual(customers.map(() => ({ said: 220, devices: 5, stored: 220, numbered: 5, events: 20 })));

  // A set in parts, which arrive at different portals.
  const [{ id, token } = { id: '', token: '' }] = customers;
  const site = (name: string) => ({ id: randomUUID(), name, municipalityId: randomUUID() });
  await push(token, 'sites', [site('Gone')]);
  expect((await push(token, 'sites', [site('A')], '1/2')).status).toBe(200);
  expect((await push(token, 'sites', [site('B')], '2/2')).status).toBe(200);
  const current = await database.query<{ name: string }>(
    { text: 'SELECT name FROM fleet.sites WHERE customer_id = $1 AND removed_at IS NULL ORDER BY name' },
    [id],
  );
  expect(current.rows.map(({ name }) => name)).toEqual(['A', 'B']);

  // Twice, so that each portal is called.
  const statuses = async (by: string) => [(await push(by, 'sites', [])).status, (await push(by, 'sites', [])).status];
  const [asked, changing] = [await statuses(token), `/api/admin/customers/${id}`];
  expect(asked).toEqual([200, 200]);
  const renewed = fieldOf(await ask('POST', `${changing}/rotate-token`, { graceHours: 0 }), 'token');
  expect([await statuses(token), await statuses(renewed)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
  await ask('PUT', changing, { name: 'one', isActive: false });
  expect(await statuses(renewed)).toEqual([401, 401]);
  await ask('PUT', changing, { name: 'one', isActive: true });
  expect(await statuses(renewed)).toEqual([200, 200]);
  await ask('DELETE', changing);
  expect(await statuses(renewed)).toEqual([401, 401]);
}, 240_000);

it(
  'two Clients of one customer behind Caddy: sign-ins, uploads and lockouts apply to both, and a gateway that retries loses nothing when one is killed',
  { timeout: 240_000, ...onlyIf((await findCaddy()) !== undefined, 'there is no caddy on this machine') },
  async () => {
    const port = await findFreePort();
    const host = 'acme.example.com';
    const folder = await makePortalFolder();
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const shared = {
      Application__PublicUrl: `https://${host}:${port}`,
      Application__TrustedProxies: '127.0.0.1',
      Storage__KeysPath: join(folder, 'keys'),
      Storage__UploadsPath: join(folder, 'uploads'),
    };
    const { portals, database, connectionString } = await startTwo('client', [shared, shared]);
    const [first, second] = portals;
    if (first === undefined || second === undefined) throw new Error('There are no portals.');
    const addresses = portals.map((portal) => `127.0.0.1:${portal.port}`);
    const caddy = resources.use(await startCaddy(port, [{ host, portals: addresses, tool: '127.0.0.1:9' }]));

    // A sign-in at the common address holds at each of them.
    const json = { 'content-type': 'application/json' };
    const signIn = (password = adminAccount.password) =>
      caddy.ask(host, '/api/auth/login', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...adminAccount, password }),
      });
    const cookie = (await signIn()).headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const each = (path: string, init: RequestInit = {}) =>
      Promise.all(portals.map(({ url }) => fetch(`${url}${path}`, { ...init, headers: { ...json, cookie } })));
    expect((await each('/api/auth/me')).map(({ status }) => status)).toEqual([200, 200]);

    // What one changes the other shows at once, the logo as well.
    const form = new FormData();
    form.append('logo', new Blob([pictures.losslessWebp]), 'logo.webp');
    const uploaded = await fetch(`${first.url}/api/branding/logo`, { method: 'POST', headers: { cookie }, body: form });
    const { logoUrl } = Object.assign({ logoUrl: '' }, await uploaded.json());
    expect((await each(logoUrl)).map(({ status }) => status)).toEqual([200, 200]);
    const named = {
      method: 'PUT',
      headers: { ...json, cookie },
      body: JSON.stringify({ applicationName: 'Acme', logoUrl }),
    };
    expect((await fetch(`${second.url}/api/branding`, named)).status).toBe(200);
    const brandings = await Promise.all((await each('/api/branding')).map((answer) => answer.json()));
    expect(brandings[0]).toMatchObject({ applicationName: 'Acme', logoUrl });
    expect(brandings[1]).toEqual(brandings[0]);

    // A gateway that repeats what was not acknowledged, and a person who only reads, while one of them is killed.
    const ask = async (method: string, path: string, body?: object) =>
      caddy.ask(host, path, { method, headers: { ...json, cookie }, body: body && JSON.stringify(body) });
    const make = async (path: string, body: object) =>
      Object.assign({ id: '' }, JSON.parse((await ask('POST', path, body)).body)).id;
    const municipalityId = await make('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'Europe/Berlin' });
    const siteId = await make('/api/admin/sites', { name: 'Site', municipalityId });
    await make('/api/admin/devices', { siteId, name: 'Meter', externalId: 'meter' });
    const rows = (from: number) =>
      Array.from({ length: 30 }, (_, at) => ({ externalId: 'meter', time: minute(from + at), activePowerKw: 60 }));
    const deliver = async (from: number): Promise<void> => {
      const answer = await ask('POST', '/api/ingest/measurements', rows(from)).catch(() => null);
      if (answer?.status === 200) return;
      // Nothing but a connection that broke, never a refusal.
      expect(answer === null || answer.status >= 500).toBe(true);
      await deliver(from);
    };
    const reads: number[] = [];
    const read = async () => reads.push((await ask('GET', '/api/sites')).status);
    for (let batch = 0; batch < 60; batch += 1) {
      const dying = batch === 20 ? first.kill() : undefined;
      await Promise.all([deliver(batch * 30), deliver(batch * 30), read(), dying]);
    }
    expect(new Set(reads)).toEqual(new Set([200]));
    const stored = await database.query({ text: 'SELECT count(*)::int AS rows FROM monitoring.measurements' });
    expect(stored.rows).toEqual([{ rows: 1_800 }]);
    const question = `/api/dashboard/summary?from=${minute(0)}&to=${minute(1_800)}`;
    expect(JSON.parse((await ask('GET', question)).body)).toMatchObject({ peakPowerKw: 60 });

    // Failed sign-ins are counted for both together.
    const again = resources.use(
      await startPortal({ environment: { ...shared, Database__ConnectionString: connectionString }, port: first.port }),
    );
    const failures: number[] = [];
    for (const { url } of [again, second, again, second, again, second, again]) {
      const body = JSON.stringify({ ...adminAccount, password: 'Wrong-Pass-1' });
      failures.push((await fetch(`${url}/api/auth/login`, { method: 'POST', headers: json, body })).status);
    }
    expect(failures).toEqual([401, 401, 401, 401, 401, 429, 429]);
  },
);

/** An address behind which each request goes to the next of the ports. */
async function shareOneAddress(ports: readonly number[]): Promise<string> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    const port = ports[(requests += 1) % ports.length];
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      void pipeline(answer, outgoing).catch(() => outgoing.destroy());
    });
    void pipeline(incoming, onward).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
