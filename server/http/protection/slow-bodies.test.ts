import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerMalformedRequests } from './connections.ts';
import { endSlowBodies } from './bodies.ts';

/** Sends a request and leaves the connection open; resolves with everything received until the server closed it. */
function exchange(port: number, ...parts: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => (answer += String(data))).on('error', reject);
  socket.on('close', () => resolve(answer));
  for (const part of parts) socket.write(part);
  return promise;
}

test('a body that does not arrive in time is answered 408 and its connection closed; a complete one is not', async () => {
  const app = fastify({
    clientErrorHandler: answerMalformedRequests(fastify().log, { 'X-Safe': 'yes' }).onClientError,
  });
  endSlowBodies(app, 100);
  app.post('/', { bodyLimit: 1_024 }, async () => new Promise((resolve) => setTimeout(resolve, 300, 'served')));
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const head = (connection: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
  try {
    const [late, whole] = await Promise.all([
      exchange(port, head('keep-alive'), '{'),
      exchange(port, head('close'), '{}'),
    ]);
    expect(late).toMatch(/^HTTP\/1\.1 408 [^]*X-Safe: yes[^]*The request did not arrive completely in time/);
    expect(whole).toMatch(/^HTTP\/1\.1 200 [^]*served$/);
  } finally {
    await app.close();
  }
});

test('a sent answer ends the watch over its body, and so does a body that was read', async () => {
  const app = fastify();
  endSlowBodies(app, 50);
  const refused: unknown[] = [];
  app.server.on('clientError', (error) => refused.push(error));
  app.post('/', { bodyLimit: 1_024 }, async () => new Promise((resolve) => setTimeout(resolve, 200, 'served')));
  app.post(
    '/refused',
    { bodyLimit: 1_024, onRequest: async (_request, reply) => reply.code(401).send('') },
    async () => '',
  );
  const ask = (url: string) => app.inject({ method: 'POST', url, payload: { a: 1 } });
  expect((await ask('/')).statusCode).toBe(200);
  expect((await ask('/refused')).statusCode).toBe(401);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(refused).toEqual([]);
  await app.close();
});
