import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../logging.ts';
import { createApp } from './app.ts';
import type { App } from './guard.ts';
import { serveWebPage } from './web-page.ts';

const index = '<!doctype html><title>Portal</title>';
const script = 'console.log("portal");'.repeat(100);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), index);
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'assets/index-a1b2c3.js'), script);
  await writeFile(join(folder, 'assets/index-a1b2c3.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/index-a1b2c3.js.gz'), gzipSync(script));
});
afterAll(() => rm(folder, { recursive: true }));

async function serve(from: string | undefined): Promise<{ app: App; lines: string[] }> {
  const lines: string[] = [];
  const app = await createApp({
    log: createLog({ write: (line) => lines.push(line) }),
    publicUrl: 'http://127.0.0.1:8080',
    isDevelopment: true,
    trustedProxies: [],
    mayUpgrade: () => false,
    onAnswer: () => undefined,
  });
  await serveWebPage(app, from);
  return { app, lines };
}

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('a built page', () => {
  test.each(['/', '/sites', '/measurements?from=2026-01-01', '/settings/users', '/index.html'])(
    '%s is the index page, which is revalidated each time',
    async (url) => {
      const { app } = await serve(folder);
      const answer = await app.inject({ url, headers: page });
      expect([answer.statusCode, answer.body]).toEqual([200, index]);
      expect(answer.headers['content-type']).toMatch(/^text\/html/);
      expect(answer.headers['cache-control']).toBe('no-cache');
      const again = await app.inject({ url, headers: { ...page, 'if-none-match': String(answer.headers.etag) } });
      expect(again.statusCode).toBe(304);
    },
  );

  test.each([
    ['curl', '*/*'],
    ['no Accept at all', undefined],
    ['axios', 'application/json, text/plain, */*'],
  ])('pages are returned to anything that accepts HTML, and caches distinguish the answers: %s', async (_, accept) => {
    const { app } = await serve(folder);
    for (const url of ['/dashboard', '/sites/0199c0de-aaaa-7bbb-8ccc-0123456789ab', '/no/such/page']) {
      const answer = await app.inject({ url, headers: accept === undefined ? {} : { accept } });
      expect([answer.statusCode, answer.body]).toEqual([200, index]);
      expect(String(answer.headers.vary).split(', ')).toContain('accept');
    }
  });

  test('a page path is a JSON 404 for a program that asks for JSON; caches distinguish the answers', async () => {
    const { app } = await serve(folder);
    for (const accept of ['application/json', 'application/json, */*;q=0.1', 'image/png']) {
      const answer = await app.inject({ url: '/dashboard', headers: { accept } });
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'Nothing at GET /dashboard.' }]);
      expect(answer.headers.vary).toContain('accept');
    }
  });

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('assets are cached forever, and have the type %s', async (encoding, accepted) => {
    const { app } = await serve(folder);
    const answer = await app.inject({ url: '/assets/index-a1b2c3.js', headers: { 'accept-encoding': accepted } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text|application)\/javascript/),
      vary: 'accept-encoding',
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  test('assets share one route, because hundreds of routes would fill the memory of an idle portal', async () => {
    const { app } = await serve(folder);
    await app.ready();
    expect(app.hasRoute({ method: 'GET', url: '/assets/index-a1b2c3.js' })).toBe(false);
  });

  test('files beside the index are revalidated each time', async () => {
    const { app } = await serve(folder);
    const answer = await app.inject('/favicon.svg');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  test.each([
    ['an asset of an older build', 'GET', '/assets/index-old.js', page],
    ['an unknown address of the API', 'GET', '/api/nope', page],
    ['an address of the API that only looks like a page', 'GET', '/API/..%2fapi', { accept: '*/*' }],
    ['an unknown upload', 'GET', '/uploads/nope.png', page],
    ['a program that asks for no page', 'GET', '/sites', { accept: 'application/json' }],
    ['an unknown file', 'GET', '/robots.txt', { accept: '*/*' }],
    ['an unknown address of the API, whatever is accepted', 'GET', '/api/nope', { accept: '*/*' }],
    ['a write', 'POST', '/sites', page],
    ['a folder', 'GET', '/assets/', page],
    ['a file above the folder', 'GET', '/..%2f..%2fpackage.json', { accept: '*/*' }],
    ['a file above the assets', 'GET', '/assets/..%2findex.html', page],
    ['a file above the folder, by way of the assets', 'GET', '/assets/..%2f..%2fpackage.json', page],
    ['an asset behind two slashes', 'GET', '/assets//index-a1b2c3.js', page],
    ['an asset in a folder that is none', 'GET', '/assets/x/..%2findex-a1b2c3.js', page],
    ['an asset in other letters', 'GET', '/assets/INDEX-a1b2c3.js', page],
    ['an asset with a zero byte', 'GET', '/assets/index-a1b2c3.js%00', page],
    ['a write to an asset', 'POST', '/assets/index-a1b2c3.js', page],
  ] as const)('%s is a JSON 404', async (_, method, url, headers) => {
    const { app } = await serve(folder);
    const answer = await app.inject({ method, url, headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: expect.stringContaining('Nothing at') });
  });
});

/** The answer to a GET of exactly this target, which HTTP clients would normalize first. */
async function askRaw(app: App, target: string): Promise<string> {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: portal\r\nAccept: ${page.accept}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  await app.close();
  return answer;
}

describe('a URL with a broken escape', () => {
  test.each(['/sites/%E0%A4%A', '/%', '/sites/%zz?range=today'])(
    'gets the page, which reports that it was not found: %s',
    async (url) => {
      const { app } = await serve(folder);
      const answer = await app.inject({ url, headers: page });
      expect([answer.statusCode, answer.body]).toEqual([200, index]);
      expect((await app.inject({ url })).statusCode).toBe(400);
    },
  );

  test.each(['/api/%zz', '/assets/%zz', '//api/%E0%A4%A'])(
    'is 400 for a program, with the usual headers: %s',
    async (url) => {
      const { app } = await serve(folder);
      const answer = await app.inject({ url, headers: page });
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: expect.stringContaining('percent') }]);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );
});

