import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startPortal } from '../support/portal.ts';

describe('request log', () => {
  test('one line per request: id, method, route, path without its query, status, milliseconds', async () => {
    await using portal = await createTestApp();
    const answer = await portal.app.inject('/api/sites/x?token=s3cret');
    const lines = portal.log.filter(({ reqId }) => reqId === answer.headers['x-request-id']);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'answered',
        method: 'GET',
        route: '/api/sites/:id',
        path: '/api/sites/x',
        status: 401,
        ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(portal.log)).not.toContain('s3cret');
  });

  test('an endless path is shortened to its beginning', async () => {
    await using portal = await createTestApp();
    const url = `/api/${'x'.repeat(20_000)}`;
    const answer = await portal.app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body.length).toBeLessThan(1_000);
    const line = portal.log.find(({ reqId }) => reqId === answer.headers['x-request-id']);
    expect(line).toMatchObject({ status: 404, path: `${url.slice(0, 300)}…` });
  });

  test('a line names the account or the API key, and the source address, and never a secret', async () => {
    await using portal = await createTestApp({ environment: { Application__TrustedProxies: '10.0.0.5' } });
    const headers = await portal.signIn();
    const created = await portal.app.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers,
      payload: { name: 'Gateway 7', scope: 'ingest' },
    });
    const { id, key } = created.json<{ id: string; key: string }>();
    const ask = async (url: string, given: Record<string, string>, remoteAddress: string) => {
      const method = url.includes('ingest') ? 'POST' : 'GET';
      const answer = await portal.app.inject({ method, url, headers: given, remoteAddress });
      return portal.log.find(({ reqId, msg }) => reqId === answer.headers['x-request-id'] && msg === 'answered');
    };
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    expect(await ask('/api/auth/me', { ...headers, ...forwarded }, '10.0.0.5')).toMatchObject({
      account: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: '203.0.113.7',
    });
    expect(
      await ask('/api/ingest/measurements', { authorization: `Bearer ${key}`, ...forwarded }, '198.51.100.9'),
    ).toMatchObject({ apiKey: { id, name: 'Gateway 7' }, source: '198.51.100.9' });
    const stranger = await ask('/api/auth/me', {}, '2001:db8::9');
    expect(stranger).toMatchObject({ status: 401, source: '2001:db8::9' });
    expect(stranger).not.toHaveProperty('account');
    const signIns = portal.log.filter(({ path, msg }) => path === '/api/auth/login' && msg === 'answered');
    expect(signIns).toEqual([expect.objectContaining({ account: expect.any(String) })]);
    const log = JSON.stringify(portal.log);
    for (const secret of [key, headers.cookie.split('=')[1] ?? '']) expect(log).not.toContain(secret);
  });

  test('a proxy that Application__TrustedProxies does not name causes one warning', async () => {
    await using portal = await createTestApp({ environment: { Application__TrustedProxies: '10.0.0.5' } });
    const ask = (remoteAddress: string) =>
      portal.app.inject({ url: '/health', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.7' } });
    const warnings = () => portal.log.filter(({ level }) => level === 'warn');
    await ask('10.0.0.5');
    expect(warnings()).toEqual([]);
    await ask('10.0.0.6');
    await ask('10.0.0.6');
    expect(warnings()).toEqual([
      expect.objectContaining({ level: 'warn', address: '10.0.0.6', msg: expect.stringContaining('TrustedProxies') }),
    ]);
  });

  test('a client that disconnects before its answer leaves one line, too', async () => {
    await using portal = await createTestApp();
    const address = new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n{',
    );
    // The server has the headers.
    await once(socket, 'data');
    socket.destroy();
    await vi.waitFor(
      () => {
        const lines = portal.log.filter(({ path }) => path === '/api/auth/login');
        expect(lines).toEqual([expect.objectContaining({ status: null, msg: expect.stringContaining('went away') })]);
      },
      { timeout: 45_000 },
    );
  });

  test('successful deliveries share a line per minute and API key; rejected ones have their own', async () => {
    await using portal = await createTestApp();
    const { app } = portal;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = await portal.signIn();
    const post = (url: string, payload: object, given: Record<string, string>) =>
      app.inject({ method: 'POST', url, payload, headers: given });
    const { id, key } = (await post('/api/api-keys', { name: 'gateway' }, headers)).json<{ id: string; key: string }>();
    const row = { externalId: 'nobody', time: '2026-01-01T00:00:00Z', activePowerKw: 1 };
    const deliver = (rows: object) => post('/api/ingest/measurements', rows, { authorization: `Bearer ${key}` });
    for (const rows of [[row], [row, row], {}]) await deliver(rows);
    await post('/api/ingest/measurements', [row], headers);
    const lines = () => portal.log.filter(({ route }) => route === '/api/ingest/measurements');
    await vi.waitFor(
      () =>
        expect(lines()).toEqual([
          expect.objectContaining({ status: 400, apiKey: { id, name: 'gateway' } }),
          expect.objectContaining({ status: 200, account: expect.any(String) }),
        ]),
      { timeout: 45_000 },
    );
    const summary = { deliveries: 2, accepted: 0, rejected: 3, duplicates: 0, slowestMs: expect.any(Number) };
    await app.close();
    expect(portal.log).toContainEqual(
      expect.objectContaining({ msg: 'ingest requests', apiKey: { id, name: 'gateway' }, ...summary }),
    );
  });

  test('successful probes leave no line', async () => {
    await using portal = await createTestApp();
    for (const path of ['/health', '/health/ready', '/metrics']) await portal.app.inject(path);
    expect(portal.log.filter(({ msg }) => msg === 'answered')).toEqual([]);
  });

  test('an unknown error is logged with its stack under the request id of the answer, which reveals nothing else', async () => {
    await using portal = await createTestApp();
    const headers = await portal.signIn();
    await portal.database.query({ text: 'DROP TABLE monitoring.sites CASCADE' });
    const answer = await portal.app.inject({ url: '/api/sites', headers });
    const id = String(answer.headers['x-request-id']);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      error: `Something went wrong in the portal; see its log for request ${id}.`,
      code: 'portalFault',
      params: { request: id },
    });
    expect(portal.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        reqId: id,
        err: expect.objectContaining({ code: '42P01', stack: expect.stringContaining('.ts:') }),
      }),
    );
  });
});

