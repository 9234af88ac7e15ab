import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerError } from './errors.ts';
import { limitUnread } from './unread-answers.ts';

const megabyte = 1024 * 1024;
const lines: { msg: string }[] = [];
const log: FastifyBaseLogger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
const app = fastify({ loggerInstance: log, trustProxy: true }).withTypeProvider<ZodTypeProvider>();
let asked = 0;

beforeAll(async () => {
  limitUnread(app, log, { requestsOfConnection: 4, all: 60 * megabyte });
  app.get('/large', async () => {
    asked += 1;
    return 'x'.repeat(25 * megabyte);
  });
  app.get('/small', async () => new Promise((resolve) => setTimeout(() => resolve('small'), 20)));
  app.setErrorHandler(answerError);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

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

/** How much came on a connection until nothing more did. */
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

test('of hundreds of requests at once four are answered, one is refused, and the connection ends', async () => {
  const socket = await open();
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.write(request('10.0.0.1').replace('/large', '/small').repeat(300));
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array.from({ length: 4 }, () => 'HTTP/1.1 200'), 'HTTP/1.1 429']);
  expect(text).toContain('At most 4 requests of a connection may wait for an answer');
  expect(lines.map(({ msg }) => msg)).toContain(
    'closed a connection: it sent request after request without waiting for an answer',
  );
});

test('who asks much and reads nothing loses the connection that has waited longest; others keep theirs', async () => {
  const other = await ask('10.0.0.2');
  const first = await ask('10.0.0.3');
  const second = await ask('10.0.0.3');
  expect(await bytesOn(other)).toBeGreaterThan(25 * megabyte);
  expect(await bytesOn(first)).toBeLessThan(25 * megabyte);
  expect(await bytesOn(second)).toBeGreaterThan(25 * megabyte);
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
