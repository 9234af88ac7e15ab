import { request as ask, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findGateIdentity } from '../../server/dashboards/gate-proof.ts';
import { createUser } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { startFakeTool, type FakeTool } from '../support/fake-tool.ts';
import { findFreePort } from '../support/ports.ts';

const secret = 'the-secret-of-portal-and-tool-0123456789';

let tool: FakeTool;
let portal: TestApp;
let admin: { cookie: string };
let port: number;
beforeAll(async () => {
  tool = await startFakeTool();
  portal = await createTestApp({
    environment: { Dashboard__Upstream: tool.origin, Dashboard__GateSecret: secret },
  });
  admin = await portal.signIn();
  port = Number(new URL(await portal.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(async () => {
  await portal.close();
  await tool[Symbol.asyncDispose]();
});
beforeEach(() => {
  tool.arrived.length = 0;
});

interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** `fetch` would normalize paths and headers. */
const send = (path: string, headers: OutgoingHttpHeaders, { method = 'GET', body = '' } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = ask({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on('error', reject).end(body);
  });

/** The answer of the portal to bytes on a connection, until it contains this text or the connection closes. */
const talk = (lines: string[], until = '\r\n\r\n'): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write([...lines, '', ''].join('\r\n')));
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      if (text.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });

const openSocket = (headers: string[], until?: string) =>
  talk(
    [
      'GET /dash/api/live HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    ],
    until,
  );

describe('a signed-in user reaches the tool through the portal', () => {
  test('method, path, query and body arrive; the answer and its status come back', async () => {
    const body = JSON.stringify({ measure: 'power', name: 'Größe' });
    const headers = { ...admin, 'content-type': 'application/json' };
    const answer = await send('/dash/api/query/teapot?step=auto&x=%2F..%2F', headers, { method: 'POST', body });
    expect(answer.status).toBe(418);
    expect(tool.arrived).toMatchObject([{ method: 'POST', url: '/dash/api/query/teapot?step=auto&x=%2F..%2F', body }]);
  });

  test('with the identity that the portal proves, afresh', async () => {
    await send('/dash/', admin);
    const identity = findGateIdentity(tool.arrived[0]?.headers ?? {}, { secret, nowMs: Date.now() });
    expect(identity).toMatchObject({ email: 'admin@example.com', role: 'Admin' });
    const plain = await portal.signIn(await createUser(portal, { email: 'reader@example.com' }));
    await send('/dash/', plain);
    const other = findGateIdentity(tool.arrived[1]?.headers ?? {}, { secret, nowMs: Date.now() });
    expect(other).toMatchObject({ email: 'reader@example.com', role: 'User' });
  });

  test('no identity header or credential of the client arrives, in any spelling', async () => {
    await send('/dash/api/me', {
      ...admin,
      'X-Portal-Role': 'Owner',
      'x-portal-USER': 'root',
      X_Portal_Role: 'Owner',
      'X.Portal.Role': 'Owner',
      'x-portal_name': 'Root',
      'X-Portal-Roles': 'Owner',
      'X-Webauth-User': 'root',
      'X-Forwarded-User': 'root',
      'X-Customer-Token': 'pct_secret',
      'X-Api-Key': 'secret',
      authorization: 'Bearer pmk_secret',
      'proxy-authorization': 'Basic c2VjcmV0',
    });
    const { headers = {} } = tool.arrived[0] ?? {};
    expect(Object.keys(headers).toSorted()).toEqual([
      'connection',
      'host',
      'x-portal-email',
      'x-portal-name',
      'x-portal-proof',
      'x-portal-role',
      'x-portal-user',
    ]);
    expect(JSON.stringify(headers)).not.toMatch(/root|Owner|secret|portal_session/i);
  });

  test('a client cannot have the identity taken away by naming it in Connection', async () => {
    await talk(
      [
        'GET /dash/api/me HTTP/1.1',
        `Host: 127.0.0.1:${port}`,
        `Cookie: ${admin.cookie}`,
        'Connection: close, X-Portal-Role, X-Portal-Proof',
      ],
      '}',
    );
    expect(findGateIdentity(tool.arrived[0]?.headers ?? {}, { secret, nowMs: Date.now() })).not.toBeNull();
  });

  test('only the portal may frame its answers, which set no cookie; nothing else can be framed', async () => {
    const { headers } = await send('/dash/', admin);
    expect(headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect((await send('/dash/own-policy', admin)).headers['content-security-policy']).toContain("script-src 'self'");
    for (const path of ['/api/app/info', '/dashboards', '/']) {
      const other = await send(path, { accept: 'text/html' });
      expect(other.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(other.headers['x-frame-options']).toBe('DENY');
    }
  });
});

describe('other clients do not', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    '%s without a session is 401, not a redirect',
    async (method) => {
      const forged = { 'X-Portal-User': 'root', 'X-Portal-Role': 'Admin', 'X-Portal-Proof': 'v1.9999999999.x' };
      for (const headers of [{}, forged, { cookie: 'portal_session_8080=x' }, { authorization: 'Bearer pmk_x' }]) {
        expect((await send('/dash/api/me', headers, { method })).status).toBe(401);
      }
      expect(tool.arrived).toEqual([]);
    },
  );

  test('nor does a user who has just signed out', async () => {
    const out = await portal.signIn();
    expect((await send('/dash/', out)).status).toBe(200);
    await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: out });
    expect((await send('/dash/', out)).status).toBe(401);
    expect(tool.arrived).toHaveLength(1);
  });

  test.each([
    '//dash/api/me',
    '/dash//api/me',
    '/dash/%2e%2e/api/me',
    '/dash/../api/users',
    '/dash/..%2fapi',
    '/dash/%2Fapi/me',
    '/dash%2fapi/me',
    '/dash/api%5cme',
    '/dash\\api\\me',
    '/%64ash/api/me',
    '/DASH/api/me',
    '/dash;x=1/api/me',
    '/./dash/api/me',
    'http://127.0.0.1/dash/../x',
  ])('the path %s leads neither past the gate nor out of the prefix', async (path) => {
    expect((await send(path, {})).status).toBeGreaterThanOrEqual(400);
    expect(tool.arrived).toEqual([]);
    await send(path, { ...admin, accept: 'application/json' });
    for (const { url, headers } of tool.arrived) {
      expect(url).toMatch(/^\/dash\/(?!.*(?:\.\.|\/\/|%2f|\\))/i);
      expect(findGateIdentity(headers, { secret, nowMs: Date.now() })).not.toBeNull();
    }
  });

  test('a page of another site cannot write through it', async () => {
    const headers = { ...admin, origin: 'https://evil.example', 'content-type': 'application/json' };
    expect((await send('/dash/api/dashboards', headers, { method: 'POST', body: '{}' })).status).toBe(403);
    expect(tool.arrived).toEqual([]);
  });

  test('/dashboards and paths beside the prefix belong to the portal', async () => {
    for (const path of ['/dashboards', '/dashboards/overview', '/dash2', '/api/embedded-dashboards']) {
      await send(path, admin);
    }
    expect(tool.arrived).toEqual([]);
  });
});

describe('web sockets', () => {
  test('pass for signed-in users, with the proven identity and without the cookie', async () => {
    const answer = await openSocket([`Cookie: ${admin.cookie}`, 'X-Portal-Role: Owner'], 'hello!');
    expect(answer).toMatch(/^HTTP\/1.1 101 /);
    expect(answer).toContain('hello!');
    const { headers = {}, url } = tool.arrived[0] ?? {};
    expect(url).toBe('/dash/api/live');
    expect(headers.cookie).toBeUndefined();
    expect(findGateIdentity(headers, { secret, nowMs: Date.now() })).toMatchObject({ role: 'Admin' });
  });

  test('end at the tool when the client goes away, also before the tool has answered', async () => {
    await Promise.all([openSocket([`Cookie: ${admin.cookie}`], 'hello!'), openSocket([`Cookie: ${admin.cookie}`])]);
    await expect.poll(() => [tool.arrived.length, tool.sockets.size]).toEqual([2, 0]);
  });

  test('are 401 without a session and 403 from another site', async () => {
    expect(await openSocket(['X-Portal-Role: Admin'])).toMatch(/^HTTP\/1.1 401 /);
    expect(await openSocket([`Cookie: ${admin.cookie}`, 'Origin: https://evil.example'])).toMatch(/^HTTP\/1.1 403 /);
    expect(await openSocket([`Cookie: ${admin.cookie}`, 'Sec-Fetch-Site: same-site'])).toMatch(/^HTTP\/1.1 403 /);
    expect(tool.arrived).toEqual([]);
  });

  /** Opens a connection and sends frames of a megabyte, with or without reading; returns the connection. */
  const flood = async (path: string, frames: number, isReading = true) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    if (!isReading) socket.pause();
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Cookie: ${admin.cookie}`];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    socket.write([`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines, key, '', ''].join('\r\n'));
    const frame = Buffer.alloc(1024 * 1024);
    Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x0f, 0xff, 0xf2]).copy(frame);
    await expect.poll(() => tool.arrived.length).toBeGreaterThan(0);
    for (let count = 0; count < frames; count += 1) socket.write(frame);
    return socket;
  };

  test('data sent before the tool has accepted the socket is buffered up to 64 KiB, then the connection ends', async () => {
    let text = '';
    const socket = await flood('/dash/api/live/pending', 3);
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text.split('\r\n\r\n')[1]).toBe('');
  });

  test('a tool or client that does not read ends the connection beyond some megabytes', async () => {
    const toDeaf = await flood('/dash/api/live/deaf', 64);
    await new Promise((resolve) => toDeaf.resume().once('close', resolve));
    // The end of the tool that does not read notices nothing.
    const others = tool.sockets.size;
    tool.arrived.length = 0;
    const deaf = await flood('/dash/api/live/talkative', 0, false);
    await expect.poll(() => tool.sockets.size, { timeout: 10_000 }).toBe(others);
    deaf.destroy();
  });

  test('an account has at most 32, also while the tool accepts none; the next is 503, and other accounts have their own', async () => {
    const other = await portal.signIn(await createUser(portal, { email: 'sockets@example.com' }));
    const many = await Promise.all(Array.from({ length: 32 }, () => flood('/dash/api/live/pending', 0)));
    await expect.poll(() => tool.arrived.length).toBe(32);
    expect(await openSocket([`Cookie: ${admin.cookie}`])).toMatch(/^HTTP\/1.1 503 /);
    expect(await openSocket([`Cookie: ${other.cookie}`], 'hello!')).toMatch(/^HTTP\/1.1 101 /);
    for (const socket of many) socket.destroy();
    await expect.poll(() => openSocket([`Cookie: ${admin.cookie}`], 'hello!')).toMatch(/^HTTP\/1.1 101 /);
  });

  test('exist only under the prefix: elsewhere an upgrade request is answered over HTTP, with its body', async () => {
    const body = JSON.stringify({ email: 'admin@example.com', password: 'ChangeMe123!' });
    const answer = await talk([
      'POST /api/auth/login HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAAB',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('bounds', () => {
  test('a body of more than a megabyte is 413', async () => {
    const headers = { ...admin, 'content-type': 'application/json' };
    const large = await send('/dash/api/dashboards/x', headers, { method: 'PUT', body: 'x'.repeat(1024 * 1024 + 1) });
    expect(large.status).toBe(413);
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    const more = await send('/dash/api/dashboards/x', chunked, { method: 'PUT', body: 'x'.repeat(1024 * 1024 + 1) });
    expect(more.status).toBe(413);
    expect(tool.arrived).toEqual([]);
  });

  test('a tool that is busy is asked once, too, and says itself when to come back', async () => {
    const answer = await send('/dash/busy', admin);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(tool.arrived).toHaveLength(1);
  });

  test('a user with a hundred waiting requests delays nobody else', async () => {
    const other = await portal.signIn(await createUser(portal, { email: 'other@example.com' }));
    const gone = new AbortController();
    const waiting = Array.from({ length: 110 }, () =>
      fetch(`http://127.0.0.1:${port}/dash/endless`, { headers: admin, signal: gone.signal }).catch(() => undefined),
    );
    await expect.poll(() => tool.arrived.length).toBe(110);
    expect((await send('/dash/next', other)).status).toBe(200);
    gone.abort();
    await Promise.all(waiting);
  });

  test('a tool that hangs up is 503 with a sentence, and is asked once', async () => {
    const answer = await send('/dash/silent', admin);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'The dashboard tool does not respond; try again shortly.' });
    expect(tool.arrived).toHaveLength(1);
  });
});

describe('GET /api/embedded-dashboards/status', () => {
  const statusOf = async (app: TestApp) =>
    (await app.app.inject({ url: '/api/embedded-dashboards/status', headers: await app.signIn() })).json<object>();

  test('shows every signed-in user that the tool runs', async () => {
    expect(await statusOf(portal)).toMatchObject({ state: 'running', reason: null, path: '/dash' });
    expect((await send('/api/embedded-dashboards/status', {})).status).toBe(401);
  });

  test('shows since when nothing answers; the proxy answers 503 until then', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    await using alone = await createTestApp({ environment: { Dashboard__Upstream: nowhere } });
    const reason = 'nothing answers at the address in Dashboard__Upstream';
    const first = await statusOf(alone);
    expect(first).toMatchObject({
      state: 'failed',
      reason,
      failure: { code: 'noAnswer' },
      since: expect.stringMatching(/Z$/),
    });
    expect(await statusOf(alone)).toEqual(first);
    expect((await alone.app.inject({ url: '/dash/', headers: await alone.signIn() })).statusCode).toBe(503);
  });

  test('is off where the portal passes nothing on; the prefix is then nothing of its', async () => {
    await using alone = await createTestApp();
    expect(await statusOf(alone)).toMatchObject({ state: 'off', reason: null });
    expect((await alone.app.inject({ url: '/dash/', headers: await alone.signIn() })).statusCode).toBe(404);
  });
});