describe('an unknown URL of the API, however it is written', () => {
  test.each([
    '//api/nope',
    '///api//nope',
    '/api%2fnope',
    '/%61pi/nope',
    '/%2fapi/nope',
    '/API/nope',
    '/Health/nope',
    '/api/nope/',
    '/api',
    'http://portal/api/nope',
    'HTTP://portal//API/nope',
  ])(
    'decisions 1: %s is a JSON 404 that is not cached, even for a browser, and never the index page',
    async (target) => {
      const answer = (await askRaw((await serve(folder)).app, target)).toLowerCase();
      expect(answer).toMatch(/^http\/1\.1 404 /);
      expect(answer).toContain('content-type: application/json');
      expect(answer).toContain('cache-control: no-store');
      expect(answer).toContain('"error":"nothing at');
    },
  );

  test('a page may still begin like one of them', async () => {
    expect(await askRaw((await serve(folder)).app, '/apiary')).toContain(index);
  });
});

describe('without a built page', () => {
  test('the log and the browser name the solution', async () => {
    const { app, lines } = await serve(join(folder, 'nowhere'));
    expect(lines.join()).toContain('The page has not been built; run npm run build');
    const answer = await app.inject({ url: '/', headers: page });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(answer.body).toContain('run npm run build');
  });

  test('without a folder, only the API is served, and everything else is a JSON 404', async () => {
    const { app } = await serve(undefined);
    const answer = await app.inject({ url: '/', headers: page });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      error: 'Nothing at GET /.',
      code: 'nothingHere',
      params: { method: 'GET', path: '/' },
    });
  });
});
