import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { currentConnection, markConnected } from './connection.ts';
import {
  ApiError,
  BrokenOffError,
  ContractError,
  OfflineError,
  fetchJson,
  fetchNothing,
  fetchStream,
  queryString,
  readRetryAfter,
} from './http.ts';

const answers: Record<string, { status: number; body: string; headers?: Record<string, string> }> = {
  '/ok': { status: 200, body: '{"value":1}', headers: { 'x-kind': 'short' } },
  '/refused': { status: 400, body: '{"error":"to must be after from."}' },
  '/locked': { status: 429, body: '{"error":"Too many attempts."}', headers: { 'retry-after': '90' } },
  '/over': { status: 401, body: '' },
  '/gateway': { status: 502, body: '<html>Bad gateway</html>' },
  '/turned': {
    status: 200,
    body: '{"name":"\u202Eevil\u2066 \u{1F3ED} \u0645\u0635\u0646\u0639 \u05D1\u05D9\u05EA\u200F"}',
  },
  '/page': { status: 200, body: '<html></html>' },
};
const answer = z.object({ value: z.number() });

const { promise: left, resolve: leave } = Promise.withResolvers<void>();
let begun = Promise.withResolvers<void>();
let server: Server;
let base = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.startsWith('/hangs') === true) return;
    if (request.url === '/stops') return void response.writeHead(200).write('{"value"', () => begun.resolve());
    if (request.url === '/breaks') return void response.writeHead(200).write('half', () => response.destroy());
    if (request.url === '/slow') {
      response.writeHead(200).write('a');
      const timer = setInterval(() => response.write('a'), 20);
      return void response.once('close', () => {
        clearInterval(timer);
        leave();
      });
    }
    const found = answers[request.url ?? ''] ?? { status: 404, body: '' };
    response.writeHead(found.status, found.headers).end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address !== null && typeof address === 'object') base = `http://127.0.0.1:${address.port}`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  markConnected();
  begun = Promise.withResolvers<void>();
});

const errorOf = (path: string): Promise<unknown> =>
  fetchJson(base + path, answer).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the result of a request', () => {
  it('is the parsed answer', async () => {
    expect(await fetchJson(`${base}/ok`, answer)).toEqual({ value: 1 });
  });

  it('has no characters that change the direction of the text beside a name, but all others of its names', async () => {
    expect(await fetchJson(`${base}/turned`, z.object({ name: z.string() }))).toEqual({
      name: 'evil \u{1F3ED} \u0645\u0635\u0646\u0639 \u05D1\u05D9\u05EA\u200F',
    });
  });

  it("carries the server's sentence and status", async () => {
    expect(await errorOf('/refused')).toMatchObject({
      name: 'ApiError',
      status: 400,
      message: 'to must be after from.',
    });
  });

  it('carries Retry-After in seconds', async () => {
    expect(await errorOf('/locked')).toMatchObject({ status: 429, retryAfterSeconds: 90 });
  });

  it('is an ApiError even if the body is empty', async () => {
    const error = await errorOf('/over');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, message: '' });
  });

  it('is a ContractError if the answer breaks the contract', async () => {
    expect(await errorOf('/page')).toBeInstanceOf(ContractError);
  });

  it('does not affect the connection when the portal rejects it', async () => {
    await errorOf('/refused');
    expect(currentConnection()).toBe('connected');
  });

  it('is an OfflineError and a lost connection when a proxy cannot reach the portal', async () => {
    expect(await errorOf('/gateway')).toBeInstanceOf(OfflineError);
    expect(currentConnection()).toBe('lost');
  });

  it('is an OfflineError and a lost connection when nobody listens', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const address = free.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await new Promise((resolve) => free.close(resolve));
    await expect(fetchNothing(`http://127.0.0.1:${port}/`, {})).rejects.toBeInstanceOf(OfflineError);
    expect(currentConnection()).toBe('lost');
  });

  it('is the abort, not a lost connection, when the page no longer wants it', async () => {
    await expect(fetchJson(`${base}/ok`, answer, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(currentConnection()).toBe('connected');
  });
});

