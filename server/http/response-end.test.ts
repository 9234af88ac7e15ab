import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { clientGone, whenClosed } from './client-gone.ts';
import { observeAnswers } from './request-log.ts';
import { endSlowBodies } from './protection/bodies.ts';
import { limitUnread } from './protection/answers.ts';

test('all listeners for the end of a response share one, and each is called once', async () => {
  const log: FastifyBaseLogger = pino({ level: 'silent' });
  const app = fastify({ loggerInstance: log }).withTypeProvider<ZodTypeProvider>();
  let [before, after] = [-1, -1];
  const told: string[] = [];
  limitUnread(app, log);
  app.server.prependListener('request', (_request: unknown, raw: ServerResponse) => {
    before = raw.listenerCount('close');
  });
  observeAnswers(app, ({ status }) => told.push(`answered ${status}`));
  endSlowBodies(app);
  app.post('/', async (_request, reply) => {
    clientGone(reply);
    clientGone(reply);
    for (const name of ['first', 'second']) whenClosed(reply.raw, () => told.push(name));
    return reply.send(Readable.from(['a stream']));
  });
  app.addHook('onSend', (_request, { raw }, _payload, done) => {
    after = raw.listenerCount('close');
    done();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const body = JSON.stringify({ some: 'text' });
  const answer = await fetch(app.listeningOrigin, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(await answer.text()).toBe('a stream');
  await expect.poll(() => told).toEqual(['answered 200', 'first', 'second']);
  expect(after - before).toBe(1);
  await app.close();
});
