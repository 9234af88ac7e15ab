import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HeldHeaders } from './held-headers.ts';

const kilobyte = 1024;
const long = 'x'.repeat(100 * kilobyte);
const lines: { msg: string; source?: string }[] = [];
const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
const server = createServer({ maxHeaderSize: 128 * kilobyte, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url === '/waiting') return;
  request.resume().on('end', () => response.end('answered'));
});
const open: Socket[] = [];

beforeAll(async () => {
  new HeldHeaders(log, 1024 * kilobyte, 2).watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  // Two connections that are not counted.
  await Promise.all([connected('127.0.0.1'), connected('127.0.0.1')]);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function connected(localAddress: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  open.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  return socket.resume();
}

const connectedTimes = (count: number, localAddress: string) =>
  Promise.all(Array.from({ length: count }, () => connected(localAddress)));

const openOf = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length;

/** The answer to a request with a long URL. */
async function ask(socket: Socket): Promise<string> {
  socket.write(`GET /?${long} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return String(await once(socket, 'data'));
}

const settled = (ms = 300) => new Promise((resolve) => setTimeout(resolve, ms));

test('incomplete headers are held up to a limit; the source that holds most loses its connections', async () => {
  lines.length = 0;
  const [slow] = await connectedTimes(1, '127.0.0.3');
  slow?.write(`GET /?${long}`);
  const many = await connectedTimes(40, '127.0.0.2');
  for (const socket of many) socket.write(`GET /?${long}`);
  await expect.poll(() => openOf(many)).toBeLessThanOrEqual(10);
  await settled();
  // 900 KiB, and the bytes of the other connection.
  expect(openOf(many)).toBe(9);
  expect(await ask(await connected('127.0.0.4'))).toMatch(/^HTTP\/1\.1 200 /);
  slow?.write(' HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(slow && String(await once(slow, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(lines).toMatchObject([
    { msg: 'closed connections: unanswered requests hold too many headers', source: '127.0.0.2' },
  ]);
});

test('of thousands of sources with few bytes each, one that has waited loses a connection, not one that just sends a long URL', async () => {
  const sources = Array.from({ length: 100 }, (_, n) => `127.0.1.${n + 1}`);
  const many = (await Promise.all(sources.map((source) => connectedTimes(1, source)))).flat();
  for (const socket of many) socket.write(`GET /?${long.slice(0, 10 * kilobyte)}`);
  await settled(1_500);
  expect(openOf(many)).toBe(100);
  const honest = await connected('127.0.0.3');
  honest.write(`GET /?${long}`);
  await expect.poll(() => openOf(many)).toBeLessThan(100);
  honest.write(' HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await once(honest, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
});

test('complete requests do not count, however many a connection sends, nor do their bodies', async () => {
  const sockets = await connectedTimes(5, '127.0.0.2');
  for (const socket of sockets) {
    for (let n = 0; n < 12; n += 1) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    socket.write(`POST / HTTP/1.1\r\nHost:a\r\nContent-Length: ${2_000 * kilobyte}\r\n\r\n`);
    socket.write(long.repeat(15));
  }
  await settled();
  for (const socket of sockets) {
    socket.write(long.repeat(5));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(openOf(sockets)).toBe(5);
});

test.each([
  ['a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab'],
  ['a body in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
])('headers in the same packet after %s count, or end with its connection', async (_, before) => {
  const many = await connectedTimes(40, '127.0.0.2');
  for (const socket of many) socket.write(`${before}GET /?${long.slice(0, 50 * kilobyte)}`);
  await expect.poll(() => openOf(many)).toBeLessThanOrEqual(20);
});

test.each([
  ['whose body does not come', `POST / HTTP/1.1\r\nHost: a\r\nX: ${long}\r\nContent-Length: 10\r\n\r\n{`],
  [
    'whose body does not come in chunks',
    `POST / HTTP/1.1\r\nHost: a\r\nX: ${long}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n`,
  ],
  ['that wait for an answer', `GET /waiting HTTP/1.1\r\nHost: a\r\nX: ${long}\r\n\r\n`],
])('headers of requests %s count, too', async (_, text) => {
  const many = await connectedTimes(40, '127.0.0.2');
  for (const socket of many) socket.write(text);
  await expect.poll(() => openOf(many)).toBeLessThanOrEqual(10);
  await settled();
  expect(openOf(many)).toBe(10);
});

test('a client that sends one request after the other does not count as waiting', async () => {
  const busy = await connected('127.0.0.3');
  const enough = new AbortController();
  const asking = (async () => {
    for (; !enough.signal.aborted; await once(busy, 'data'))
      busy.write(`GET /?${long.slice(0, 30 * kilobyte)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  })();
  await settled(1_000);
  const many = await connectedTimes(12, '127.0.0.2');
  for (const socket of many) socket.write(`GET /?${long}`);
  await expect.poll(() => openOf(many)).toBeLessThanOrEqual(10);
  expect(busy.closed).toBe(false);
  enough.abort();
  await asking;
});
