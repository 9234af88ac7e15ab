import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configEntry } from '../../shared/app.ts';
import { limits } from '../../shared/measurements.ts';
import { errorBody } from '../../shared/primitives.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';

const portal = appOfFile({ environment: { WhiteLabel__ApplicationName: 'Acme Power' } });
let url: string;
let admin: { cookie: string };

beforeAll(async () => {
  url = await portal.app.listen({ host: '127.0.0.1', port: 0 });
  admin = await portal.signIn();
});

const errorOf = (body: string) => errorBody.strict().required({ code: true }).parse(JSON.parse(body)).error;

describe('GET /api/app/info, /health, /health/ready', () => {
  test('app info is open to everyone and names run mode, application and version', async () => {
    const answer = await portal.app.inject('/api/app/info');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { runMode: 'Client', applicationName: 'Acme Power', version: '0.0.0-test' },
    ]);
  });

  test.each(['/health', '/health/ready'])('%s answers the text Healthy', async (path) => {
    const answer = await portal.app.inject(path);
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      200,
      'Healthy',
      'text/plain; charset=utf-8',
    ]);
  });
});

describe('security headers', () => {
  test.each(['/api/app/info', '/api/nope', '/health', '/api/docs', '/'])('are in the answer of %s', async (path) => {
    const { headers } = await portal.app.inject({ url: path, headers: { accept: 'text/html' } });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    // Scripts follow default-src; only styles may be inline.
    expect(policy).not.toMatch(/script-src|unsafe-eval/);
    expect(policy.match(/[^;]*'unsafe-inline'/g)).toEqual(["style-src 'self' 'unsafe-inline'"]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  test('an https address adds HSTS and upgrades insecure requests', async () => {
    await using secure = await createTestApp({ environment: { Application__PublicUrl: 'https://portal.example.com' } });
    const { headers } = await secure.app.inject('/api/app/info');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{7,}$/);
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  test('answers of the API are never cached', async () => {
    expect((await portal.app.inject('/api/app/info')).headers['cache-control']).toBe('no-store');
    expect((await portal.app.inject('/api/nope')).headers['cache-control']).toBe('no-store');
  });
});

describe('unknown URLs', () => {
  test.each([
    ['GET', '/api/nope', 'text/html'],
    ['GET', '/api', 'text/html'],
    ['GET', '/api/nope', '*/*'],
    ['DELETE', '/api/app/info', '*/*'],
    ['PROPFIND', '/api/app/info', '*/*'],
    ['POST', '/', 'text/html'],
  ])('%s %s is a JSON 404, never a page', async (method, path, accept) => {
    const answer = await fetch(url + path, { method, headers: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expect(errorOf(await answer.text())).toBe(`Nothing at ${method} ${path}.`);
  });
});

/** Sends bytes unchanged and reads until the server closes. */
function exchange(...parts: (string | Buffer)[]): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname);
    socket.on('data', (data) => (answer += String(data))).on('error', reject);
    socket.on('close', () => resolve(answer));
    for (const part of parts) socket.write(part);
  });
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

describe('requests that no route sees are answered with { error } too', () => {
  test.each([
    ['broken percent encoding', 'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header that is too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(140_000)}\r\n\r\n`, 431],
    ['more than 100 headers', `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(100)}\r\n`, 431],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n\r\n', 417],
    [
      'a broken chunk',
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'a parameter that is far too long',
      `GET /api/sites/${'a'.repeat(600)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      404,
    ],
  ])('%s', async (_, request, status) => {
    const answer = await exchange(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain('content-type: application/json');
    for (const header of ['content-security-policy', 'permissions-policy', 'x-content-type-options', 'x-frame-options'])
      expect(answer.toLowerCase().split(`${header}: `), header).toHaveLength(2);
    expect(answer.toLowerCase()).toContain('cache-control: no-store');
    errorOf(bodyOf(answer));
  });
});

describe('bodies', () => {
  const send = (payload: string, type = 'application/json') =>
    portal.app.inject({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': type } });

  test.each([
    ['half of a JSON body', '{"email":"a@b", "password": "s3cr', 'The body is not valid JSON.'],
    ['no body', '', 'The body is missing; send JSON.'],
    ['a missing field', '{"email":"a@b"}', /^password is missing; expected a text\.$/],
    ['a number for a text', '{"email":5,"password":"x"}', /^email: must be a text; got 5\.$/],
  ])('%s: 400 with the reason, and no password is repeated', async (_, payload, message) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer.body)).toMatch(message);
    expect(answer.body).not.toContain('s3cr');
  });

  test('a wrong content type: 415', async () => {
    const answer = await send('email=a', 'application/x-www-form-urlencoded');
    expect([answer.statusCode, errorOf(answer.body)]).toEqual([415, expect.stringContaining('send application/json')]);
  });

  test('unknown fields are ignored, also __proto__ and constructor', async () => {
    const answer = await send(
      '{"email":"a@example.com","password":"x","__proto__":{"a":1},"constructor":{"prototype":1},"other":1}',
    );
    expect(answer.statusCode).toBe(401);
  });

  test.each([16 * 1024 + 1, 1024 * 1024])(
    'more than 16 KiB where no route accepts more: 413 for %i bytes',
    async (bytes) => {
      const fields = { email: 'a@example.com', password: '' };
      const padding = ' '.repeat(bytes - JSON.stringify(fields).length);
      const answer = await send(JSON.stringify(fields) + padding);
      expect([answer.statusCode, errorOf(answer.body)]).toEqual([413, expect.stringContaining('larger')]);
      expect((await send(JSON.stringify(fields) + padding.slice(0, 16_000))).statusCode).toBe(401);
    },
  );

  test('a tariff accepts up to 256 KiB', async () => {
    const write = (bytes: number) =>
      portal.app.inject({
        method: 'POST',
        url: '/api/admin/rates/tariffs',
        headers: { ...admin, 'content-type': 'application/json' },
        payload: `{"name":"${'x'.repeat(bytes - 11)}"}`,
      });
    expect((await write(256 * 1024)).statusCode).toBe(400);
    expect((await write(256 * 1024 + 1)).statusCode).toBe(413);
  });
});

describe('413 for 33 MiB: the client gets the answer, not a broken connection', () => {
  const size = 33 * 1024 * 1024;
  const body = Buffer.alloc(size, ' ');
  const head = (...lines: string[]) =>
    [
      'POST /api/ingest/measurements HTTP/1.1',
      'Host: a',
      `Cookie: ${admin.cookie}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n');

  test.each(['keep-alive', 'close'])(
    'with Content-Length, sent completely before reading, connection %s',
    async (connection) => {
      const answer = await exchange(
        head(`Content-Length: ${size}`, `Connection: ${connection}`),
        body,
        // The next request on a kept-alive connection is answered too.
        ...(connection === 'close' ? [] : ['GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"error":"The body is larger');
      if (connection === 'keep-alive') expect(answer).toMatch(/HTTP\/1\.1 200 OK[^]*Healthy$/);
    },
  );

  test('chunked, through fetch', async () => {
    const pieces = Array.from({ length: 33 }, (_, index) => body.subarray(index << 20, (index + 1) << 20));
    const answer = await fetch(`${url}/api/ingest/measurements`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: Readable.toWeb(Readable.from(pieces)),
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
    errorOf(await answer.text());
  });

  test('an anonymous client that sends as much gets 401, and the rest is discarded', async () => {
    const answer = await exchange(
      `POST /api/ingest/measurements HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`,
      body,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    errorOf(bodyOf(answer));
  });

  test('exactly 32 MiB is accepted', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/ingest/measurements',
      headers: { ...admin, 'content-type': 'application/json' },
      payload: Buffer.concat([Buffer.from('[{}]'), Buffer.alloc(limits.ingestBodyBytes - 4, ' ')]),
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ rejected: 1 })]);
  });
});

describe('GET /api/config', () => {
  test('shows every setting to an administrator, and no secret, also not inside the connection string', async () => {
    const answer = await portal.app.inject({ url: '/api/config', headers: admin });
    const entries = z.array(configEntry).parse(answer.json());
    const password = new URL(portal.config.database.connectionString ?? '').password;
    expect(password.length).toBeGreaterThan(8);
    expect(answer.body).not.toContain(password);
    expect(answer.body).not.toContain('ChangeMe123!');
    expect(entries).toContainEqual({
      name: 'WhiteLabel__ApplicationName',
      value: 'Acme Power',
      source: 'environment',
      isSet: true,
      isSecret: false,
    });
  });

  test('Production with an http address warns here and in the log', async () => {
    await using plain = await createTestApp({
      environment: {
        Application__Environment: 'Production',
        Application__PublicUrl: 'http://portal.example.com',
        Authentication__DefaultAdminPassword: 'An0wnPassword',
      },
    });
    expect(plain.log).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/^PRODUCTION WITHOUT TLS: /) }),
    );
    const answer = await plain.app.inject({ url: '/api/config', headers: await plain.signIn() });
    const warned = z
      .array(configEntry)
      .parse(answer.json())
      .filter(({ warning }) => warning !== undefined);
    expect(warned).toMatchObject([{ name: 'Application__PublicUrl', warning: 'plainHttp' }]);
    const others = await portal.app.inject({ url: '/api/config', headers: admin });
    expect(others.body).not.toContain('warning');
  });
});

describe('cross-site requests (decisions.md 2)', () => {
  const write = (headers: Record<string, string>) =>
    portal.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers: { ...admin, ...headers },
      payload: { displayName: 'A' },
    });

  test.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['Sec-Fetch-Site: same-site, which is another customer', { 'sec-fetch-site': 'same-site' }, 403],
    ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['Origin: null', { origin: 'null' }, 403],
    ['the Origin of the Host that came', { origin: 'http://portal:81', host: 'portal:81' }, 403],
    ['a loopback name in Development', { origin: 'http://localhost:8080', host: 'localhost:8080' }, 200],
    ['the public Origin behind a proxy', { origin: 'http://127.0.0.1:8080', host: 'inside' }, 200],
    ['neither header', {}, 200],
  ])('%s', async (_, headers, status) => {
    const answer = await write(headers);
    expect(answer.statusCode).toBe(status);
    if (status === 403) errorOf(answer.body);
  });

  test('reading is not refused', async () => {
    const answer = await portal.app.inject({
      url: '/api/auth/me',
      headers: { ...admin, 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

/** `get /api/sites/{id}` for each route of Fastify's tree, which is indented by four columns a level. */
function listRoutes(tree: string): string[] {
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^(.*?)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/u.exec(line) ?? [];
    path.splice(indent.length / 4, Number.POSITIVE_INFINITY, part.replace(/:(\w+)/g, '{$1}'));
    return (methods ?? '')
      .split(', ')
      .flatMap((method) => (method === '' ? [] : `${method.toLowerCase()} ${path.join('')}`));
  });
}

describe('OpenAPI', () => {
  interface Operation {
    summary?: string;
    tags?: string[];
    responses: Record<string, { description: string; content?: object }>;
    security?: object[];
  }
  const operations = async (): Promise<[string, Operation][]> => {
    const { paths } = (await portal.app.inject('/api/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    return Object.entries(paths).flatMap(([path, found]) =>
      Object.entries(found).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );
  };

  test('it declares OpenAPI 3.1', async () => {
    expect((await portal.app.inject('/api/openapi.json')).json<{ openapi: string }>().openapi).toBe('3.1.0');
  });

  test('it contains every route of the API, with a summary, a tag and a schema for each answer', async () => {
    const documented = new Map(await operations());
    const registered = listRoutes(portal.app.printRoutes({ commonPrefix: false }))
      .filter((name) => / \/api\//.test(name) && !name.startsWith('head '))
      .filter((name) => name !== 'get /api/openapi.json' && !name.startsWith('get /api/docs'));
    expect([...documented.keys()].filter((name) => / \/api\//.test(name)).toSorted()).toEqual(registered.toSorted());
    expect(documented.size).toBeGreaterThan(25);
    for (const [name, { summary, tags, responses }] of documented) {
      expect(summary, name).toMatch(/^[A-Z].{5,}/);
      expect(tags, name).toHaveLength(1);
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect(description, `${name} ${status}`).not.toBe('Default Response');
        const isEmpty = status === '204' || (name === 'get /api/auth/me' && status === '401');
        expect(content === undefined, `${name} ${status}`).toBe(isEmpty);
      }
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true);
    }
  });

  test('each guarded route is marked', async () => {
    const byName = new Map(await operations());
    expect(byName.get('get /api/app/info')?.security).toEqual([]);
    expect(byName.get('get /api/sites')?.security).toEqual([{ session: [] }]);
    expect(byName.get('post /api/ingest/measurements')?.security).toEqual([{ apiKey: [] }, { session: [] }]);
    expect(Object.keys(byName.get('get /api/config')?.responses ?? {})).toEqual(['200', '400', '401', '403', '503']);
  });

  test('every write documents how it rejects other websites and invalid bodies, also without a session', async () => {
    const writes = (await operations()).filter(([name]) => !name.startsWith('get '));
    for (const name of ['post /api/auth/login', 'post /api/auth/logout', 'put /api/auth/me']) {
      expect(writes.map(([write]) => write)).toContain(name);
    }
    for (const [name, { responses }] of writes) {
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['400', '403', '413', '415']));
    }
    const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' };
    const logout = (given: object) =>
      portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { ...given }, payload: 'x' });
    expect((await logout(headers)).statusCode).toBe(403);
    expect((await logout({ 'content-type': 'text/plain' })).statusCode).toBe(415);
  });

  test('its patterns accept a GUID in either letter case, like the server', async () => {
    const document = (await portal.app.inject('/api/openapi.json')).body;
    const patterns = [...document.matchAll(/"pattern":"(\^\[0-9a-f[^"]*)"/g)].map(([, text = '']) => new RegExp(text));
    expect(patterns.length).toBeGreaterThan(10);
    const id = '0199c0de-aaaa-7bbb-8ccc-0123456789ab';
    for (const pattern of patterns) {
      expect(id).toMatch(pattern);
      expect(id.toUpperCase()).toMatch(pattern);
    }
  });

  test('the page has only scripts and styles of the portal, and none inline', async () => {
    const page = await portal.app.inject('/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|https?:/);
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) expect((await portal.app.inject(path)).statusCode, path).toBe(200);
    expect((await portal.app.inject('/api/docs/json')).json()).toEqual(
      (await portal.app.inject('/api/openapi.json')).json(),
    );
  });
});

describe('unusual hostile requests', () => {
  test('a compressed JSON body is rejected where it would not be decompressed', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: Buffer.from([0x1f, 0x8b]),
    });
    expect([answer.statusCode, errorOf(answer.body)]).toEqual([
      415,
      'This endpoint accepts no Content-Encoding; send the JSON uncompressed.',
    ]);
  });

  test('half of a character is rejected, never stored as another one', async () => {
    const answer = await portal.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers: { ...admin, 'content-type': 'application/json' },
      payload: '{"displayName":"a\\ud800b"}',
    });
    expect([answer.statusCode, errorOf(answer.body)]).toEqual([
      400,
      expect.stringMatching(/^displayName: .*surrogate/),
    ]);
  });

  test('a missing field is reported as missing, with what it accepts', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/me/change-password',
      headers: admin,
      payload: { currentPassword: 'x' },
    });
    expect(errorOf(answer.body)).toBe('newPassword is missing; expected a text.');
  });
});
