import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerMalformedRequests } from './malformed-requests.ts';
import { endSlowBodies } from './slow-bodies.ts';

/** Sends a request and leaves the connection open; resolves with all that came until the server closed it. */
function exchange(port: number, ...parts: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => (answer += String(data))).on('error', reject);
  socket.on('close', () => resolve(answer));
  for (const part of parts) socket.write(part);
  return promise;
}

test('a body that does not come in time is answered 408 and its connection closed; a whole one is not', async () => {
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
    expect(late).toMatch(/^HTTP\/1\.1 408 [^]*X-Safe: yes[^]*The request did not come in completely in time/);
    expect(whole).toMatch(/^HTTP\/1\.1 200 [^]*served$/);
  } finally {
    await app.close();
  }
});
