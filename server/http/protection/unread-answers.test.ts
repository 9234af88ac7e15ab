import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerError } from '../errors.ts';
import { limitUnread } from './answers.ts';

const megabyte = 1024 * 1024;
const lines: { msg: string }[] = [];
const log: FastifyBaseLogger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
const app = fastify({ loggerInstance: log, trustProxy: true }).withTypeProvider<ZodTypeProvider>();
let asked = 0;
let hooked = 0;

beforeAll(async () => {
  app.addHook('onRequest', (_request, _reply, done) => {
    hooked += 1;
    done();
  });
  limitUnread(app, log, 60 * megabyte);
  app.get('/large', async () => {
    asked += 1;
    return 'x'.repeat(25 * megabyte);
  });
  app.get('/stream', async (_, reply) => {
    asked += 1;
    return reply.send(Readable.from(chunks()));
  });
  app.get('/small', async () => new Promise((resolve) => setTimeout(() => resolve('small'), 20)));
  app.setErrorHandler(answerError);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

let streams = 0;
async function* chunks() {
  streams += 1;
  try {
    for (let n = 0; n < 1_000; n += 1) yield Buffer.alloc(64 * 1024);
  } finally {
    streams -= 1;
  }
}

const request = (from: string) => `GET /large HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`;

async function open(): Promise<Socket> {
  const address = app.server.address() as AddressInfo;
  const socket = connect(address.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Asks, and reads nothing. */
async function ask(from: string): Promise<Socket> {
  const before = asked;
  const socket = await open();
  socket.pause().write(request(from));
  await expect.poll(() => asked).toBe(before + 1);
  return socket;
}

/** The bytes received on a connection until no more arrived. */
async function bytesOn(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (data) => (bytes += data.length)).resume();
  for (let before = -1; socket.bytesRead !== before || before === 0;) {
    before = socket.bytesRead;
    await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 300))]);
    if (socket.closed) break;
  }
  socket.destroy();
  return bytes;
}

test('of a dozen simultaneous requests four are answered, one is rejected, and the connection ends', async () => {
  const socket = await open();
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.write(request('10.0.0.1').replace('/large', '/small').repeat(12));
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array.from({ length: 4 }, () => 'HTTP/1.1 200'), 'HTTP/1.1 429']);
  expect(text).toContain('At most 4 requests of a connection may wait for an answer');
  expect(lines.map(({ msg }) => msg)).toContain(
    'closed a connection: it sent request after request without waiting for an answer',
  );
});

test('of thousands at once only a dozen reach a handler, and the connection is closed', async () => {
  const before = hooked;
  const socket = await open();
  socket.resume().write('GET /small HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000));
  await once(socket, 'close');
  expect(hooked - before).toBeLessThanOrEqual(16);
});

/**
 * Opens connections from a separate process, so that all of them arrive in one turn of this process's event loop, and sends 1,500
 * requests on each.
 */
const flooding = (connections: number, port: number) => `
  const { connect } = require('node:net');
  const sockets = Array.from({ length: ${connections} }, () => connect(${port}, '127.0.0.1').on('error', () => {}));
  Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve)))).then(() => {
    for (const socket of sockets) socket.resume().write('GET /small HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'.repeat(1500));
  });`;

test('one connection of a flooding source is read in each turn: reading all of them would block others for seconds', async () => {
  let parsed = 0;
  let most = 0;
  const count = () => (parsed += 1);
  app.server.prependListener('request', count);
  const { port } = app.server.address() as AddressInfo;
  const child = spawn(process.execPath, ['-e', flooding(40, port)], { stdio: 'inherit' });
  while (child.exitCode === null) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, parsed);
    parsed = 0;
  }
  app.server.off('request', count);
  expect(most).toBeGreaterThan(16);
  // The requests of the connection that reveals the flood, and of the next one in turn.
  expect(most).toBeLessThanOrEqual(2 * 1_500);
});

test('a connection of such a source that behaves well is answered all the same', async () => {
  const [polite, flood] = [await open(), await open()];
  let text = '';
  polite.on('data', (data) => (text += String(data)));
  flood.resume().write('GET /small HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500));
  polite.write('GET /small HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(flood, 'close');
  await expect.poll(() => text).toContain('small');
  polite.write('GET /small HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => text.match(/small/g)).toHaveLength(2);
  polite.destroy();
});

test('a client that requests much and reads nothing loses its longest-waiting connection; others keep theirs', async () => {
  const other = await ask('10.0.0.2');
  const first = await ask('10.0.0.3');
  const second = await ask('10.0.0.3');
  expect(await bytesOn(other)).toBeGreaterThan(25 * megabyte);
  expect(await bytesOn(first)).toBeLessThan(25 * megabyte);
  expect(await bytesOn(second)).toBeGreaterThan(25 * megabyte);
});

test('addresses of one IPv6 network are one source, so that many of them give no advantage', async () => {
  const other = await ask('10.0.0.6');
  const first = await ask('2001:db8::1');
  const second = await ask('2001:db8::2');
  expect(await bytesOn(other)).toBeGreaterThan(25 * megabyte);
  expect(await bytesOn(first)).toBeLessThan(25 * megabyte);
  second.destroy();
});

test('requests one after the other on one connection are all answered', async () => {
  const socket = await open();
  let bytes = 0;
  socket.on('data', (data) => (bytes += data.length));
  for (let n = 1; n <= 6; n += 1) {
    socket.write(request('10.0.0.4'));
    await expect.poll(() => bytes, { interval: 20 }).toBeGreaterThan(n * 25 * megabyte);
  }
  socket.destroy();
});

test('unread streams count too: each holds a file and its parts', async () => {
  const sockets = await Promise.all(Array.from({ length: 150 }, open));
  for (const socket of sockets) socket.pause().write(request('10.0.0.5').replace('/large', '/stream').repeat(4));
  // 480 of 128 KiB are 60 MiB; of 600 the others are closed, four with each connection.
  await expect.poll(() => asked, { interval: 20 }).toBeGreaterThanOrEqual(600);
  await expect.poll(() => streams, { interval: 20 }).toBeLessThanOrEqual(480);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => streams, { interval: 20 }).toBe(0);
});
