import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitHeldBodies } from './bodies.ts';

const megabyte = 1024 * 1024;
const lines: { msg: string }[] = [];
const log: FastifyBaseLogger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
const app = fastify({ loggerInstance: log, trustProxy: true }).withTypeProvider<ZodTypeProvider>();

beforeAll(async () => {
  limitHeldBodies(app, log, 10 * megabyte);
  app.post('/', { bodyLimit: megabyte }, async () => 'taken');
  app.post('/small', { bodyLimit: 16 * 1024 }, async () => 'taken');
  app.post('/list', { bodyLimit: 32 * megabyte }, async () => 'taken');
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Sends the headers of a request and the beginning of its body. */
async function begin(from: string, { path = '/', length = `Content-Length: ${megabyte}` } = {}): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const headers = ['Host: a', `X-Forwarded-For: ${from}`, 'Content-Type: application/json', length];
  socket.resume().write([`POST ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  return socket;
}

const openOf = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length;

test.each([
  ['of known length', `Content-Length: ${megabyte}`],
  ['in chunks', 'Transfer-Encoding: chunked'],
])(
  'bodies %s that never end: the source that holds most loses its oldest, others are answered',
  async (_what, length) => {
    const other = await begin('10.0.0.2', { length: 'Content-Length: 20002' });
    const many: Socket[] = [];
    for (let count = 0; count < 30; count += 1) many.push(await begin('10.0.0.1', { length }));
    await expect.poll(() => openOf(many)).toBeLessThanOrEqual(10);
    expect(openOf(many)).toBeGreaterThan(5);
    expect(many.at(-1)?.closed).toBe(false);
    expect(lines.map(({ msg }) => msg)).toContain('closed connections: request bodies hold too much memory');
    const answer = once(other, 'data');
    other.write(JSON.stringify('x'.repeat(20_000)));
    expect(String(await answer)).toContain('200 OK');
    for (const socket of [other, ...many]) socket.destroy();
  },
);

test('small bodies are not counted, nor are lists, which are counted as they arrive', async () => {
  const small = { path: '/small', length: 'Content-Length: 16000' };
  const list = { path: '/list', length: `Content-Length: ${30 * megabyte}` };
  const many = await Promise.all(Array.from({ length: 40 }, (_, at) => begin('10.0.0.3', at % 2 === 0 ? small : list)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(openOf(many)).toBe(40);
  for (const socket of many) socket.destroy();
});
