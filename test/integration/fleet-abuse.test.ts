import { hash, randomUUIDv7 } from 'node:crypto';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const batchesPerMinute = 60;
const rounds = 3;
const mebibyte = 1024 * 1024;

let made: TestDatabase;
let portal: RunningPortal;
let database: Database;
/** As many connections as there are customers; the abusive one opens one for each request. */
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

beforeAll(async () => {
  made = await createTestDatabase('admin');
  database = new Database(made.connectionString, { maxConnections: 1 });
  portal = await startPortal({
    environment: {
      Application__RunMode: 'Admin',
      Database__ConnectionString: made.connectionString,
      FleetIngest__MaxBatchesPerMinute: String(batchesPerMinute),
    },
  });
});
afterAll(async () => {
  agent.destroy();
  await portal[Symbol.asyncDispose]();
  await database.close();
  await made.drop();
});

interface Customer {
  id: string;
  token: string;
}

async function createCustomers(count: number): Promise<Customer[]> {
  const customers = Array.from({ length: count }, () => ({
    id: randomUUIDv7(),
    token: hash('sha256', randomUUIDv7()),
  }));
  const ids = customers.map(({ id }) => id);
  await database.query(
    {
      text: `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
             SELECT id, 'c-' || n, 'C', true, decode(hash, 'hex'), now(), now()
             FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS made (id, hash, n)`,
    },
    [ids, customers.map(({ token }) => hash('sha256', token))],
  );
  await database.query({ text: 'INSERT INTO fleet.customer_state (customer_id) SELECT unnest($1::uuid[])' }, [ids]);
  return customers;
}

interface Sent {
  token: string;
  body: string | Buffer;
  encoding?: string;
  /** Sends only the first byte until this ends. */
  slowUntil?: AbortSignal;
  agent?: Agent | undefined;
}
interface Answered {
  /** 0 if the connection was closed while the body was still being sent. */
  status: number;
  retryAfter: string | undefined;
}

function push({ token, body, encoding = 'identity', slowUntil, ...options }: Sent): Promise<Answered> {
  const bytes = Buffer.from(body);
  const headers = {
    'content-type': 'application/json',
    'content-encoding': encoding,
    'content-length': String(bytes.length),
    'x-customer-token': token,
    'x-batch-type': 'measurements',
  };
  return new Promise((resolve) => {
    const outgoing = request(`${portal.url}/api/fleet/ingest`, { method: 'POST', headers, ...options }, (answer) => {
      answer.resume();
      answer.once('close', () =>
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }),
      );
    });
    outgoing.on('error', () => resolve({ status: 0, retryAfter: undefined }));
    slowUntil?.addEventListener('abort', () => outgoing.destroy());
    if (slowUntil === undefined) outgoing.end(bytes);
    else outgoing.write(bytes.subarray(0, 1));
  });
}

const rowsAt = (minute: number) =>
  JSON.stringify(
    [1, 2].map((device) => ({
      deviceId: `018f4ad0-0000-7000-8000-${String(device).padStart(12, '0')}`,
      time: new Date(Date.UTC(2026, 2, 10, 10, minute)).toISOString(),
      activePowerKw: device,
    })),
  );

const countOf = (answers: readonly Answered[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));
const query = async <Row extends object>(text: string, ids: readonly string[]) =>
  (await database.query<Row>({ text }, [ids])).rows;

test('beside one customer that sends slow bodies, bombs, nonsense and too much, all batches of 200 others are stored', async () => {
  const [abuser = { id: '', token: '' }, ...good] = await createCustomers(201);
  const slowUntil = new AbortController();
  const { token } = abuser;
  const bomb = gzipSync(Buffer.alloc(33 * mebibyte, ' '));
  const millionsOfBadRows = gzipSync(`[${'{},'.repeat(10 * mebibyte)}{}]`);
  const manyBadRows = gzipSync(`[${'{"deviceId":1},'.repeat(199_999)}{}]`);
  const times = (count: number, sent: Sent) => Array.from({ length: count }, () => push(sent));

  const slow = times(10, { token, body: rowsAt(0), slowUntil: slowUntil.signal });
  const large = [bomb, millionsOfBadRows, manyBadRows].flatMap((body) => times(4, { token, body, encoding: 'gzip' }));
  const nonsense = [
    ...times(5, { token, body: '[{"deviceId"' }),
    ...times(5, { token, body: 'no gzip', encoding: 'gzip' }),
    ...times(5, { token, body: '{"rows":[]}' }),
  ];
  const strangers = times(60, { token: 'f'.repeat(64), body: rowsAt(0) });
  const flood = times(200, { token, body: rowsAt(0) });

  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(good.map((one) => push({ token: one.token, body: rowsAt(round), agent })));
    expect(countOf(answers)).toEqual({ 200: good.length });
  }
  const stored = await query<{ count: number }>(
    'SELECT measurement_count AS count FROM fleet.customer_state WHERE customer_id = ANY ($1::uuid[])',
    good.map(({ id }) => id),
  );
  expect(stored.map(({ count }) => count)).toEqual(good.map(() => 2 * rounds));

  expect(countOf(await Promise.all(strangers))).toEqual({ 401: strangers.length });
  const [largeOnes, others] = [await Promise.all(large), await Promise.all([...nonsense, ...flood])];
  for (const { status } of largeOnes) expect([0, 200, 413, 429, 503]).toContain(status);
  for (const { status } of others) expect([200, 400, 429, 503]).toContain(status);
  const answers = [...largeOnes, ...others];
  const refused = answers.filter(({ status }) => status === 429);
  // As many as may come in a minute are accepted at once; a test may take a minute.
  expect(refused.length).toBeGreaterThan(answers.length + slow.length - 3 * batchesPerMinute);
  for (const { retryAfter } of answers.filter(({ status }) => status === 429 || status === 503)) {
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  slowUntil.abort();
  await Promise.all(slow);
  const [events] = await query<{ refused: number; taken: number }>(
    `SELECT count(*) FILTER (WHERE rows_accepted = 0) AS refused, count(*) FILTER (WHERE rows_accepted > 0) AS taken
     FROM fleet.ingest_events WHERE customer_id = ANY ($1::uuid[])`,
    [abuser.id],
  );
  // Of rejected batches only some are recorded, each with the number of others.
  expect(events?.refused).toBeLessThan(40);
  expect(events?.taken).toBe(others.filter(({ status }) => status === 200).length);
  const memory = /^process_resident_memory_bytes (\S+)$/m.exec(await (await fetch(`${portal.url}/metrics`)).text());
  expect(Number(memory?.[1])).toBeLessThan(600 * mebibyte);
}, 120_000);
