import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RejectedRows } from '../../server/ingest/judged-readings.rules.ts';
import type { App } from '../../server/http/guard.ts';
import { answerError } from '../../server/http/errors.ts';
import { createGuard } from '../../server/http/create-guard.ts';
import { ingestRoutes } from '../../server/ingest/ingest.routes.ts';
import { ingestResult } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let address: URL;
const keys: string[] = [];

const path = '/api/ingest/measurements';
const row = (fields: Record<string, unknown> = {}) => ({
  externalId: 'meter',
  time: '2026-03-10T10:00:00Z',
  activePowerKw: 1.5,
  ...fields,
});

beforeAll(async () => {
  const session = { app: portal.app, headers: await portal.signIn() };
  await createDevice(session, await createSite(session), { externalId: 'meter' });
  for (const name of ['one', 'other']) {
    const created = await portal.app.inject({
      method: 'POST',
      url: '/api/api-keys',
      payload: { name },
      headers: session.headers,
    });
    keys.push(created.json<{ key: string }>().key);
  }
  address = new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 }));
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
});

async function send(body: Buffer | string | ReadableStream, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, address), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[0]}`, ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, text };
}

async function store(body: string, headers: Record<string, string> = {}) {
  const { status, text } = await send(body, headers);
  expect(status).toBe(200);
  return ingestResult.parse(JSON.parse(text));
}

/** The longest answer of `/health` until something is over, in milliseconds. */
async function worstHealth(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  let worst = 0;
  while (!over.signal.aborted) {
    const asked = performance.now();
    await (await fetch(new URL('/health', address))).text();
    worst = Math.max(worst, performance.now() - asked);
    await sleep(5);
  }
  return worst;
}

const countPartitions = async () => {
  const { rows } = await portal.database.query<{ count: number }>({
    text: `SELECT count(*) AS count FROM pg_inherits WHERE inhparent = 'monitoring.measurements'::regclass`,
  });
  return rows[0]?.count;
};

describe('nobody can crash the process', () => {
  test('11 million empty objects in 33 kB, four times at once: 413 with the limit; /health answers; memory stays', async () => {
    const bomb = gzipSync(`[${'{},'.repeat(10_999_999)}{}]`);
    expect(bomb.length).toBeLessThan(40_000);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    let worst = Infinity;
    // About 50 ms on an idle machine; it took 4,600. On a busy one another program may interrupt it once.
    for (let round = 0; round < 3 && worst >= 500; round += 1) {
      const sending = Promise.all([1, 2, 3, 4].map(() => send(bomb, { 'content-encoding': 'gzip' })));
      worst = await worstHealth(sending);
      for (const answer of await sending) {
        expect(answer).toEqual({
          status: 413,
          text: '{"error":"The body has 11000000 rows; at most 250000 are accepted, and nothing was stored.","code":"manyRowsAtOnce","params":{"count":11000000,"max":250000}}',
        });
      }
    }
    clearInterval(watch);
    expect((peak - before) / 2 ** 20).toBeLessThan(300);
    expect(worst).toBeLessThan(500);
  }, 60_000);

  test('millions of objects within one row, or in a field, are rejected by the size of the row', async () => {
    for (const inside of ['{},', '[],', '"a",', '0,']) {
      const bomb = gzipSync(`[{"externalId":[${inside.repeat(8_000_000)}1]}]`);
      const answer = await send(bomb, { 'content-encoding': 'gzip' });
      expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('Entry 0 of the body') });
    }
  }, 60_000);

  test('a body that unpacks to more than 32 MiB, or is longer on the wire and unpacks to nothing, is cut off', async () => {
    for (const [encoding, bomb] of [
      ['gzip', gzipSync(`[${' '.repeat(200_000)}`.padEnd(2 ** 28))],
      ['zstd', zstdCompressSync(Buffer.from(`[${' '.repeat(200_000)}`.padEnd(2 ** 28)))],
    ] as const) {
      expect((await send(bomb, { 'content-encoding': encoding })).status).toBe(413);
    }
    const nothing = Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('')));
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += nothing.length;
        if (sent > 40 * 2 ** 20) controller.close();
        else controller.enqueue(nothing);
      },
    });
    const answer = await send(endless, { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('33554432 bytes') });
  }, 60_000);

  test('250,000 rejected rows answer with the first 100 and the count, and 250,001 rows are too many', async () => {
    const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})));
    const result = await store(rows(250_000));
    expect(result).toMatchObject({ accepted: 0, rejected: 250_000 });
    expect(result.errors.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect((await send(rows(250_001))).status).toBe(413);
  });

  test('the first 100 errors are those of the whole request, found at whatever step', async () => {
    // Every third row is invalid, every third has an unknown device.
    const rows = Array.from({ length: 900 }, (_, at) =>
      row({
        time: new Date(Date.UTC(2026, 2, 10) + (900 - at) * 60_000).toISOString(),
        ...(at % 3 === 0 ? { activePowerKw: null } : at % 3 === 1 ? { externalId: `nobody ${at % 7}` } : {}),
      }),
    );
    const result = await store(JSON.stringify(rows));
    expect(result).toMatchObject({ accepted: 300, rejected: 600, duplicates: 0 });
    const bad = rows.flatMap((_, at) => (at % 3 === 2 ? [] : [at]));
    expect(result.errors.map(({ index }) => index)).toEqual(bad.slice(0, 100));
    expect(result.errors[0]?.reason).toContain('activePowerKw');
    expect(result.errors[1]?.reason).toContain('no device has this external ID');
  });
});

test('a small body is answered the same whether it arrives at once or in pieces', async () => {
  const good = JSON.stringify([row()]);
  const bodies = ['[]', '{}', 'null', '[1]', '[{}', '[{}]x', '[{},]', '', `\ufeff${good}`, good, '["\udc00"]'];
  const texts = [...bodies.map((text) => Buffer.from(text)), Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])];
  for (const body of texts) {
    const pieces = new ReadableStream({
      async start(controller) {
        for (const byte of body) {
          controller.enqueue(Uint8Array.of(byte));
          await sleep(1);
        }
        controller.close();
      },
    });
    const inPieces = await send(pieces);
    await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
    expect(await send(body), body.toString()).toEqual(inPieces);
    await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
  }
});

describe('bodies in transit have a limit', () => {
  /** A large body without its last byte, sent with a key. */
  async function beginBody(key: string | undefined) {
    const socket = connect(Number(address.port), address.hostname);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      `Authorization: Bearer ${key}`,
      `Content-Length: ${32 * 1024 * 1024}`,
    ];
    socket.on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\n[${JSON.stringify(row())},`);
    socket.write(Buffer.alloc(128 * 1024, ' '));
    await sleep(100);
    return socket;
  }

  test('one key that sends large bodies forever does not starve another', async () => {
    const slow = await Promise.all([1, 2, 3, 4].map(() => beginBody(keys[0])));
    const large = JSON.stringify(
      Array.from({ length: 5_000 }, (_, at) =>
        row({ time: new Date(Date.UTC(2026, 2, 10) + at * 1000).toISOString() }),
      ),
    );
    expect(await store(large, { authorization: `Bearer ${keys[1]}` })).toMatchObject({ accepted: 5_000 });
    for (const socket of slow) socket.destroy();
  });
});