describe('no secret is ever in the log', () => {
  test('after successful and failed sign-ins, password changes, changes of users and keys, ingest, and metrics', async () => {
    await using portal = await createTestApp({ environment: { Metrics__Token: 'metrics-s3cret' } });
    const { app } = portal;
    const secrets = [
      'ChangeMe123!',
      'metrics-s3cret',
      'Wr0ng-Guess',
      'N3w-Password',
      'Us3r-Password',
      'R3set-Password',
    ];
    const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
      app.inject({ method: 'POST', url, headers, payload });

    const session = await portal.signIn();
    secrets.push(session.cookie.slice(session.cookie.indexOf('=') + 1));
    await post('/api/auth/login', { email: 'admin@example.com', password: 'Wr0ng-Guess' });
    await post('/api/auth/login', { email: 'admin@example.com', password: ['Wr0ng-Guess'] });
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: '{"password":"Wr0ng-Guess',
    });
    const user = { email: 'a@example.com', displayName: 'A', password: 'Us3r-Password' };
    const { id } = (await post('/api/users', user, session)).json<{ id: string }>();
    await post(`/api/users/${id}/reset-password`, { newPassword: 'R3set-Password' }, session);
    const { key } = (await post('/api/api-keys', { name: 'gateway' }, session)).json<{ key: string }>();
    secrets.push(key);
    await post('/api/ingest/measurements', [{ externalId: 'x' }], { authorization: `Bearer ${key}` });
    await post('/api/ingest/measurements', [], { authorization: `Bearer ${key}x` });
    await app.inject({ url: '/metrics', headers: { authorization: 'Bearer metrics-s3cret' } });
    await app.inject({ url: '/api/app/info', headers: { 'x-customer-token': 'metrics-s3cret' } });
    const change = { currentPassword: 'ChangeMe123!', newPassword: 'N3w-Password' };
    expect((await post('/api/auth/me/change-password', change, session)).statusCode).toBe(204);
    await portal.database.query({ text: 'DROP TABLE portal.accounts CASCADE' });
    expect((await post('/api/auth/login', { email: 'a@example.com', password: 'Us3r-Password' })).statusCode).toBe(500);

    const text = JSON.stringify(portal.log);
    expect(portal.log.length).toBeGreaterThan(10);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('the real program with a password in its connection string', async () => {
    await using database = await createTestDatabase();
    const { password } = new URL(database.connectionString);
    await using portal = await startPortal({
      environment: {
        Database__ConnectionString: database.connectionString,
        Authentication__DefaultAdminPassword: 'An0wn-Password',
        FleetIngest__Token: 'fleet-s3cret',
        FleetIngest__Url: 'https://user:fleet-s3cret@fleet.example.com/',
      },
    });
    await fetch(`${portal.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password: 'An0wn-Password' }),
    });
    await portal.stop();
    const output = portal.output();
    expect(output).toContain('/api/auth/login');
    expect([password, 'An0wn-Password', 'fleet-s3cret'].filter((secret) => output.includes(secret))).toEqual([]);
  });
});