/** The result of a stream: its text, one of its headers, and the error that it threw. */
async function streamOf(path: string, signal?: AbortSignal, onPart: () => void = () => undefined) {
  let text = '';
  const decoder = new TextDecoder();
  let kind: string | null = null;
  const error: unknown = await fetchStream(base + path, {
    ...(signal === undefined ? {} : { signal }),
    onBegin: (headers) => {
      kind = headers.get('x-kind');
    },
    onPart: (part) => {
      text += decoder.decode(part, { stream: true });
      onPart();
    },
  }).catch((cause: unknown) => cause);
  return { text, kind, error };
}

describe('the result of an answer that is read part by part', () => {
  it('is all of its parts, after the headers', async () => {
    expect(await streamOf('/ok')).toEqual({ text: '{"value":1}', kind: 'short', error: undefined });
  });

  it('is a BrokenOffError, not a lost connection, when the portal breaks it off in the middle', async () => {
    const { text, error } = await streamOf('/breaks');
    expect(text).toBe('half');
    expect(error).toBeInstanceOf(BrokenOffError);
    expect(currentConnection()).toBe('connected');
  });

  it("is the server's error, and nothing has begun", async () => {
    const { text, kind, error } = await streamOf('/refused');
    expect([text, kind]).toEqual(['', null]);
    expect(error).toMatchObject({ name: 'ApiError', status: 400, message: 'to must be after from.' });
  });

  it('is the abort when the page no longer wants it, and the portal learns of it', async () => {
    const stop = new AbortController();
    const { text, error } = await streamOf('/slow', stop.signal, () => stop.abort());
    expect(text).toMatch(/^a+$/);
    expect(error).toMatchObject({ name: 'AbortError' });
    await left;
    expect(currentConnection()).toBe('connected');
  });

  it('is whatever the reader of the headers throws', async () => {
    const onBegin = () => {
      throw new ContractError('not a file');
    };
    await expect(fetchStream(`${base}/ok`, { onBegin, onPart: () => undefined })).rejects.toBeInstanceOf(ContractError);
  });
});

describe('a portal that does not respond', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const year = { from: '2025-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  const decade = { from: '2016-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  it.each([
    ['30 seconds for a read', {}, 30],
    ['30 seconds for a range of a year', { query: year }, 30],
    ['two minutes for a range of many years', { query: decade }, 120],
    ['two minutes for a write', { method: 'POST', json: {} }, 120],
  ] as const)('is lost after %s', async (_rule, options, seconds) => {
    const request = fetchJson(`${base}/hangs`, answer, options).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(currentConnection()).toBe('connected');
    await vi.advanceTimersByTimeAsync(1);
    expect(await request).toBeInstanceOf(OfflineError);
    expect(currentConnection()).toBe('lost');
  });

  it.each([
    ['read at once', () => fetchJson(`${base}/stops`, answer).catch((error: unknown) => error)],
    ['taken part by part', async () => (await streamOf('/stops')).error],
  ])('is lost too if it stops in the middle of an answer that is %s', async (_kind, ask) => {
    const request = ask();
    await begun.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await request).toBeInstanceOf(OfflineError);
    expect(currentConnection()).toBe('lost');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-07-01T12:00:00Z');
  it.each([
    [null, null],
    ['30', 30],
    ['Wed, 01 Jul 2026 12:01:00 GMT', 60],
    ['Wed, 01 Jul 2026 11:00:00 GMT', 0],
    ['soon', null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });
});

describe('the query string', () => {
  it('leaves out absent values and escapes the rest', () => {
    expect(queryString({ a: 'x y&z', b: null, c: undefined, d: '', e: 0 })).toBe('?a=x+y%26z&e=0');
    expect(queryString()).toBe('');
  });
});
