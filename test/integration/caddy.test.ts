import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findGateIdentity } from '../../server/dashboards/gate-proof.ts';
import { renewalMs } from '../../server/accounts/sessions.rules.ts';
import { openSealedSession, sealSession } from '../../server/accounts/sealed.ts';
import { openSessionKeys } from '../../server/accounts/session-keys.ts';
import { adminAccount } from '../support/accounts.ts';
import { type Caddy, type CaddyRequest, findCaddy, startCaddy } from '../support/caddy.ts';
import { gateSecret as secret, startTestTool } from '../support/dashboard-tool.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { findFreePort } from '../support/ports.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { onlyIf } from '../support/only-if.ts';

const acme = 'acme.example.com';
const zenith = 'zenith.example.com';
const recorded = 'recorded.example.com';
const whole = 'whole.example.com';

/** The requests that have reached the tool. */
interface Arrival {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  bytes: number;
}
const arrivals: Arrival[] = [];

/** Stands in for the dashboard tool, and for a portal that admits everybody. */
const recordingTool = (): Server =>
  createServer((request, response) => {
    void buffer(request).then(({ length }) => {
      const { method = '', url = '', headers } = request;
      arrivals.push({ method, url, headers, bytes: length });
      response.writeHead(200, { 'set-cookie': 'tool=1' }).end('tool');
    });
  }).on('upgrade', ({ method = '', url = '', headers }, socket) => {
    arrivals.push({ method, url, headers, bytes: 0 });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });

