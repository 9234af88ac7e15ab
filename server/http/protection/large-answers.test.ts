import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerError } from '../errors.ts';
import { LargeAnswer, waitForPlace, writeLargeAnswers } from './answers.ts';

const rows = Array.from({ length: 12_000 }, (_, n) => ({ time: `at ${n}`, power: n / 3, voltage: null }));
/** More than the buffers of a connection hold. */
const unreadable = Array.from({ length: 2_000_000 }, () => 'ten bytes.');
const app = fastify().withTypeProvider<ZodTypeProvider>();

beforeAll(async () => {
  writeLargeAnswers(app);
  app.get('/rows', async () => rows);
  app.get('/few', async () => rows.slice(0, 10));
  app.get<{ Querystring: { account: string } }>('/waits', async (request, reply) => {
    await waitForPlace(reply, request.query.account, 1_000_000);
    return unreadable;
  });
  app.setErrorHandler(answerError);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const textOf = async (value: unknown) => (await new LargeAnswer(value).setEncoding('utf8').toArray()).join('');

test('a large answer is the same JSON as a small one', async () => {
  const answer = await app.inject('/rows');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-length']).toBeUndefined();
  expect(answer.json()).toEqual(rows);
  expect((await app.inject('/few')).headers['content-length']).toBeDefined();
});

test('in any form: lists in objects, objects in lists, long and short ones', async () => {
  const long = fc.nat(9_000).map((length) => Array.from({ length }, (_, n) => (n % 7 === 0 ? null : n / 7)));
  const part = fc.oneof(fc.jsonValue(), long, fc.constant(rows), fc.constant(undefined));
  const answers = fc.oneof(fc.array(part), fc.dictionary(fc.string(), part), fc.record({ series: fc.array(part) }));
  await fc.assert(
    fc.asyncProperty(answers, async (value) => {
      expect(await textOf(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 60 },
  );
});

test('other requests get their turn while it is written', async () => {
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; turns += 1) await nextIteration();
  })();
  const pieces = await new LargeAnswer(rows).toArray();
  over.abort();
  await others;
  expect(pieces.length).toBeGreaterThan(5);
  expect(turns).toBeGreaterThan(pieces.length);
});

test('an account reads two large answers at once; the next one waits until one of them has been sent', async () => {
  const { port } = app.server.address() as AddressInfo;
  const ask = async (account: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause().write(`GET /waits?account=${account} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  };
  const unread = [await ask('one'), await ask('one')];
  await sleep(50);
  let hasCome = false;
  const third = await ask('one');
  third.once('data', () => (hasCome = true)).resume();
  const other = await ask('other');
  await once(other.resume(), 'data');
  expect(hasCome).toBe(false);
  unread[0]?.destroy();
  if (!hasCome) await once(third, 'data');
  for (const socket of [...unread, third, other]) socket.destroy();
});