test('a body that gets no memory in time is rejected with 503 and Retry-After, and the others are stored', async () => {
  const app: App = fastify().withTypeProvider<ZodTypeProvider>();
  app.setErrorHandler(answerError);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  const { promise: mayStore, resolve: letStore } = Promise.withResolvers<void>();
  const outcome = { accepted: 0, duplicates: 0, rejected: new RejectedRows(0), latest: [], fromMicros: 0, toMicros: 0 };
  const stored = async () => {
    await mayStore;
    return outcome;
  };
  await ingestRoutes(app, {
    guard: createGuard({
      findSession: async () => null,
      findFleetScope: async () => null,
      findCustomer: async () => null,
      findIngestKey: async (name) => ({ id: name, name }),
      recallIngestKey: () => undefined,
    }),
    ingest: { begin: () => ({ judge: () => undefined, add: () => undefined, store: stored, tryOut: stored }) },
    intervals: { begin: () => ({ judge: () => undefined, store: stored }) },
    recordIngest: () => undefined,
    noteArrivals: () => undefined,
    patienceMs: 500,
  });
  const payload = `[${`{"a":"${'x'.repeat(100_000)}"},`.repeat(300)}{}]`;
  const begin = (authorization: string, body = payload) =>
    app.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' },
    });
  const held = [begin('one'), begin('one'), begin('other')];
  await sleep(200);
  const refused = await begin('third');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  expect(refused.json()).toMatchObject({ error: expect.stringContaining('send these again shortly') });
  letStore();
  expect((await Promise.all(held)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await begin('third')).statusCode).toBe(200);
});

describe('partitions are created for stored rows', () => {
  test('not for rejected rows, nor for rows of unknown devices', async () => {
    const before = await countPartitions();
    const years = Array.from({ length: 20 }, (_, at) => `${2001 + at}-05-01T00:00:00Z`);
    const rows = years.flatMap((time) => [row({ time, externalId: 'nobody' }), row({ time, voltageV: -1 })]);
    expect(await store(JSON.stringify(rows))).toMatchObject({ accepted: 0, rejected: 40 });
    expect(await countPartitions()).toBe(before);
    expect(await store(JSON.stringify([row({ time: '2001-05-01T00:00:00Z' })]))).toMatchObject({ accepted: 1 });
  });
});