describe('behind Caddy', onlyIf((await findCaddy()) !== undefined, 'there is no caddy on this machine'), () => {
  const resources = new AsyncDisposableStack();
  let caddy: Caddy;
  let portalOfZenith: RunningPortal;
  let folderOfAcme = '';
  let port = 0;

  beforeAll(async () => {
    port = await findFreePort();
    const tool = recordingTool().listen(0, '127.0.0.1');
    await once(tool, 'listening');
    resources.defer(() => {
      tool.closeAllConnections();
      tool.close();
    });
    const address = tool.address();
    const toolPort = typeof address === 'object' && address !== null ? address.port : 0;
    const start = async (host: string, connectionString: string) =>
      resources.use(
        await startPortal({
          environment: {
            Application__PublicUrl: `https://${host}:${port}`,
            Application__TrustedProxies: '127.0.0.1',
            Dashboard__GateSecret: secret,
            Database__ConnectionString: connectionString,
          },
        }),
      );
    const startRealTool = async (connectionString: string) => {
      const running = await startTestTool(connectionString, { Application__PublicUrl: `https://${whole}:${port}` });
      resources.defer(() => running.stop());
      return running.port;
    };
    const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
    for (const database of databases) resources.use(database);
    const [{ connectionString: connectionOfAcme }, { connectionString: connectionOfZenith }] = databases;
    const [ofAcme, ofZenith] = await Promise.all([start(acme, connectionOfAcme), start(zenith, connectionOfZenith)]);
    portalOfZenith = ofZenith;
    folderOfAcme = ofAcme.folder;
    const ofTool = `127.0.0.1:${toolPort}`;
    const site = (host: string, of: RunningPortal) => ({ host, portals: [`127.0.0.1:${of.port}`], tool: ofTool });
    caddy = resources.use(
      await startCaddy(port, [
        site(acme, ofAcme),
        site(zenith, ofZenith),
        { host: recorded, portals: [ofTool], tool: ofTool },
        { ...site(whole, ofAcme), tool: `127.0.0.1:${await startRealTool(connectionOfAcme)}` },
      ]),
    );
  }, 120_000);
  afterAll(() => resources.disposeAsync());
  beforeEach(() => {
    arrivals.length = 0;
  });

  const ask = (path: string, request?: CaddyRequest) => caddy.ask(acme, path, request);
  const postJson = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const signIn = async (account = adminAccount): Promise<string> => {
    const { headers } = await postJson('/api/auth/login', account);
    return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  };

  test('signed-in users reach the tool with their identity, and nobody else does', async () => {
    const cookie = await signIn();
    const answer = await ask('/dash/dashboards/overview?from=now', { headers: { cookie } });
    expect(answer).toMatchObject({ status: 200, body: 'tool' });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(arrivals).toMatchObject([{ method: 'GET', url: '/dash/dashboards/overview?from=now' }]);
    expect(findGateIdentity(arrivals[0]?.headers ?? {}, { secret, nowMs: Date.now() })).toMatchObject({
      email: adminAccount.email,
      role: 'Admin',
    });

    for (const headers of [{}, { cookie: `${cookie}x` }]) {
      const refused = await ask('/dash/x', { headers });
      expect(refused.status).toBe(401);
      expect(refused.headers['x-portal-user']).toBeUndefined();
    }
    expect(arrivals).toHaveLength(1);
  });

  test('401, and no redirect, as soon as the user has signed out', async () => {
    const cookie = await signIn();
    expect((await ask('/dash/x', { headers: { cookie } })).status).toBe(200);
    expect((await ask('/api/auth/logout', { method: 'POST', headers: { cookie } })).status).toBe(204);
    const refused = await ask('/dash/x', { headers: { cookie } });
    expect(refused).toMatchObject({ status: 401, body: '{"error":"Sign in first.","code":"signInFirst","params":{}}' });
    expect(arrivals).toHaveLength(1);
  });

  test('a user who only watches dashboards gets the renewed session too', async () => {
    const [name = '', sealed = ''] = (await signIn()).split('=', 2);
    const keys = await openSessionKeys({
      folder: join(folderOfAcme, 'data/keys'),
      now: Date.now,
      onProblem: () => undefined,
    });
    const session = await openSealedSession(keys, decodeURIComponent(sealed));
    if (session === null) throw new Error('The session cannot be opened.');
    const older = await sealSession(keys, { ...session, lastSeenAt: session.lastSeenAt - 2 * renewalMs });
    const answer = await ask('/dash/x', { headers: { cookie: `${name}=${older}` } });
    expect(answer).toMatchObject({ status: 200, body: 'tool' });
    expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(new RegExp(`^${name}=.*HttpOnly`))]);
    expect(arrivals[0]?.headers['x-portal-role']).toBe('Admin');
  });

  test('an identity that a client gives itself is removed, however it is spelled', async () => {
    const spoofed = {
      'X-Portal-User': ['root', 'root'],
      'x-portal-email': 'root@example.com',
      X_Portal_Name: 'root',
      'X-Portal_Role': 'Admin',
      x_portal_proof: 'v1.9999999999.x',
      'X.Portal.Role': 'Admin',
      XPORTALROLE: 'Admin',
      'X-WEBAUTH-USER': 'root',
    };
    expect((await ask('/dash/x', { headers: spoofed })).status).toBe(401);
    expect(arrivals).toEqual([]);
    expect((await ask('/dash/x', { headers: { ...spoofed, cookie: await signIn() } })).status).toBe(200);
    const { headers = {} } = arrivals[0] ?? {};
    const named = Object.keys(headers).filter((name) => /portal|webauth/.test(name));
    expect(named.toSorted()).toEqual([
      'x-portal-email',
      'x-portal-name',
      'x-portal-proof',
      'x-portal-role',
      'x-portal-user',
    ]);
    expect(findGateIdentity(headers, { secret, nowMs: Date.now() })?.email).toBe(adminAccount.email);
  });

  test('the tool gets neither the session nor a key', async () => {
    const keys = { authorization: 'Bearer key', 'x-customer-token': 'token', 'x-api-key': 'key' };
    await ask('/dash/x', { headers: { cookie: await signIn(), ...keys } });
    const names = Object.keys(arrivals[0]?.headers ?? {});
    expect(names).toContain('x-forwarded-for');
    for (const name of ['cookie', ...Object.keys(keys)]) expect(names).not.toContain(name);
  });

  test('the shipped tool knows the user and their permission to change', async () => {
    const spec = { display: { name: 'Mine' }, duration: '1h', variables: [], panels: {}, layouts: [] };
    const json = { 'content-type': 'application/json' };
    const create = (headers: Record<string, string>) =>
      caddy.ask(whole, '/dash/api/dashboards', {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify({ name: 'mine', spec }),
      });
    const cookie = await signIn();
    const email = 'viewer@example.com';
    const password = 'Viewer-Pass-1';
    const viewer = { email, displayName: 'Jörg Müller', password };
    expect((await postJson('/api/users', viewer, { cookie })).status).toBe(201);
    const cookieOfViewer = await signIn({ email, password });

    const me = await Promise.all(
      [cookie, cookieOfViewer].map((of) => caddy.ask(whole, '/dash/api/me', { headers: { cookie: of } })),
    );
    expect(me.map(({ body }) => JSON.parse(body))).toMatchObject([
      { role: 'Admin', canEdit: true },
      { name: viewer.displayName, role: 'User', canEdit: false },
    ]);
    expect((await create({})).status).toBe(401);
    expect((await create({ cookie: cookieOfViewer, 'x-portal-role': 'Admin' })).status).toBe(403);
    expect((await create({ cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await create({ cookie, origin: `https://${whole}:${port}` })).status).toBe(201);
  });

  test("another customer's session is nobody's", async () => {
    const cookie = await signIn();
    expect((await caddy.ask(zenith, '/dash/x', { headers: { cookie } })).status).toBe(401);
    expect(arrivals).toEqual([]);
  });

  test.each([
    '/dash',
    '/dash/',
    '//dash/x',
    '/dash//x',
    '/%64ash/x',
    '/dash%2fx',
    '/DASH/x',
    '/api/..%2fdash/x',
    '/api/../dash/x',
    '/./dash/x',
  ])('%s is for the tool, and behind the gate', async (path) => {
    expect((await ask(path)).status).toBe(401);
    expect(arrivals).toEqual([]);
    const answer = await ask(path, { headers: { cookie: await signIn() } });
    expect([answer.status, arrivals[0]?.url]).toEqual([200, path]);
  });

  test.each([
    '/dashboards',
    '/dashboards/overview',
    '/dashx',
    '/dash;x',
    '/dash/../api/auth/me',
    '/dash/%2e%2e/x',
    '/',
  ])("%s is the portal's", async (path) => {
    for (const headers of [{}, { cookie: await signIn() }]) {
      const answer = await ask(path, { headers: { ...headers, accept: 'text/html' } });
      expect(answer.headers['x-request-id']).toBeDefined();
    }
    expect(arrivals).toEqual([]);
  });

  test('a WebSocket opens for a signed-in user', async () => {
    expect(await caddy.upgrade(acme, '/dash/live', {})).toMatchObject({ status: 401 });
    expect(arrivals).toEqual([]);
    const socket = await caddy.upgrade(acme, '/dash/live', { cookie: await signIn() });
    if ('status' in socket) throw new Error(`The connection was refused with ${socket.status}.`);
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
    expect(arrivals[0]?.headers).toMatchObject({ upgrade: 'websocket', 'x-portal-role': 'Admin' });
    expect(arrivals[0]?.headers.cookie).toBeUndefined();
  });

  test('the request to the portal is a plain GET, whatever the original request is', async () => {
    const headers = {
      cookie: 'a=b',
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      expect: '100-continue',
    };
    const socket = await caddy.upgrade(recorded, '/dash/live', headers);
    if ('status' in socket) throw new Error(`The connection was refused with ${socket.status}.`);
    socket.destroy();
    await caddy.ask(recorded, '/dash/x', { method: 'PUT', headers, body: '{}' });
    const questions = arrivals.filter(({ url }) => url === '/api/auth/check');
    expect(questions).toHaveLength(2);
    for (const { method, headers: asked, bytes } of questions) {
      expect([method, bytes, asked.cookie, asked['x-forwarded-for']]).toEqual(['GET', 0, 'a=b', '127.0.0.1']);
      for (const name of ['upgrade', 'expect', 'content-type', 'content-encoding', 'content-length']) {
        expect(asked[name]).toBeUndefined();
      }
      expect(asked.connection).not.toBe('Upgrade');
    }
  });

  test('the question to the portal leaves the body to the tool', async () => {
    const cookie = await signIn();
    const body = Buffer.alloc(400_000, 'x');
    const headers = { cookie, 'content-type': 'application/json', 'content-encoding': 'gzip' };
    for (const more of [{}, { 'transfer-encoding': 'chunked' }, { expect: '100-continue' }]) {
      expect((await ask('/dash/api/query', { method: 'POST', headers: { ...headers, ...more }, body })).status).toBe(
        200,
      );
    }
    expect(arrivals.map(({ method, bytes }) => [method, bytes])).toEqual([1, 2, 3].map(() => ['POST', body.length]));
  });

  test("refusals of bodies are the portal's, and errors of Caddy have the portal's form", async () => {
    const cookie = await signIn();
    const tooLarge = await ask('/api/ingest/measurements', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: Buffer.alloc(32 * 1024 * 1024 + 10, ' '),
    });
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.headers['x-request-id']).toBeDefined();
    expect(tooLarge.headers['server']).toBeUndefined();
  });

  test('a portal behind it knows the source of a request, whatever the client claims', async () => {
    const spoofed = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
    };
    const { headers } = await postJson('/api/auth/login', adminAccount, spoofed);
    const [given = ''] = headers['set-cookie'] ?? [];
    expect(given).toMatch(/^__Host-portal_session.*; Secure/);
    const sessions = await ask('/api/admin/audit', { headers: { cookie: given.split(';', 1)[0] } });
    expect(sessions.status).toBe(200);
    expect(sessions.body).toContain('127.0.0.1');
    expect(sessions.body).not.toContain('203.0.113.9');
  });

  test('nobody reaches the tool while the portal does not answer', async () => {
    const { headers } = await caddy.ask(zenith, '/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(adminAccount),
    });
    const cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    expect((await caddy.ask(zenith, '/dash/x', { headers: { cookie } })).status).toBe(200);
    await portalOfZenith.kill();
    const [tool, page] = await Promise.all(
      ['/dash/x', '/'].map((path) => caddy.ask(zenith, path, { headers: { cookie, 'x-portal-user': 'root' } })),
    );
    for (const answer of [tool, page]) {
      expect(answer?.status).toBe(502);
      expect(answer?.headers).toMatchObject({ 'retry-after': '5', 'content-type': 'application/json; charset=utf-8' });
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: expect.stringContaining('try again') });
    }
    expect(arrivals).toHaveLength(1);
  });
});
