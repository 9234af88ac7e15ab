import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingestResult } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let admin = { cookie: '' };
let apiKey = '';

const url = '/api/ingest/measurements';
const row = (fields: Record<string, unknown> = {}) => ({
  externalId: 'meter-1',
  time: '2026-03-10T10:00:00Z',
  activePowerKw: 1.5,
  ...fields,
});
const minutes = (count: number, externalId = 'meter-1') =>
  Array.from({ length: count }, (_, minute) =>
    row({
      externalId,
      time: new Date(Date.UTC(2026, 2, 10) + minute * 60_000).toISOString(),
      energyImportedKwh: minute / 10,
    }),
  );

const post = (body: string | Buffer | object, headers: Record<string, string> = {}) =>
  portal.app.inject({
    method: 'POST',
    url,
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
  });
const send = async (rows: object) => {
  const response = await post(rows);
  expect(response.statusCode).toBe(200);
  return ingestResult.parse(response.json());
};
const countRows = async () => {
  const { rows } = await portal.database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM monitoring.measurements',
  });
  return rows[0]?.count;
};

const asAdmin = (request: InjectOptions) =>
  portal.app.inject({ ...request, headers: { ...request.headers, ...admin } });

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const siteId = await createSite(session);
  await createDevice(session, siteId, { externalId: 'meter-1' });
  await createDevice(session, siteId, { externalId: 'meter-2' });
  await createDevice(session, siteId, { externalId: 'switched-off', isActive: false });
  const created = await asAdmin({ method: 'POST', url: '/api/api-keys', payload: { name: 'gateway' } });
  apiKey = created.json<{ key: string }>().key;
});
beforeEach(async () => {
  await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
});

describe('who may send readings (decisions 2)', () => {
  it('an API key', async () => {
    expect(await send([row()])).toEqual({ accepted: 1, rejected: 0, duplicates: 0, errors: [] });
  });

  it('an administrator with a cookie', async () => {
    const response = await asAdmin({ method: 'POST', url, payload: [row()] });
    expect(response.json()).toMatchObject({ accepted: 1 });
  });

  it('nobody else: 401 without either and with a wrong key, 403 for a plain user', async () => {
    expect((await portal.app.inject({ method: 'POST', url, payload: [row()] })).statusCode).toBe(401);
    expect((await post([row()], { authorization: 'Bearer wrong' })).statusCode).toBe(401);
    const account = { email: 'plain@example.com', password: 'Plain-User-1' };
    await asAdmin({ method: 'POST', url: '/api/users', payload: { ...account, displayName: 'Plain user' } });
    const plain = await portal.app.inject({
      method: 'POST',
      url,
      payload: [row()],
      headers: await portal.signIn(account),
    });
    expect(plain.statusCode).toBe(403);
    expect(await countRows()).toBe(0);
  });

  it('a key that fails does not fall back to the cookie of an administrator', async () => {
    const response = await asAdmin({
      method: 'POST',
      url,
      payload: [row()],
      headers: { authorization: 'Bearer wrong' },
    });
    expect(response.statusCode).toBe(401);
  });

  it('an administrator behind a proxy that adds its own Authorization', async () => {
    const response = await asAdmin({
      method: 'POST',
      url,
      payload: [row()],
      headers: { authorization: 'Basic cHJveHk6cHJveHk=' },
    });
    expect(response.statusCode).toBe(200);
  });

  it('a byte order mark in front is no harm', async () => {
    expect((await post(`\ufeff${JSON.stringify([row()])}`)).statusCode).toBe(200);
  });

  it('a revoked key is refused at once', async () => {
    const created = await asAdmin({ method: 'POST', url: '/api/api-keys', payload: { name: 'short-lived' } });
    const { id, key } = created.json<{ id: string; key: string }>();
    expect((await post([row()], { authorization: `Bearer ${key}` })).statusCode).toBe(200);
    await asAdmin({ method: 'DELETE', url: `/api/api-keys/${id}` });
    expect((await post([row()], { authorization: `Bearer ${key}` })).statusCode).toBe(401);
  });
});

describe('ingest rule 6 and hostile bodies: 400 with a reason, nothing stored', () => {
  it.each([
    ['an empty array', '[]', 'at least one row'],
    ['half of a JSON body', '[{"externalId":"meter-1","time":"2026-0', 'not valid JSON'],
    ['no body', '', 'JSON'],
    ['an object', JSON.stringify(row()), 'list of rows'],
    ['a number', '5', 'list of rows'],
    ['null', 'null', 'list of rows'],
    ['a list with a number between good rows', JSON.stringify([row(), 5]), 'entry 1'],
    ['a list with null', JSON.stringify([null]), 'entry 0'],
    ['a list of lists', JSON.stringify([[row()]]), 'entry 0'],
    ['NaN', '[{"externalId":"meter-1","time":"2026-03-10T10:00:00Z","activePowerKw":NaN}]', 'not valid JSON'],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from('[{"externalId":"'), Buffer.from([0xff]), Buffer.from('"}]')]),
      'not UTF-8',
    ],
    ['Infinity', '[{"externalId":"meter-1","time":"2026-03-10T10:00:00Z","activePowerKw":Infinity}]', 'not valid JSON'],
  ])('%s', async (_what, body, reason) => {
    const response = await post(body);
    expect(response.statusCode).toBe(400);
    expect(response.json<{ error: string }>().error).toContain(reason);
    expect(await countRows()).toBe(0);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    'content type %s: 415',
    async (type) => {
      const response = await post(JSON.stringify([row()]), { 'content-type': type });
      expect(response.statusCode).toBe(415);
      expect(response.json<{ error: string }>().error).not.toBe('');
      expect(await countRows()).toBe(0);
    },
  );
});

describe('ingest: rows are judged one by one (decisions 4)', () => {
  it('stores the good rows of a batch and lists the bad ones by index with field, value and what is accepted', async () => {
    const result = await send([
      row(),
      row({ time: '2026-03-10T10:01:00Z', activePowerKw: '1.5' }),
      row({ externalId: 'nobody' }),
      row({ time: '2026-03-10T10:02:00Z' }),
      row({ time: '2026-03-10T10:03:00' }),
    ]);
    expect(result).toMatchObject({ accepted: 2, rejected: 3, duplicates: 0 });
    expect(result.errors.map(({ index, externalId }) => [index, externalId])).toEqual([
      [1, 'meter-1'],
      [2, 'nobody'],
      [4, 'meter-1'],
    ]);
    expect(result.errors[0]?.reason).toMatch(/activePowerKw.*"1\.5".*finite number/);
    expect(await countRows()).toBe(2);
  });

  it('1e400 overflows to infinity in JSON and is refused with its row alone', async () => {
    const response = await post(
      '[{"externalId":"meter-1","time":"2026-03-10T10:00:00Z","activePowerKw":1e400},{"externalId":"meter-1","time":"2026-03-10T10:00:00Z","activePowerKw":1}]',
    );
    expect(response.json()).toMatchObject({ accepted: 1, rejected: 1 });
  });

  it('lists at most 100 errors, ascending, and counts them all', async () => {
    const rows = Array.from({ length: 250 }, (_, at) =>
      row({ externalId: at % 2 === 0 ? 'nobody' : 'meter-1', activePowerKw: null }),
    );
    const result = await send(rows);
    expect(result).toMatchObject({ accepted: 0, rejected: 250 });
    expect(result.errors.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });

  it('stores the rows of a device that is switched off', async () => {
    expect(await send([row({ externalId: 'switched-off' })])).toMatchObject({ accepted: 1, rejected: 0 });
  });

  it('returns null as null, and other values without noise digits', async () => {
    await send([
      row({
        activePowerKw: 0.1,
        reactivePowerKvar: null,
        apparentPowerKva: 0.3,
        powerFactor: -0.7,
        voltageV: 230.123,
        frequencyHz: 49.9876,
        energyImportedKwh: 123456.789012,
      }),
    ]);
    const page = await asAdmin({ url: '/api/measurements/raw?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z' });
    expect(page.json()).toMatchObject({
      rows: [
        {
          time: '2026-03-10T10:00:00Z',
          activePowerKw: 0.1,
          reactivePowerKvar: null,
          apparentPowerKva: 0.3,
          powerFactor: -0.7,
          voltageV: 230.123,
          frequencyHz: 49.9876,
          energyImportedKwh: 123456.789012,
          energyExportedKwh: null,
        },
      ],
    });
  });

  it('keeps microseconds: two readings in one millisecond are two', async () => {
    const result = await send([
      row({ time: '2026-03-10T10:00:00.000001Z' }),
      row({ time: '2026-03-10T10:00:00.000002Z' }),
    ]);
    expect(result).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it('takes rows of any month, also of years ago and of the day ahead', async () => {
    const tomorrow = new Date(Date.now() + 23 * 3600_000).toISOString();
    const result = await send([
      row({ time: '2000-01-01T00:00:00Z' }),
      row({ time: '2013-07-01T00:00:00Z' }),
      row({ time: tomorrow }),
    ]);
    expect(result).toMatchObject({ accepted: 3, rejected: 0 });
  });

  it('takes SQL, HTML and NUL in an external id as text that belongs to no device', async () => {
    const result = await send([
      row({ externalId: "'; DROP TABLE monitoring.measurements; --" }),
      row({ externalId: '<script>alert(1)</script>' }),
      row({ externalId: 'nul\u0000byte' }),
      row({ externalId: 'lone \ud800 surrogate' }),
      row({ externalId: 'x'.repeat(100_000) }),
      row(),
    ]);
    expect(result).toMatchObject({ accepted: 1, rejected: 5 });
    expect(JSON.stringify(result.errors).length).toBeLessThan(5000);
  });
});

describe('ingest rule 7: idempotent under re-delivery', () => {
  it.each([10, 3000])('%d rows delivered twice are stored once and said to be known', async (count) => {
    expect(await send(minutes(count))).toMatchObject({ accepted: count, duplicates: 0 });
    expect(await send(minutes(count))).toMatchObject({ accepted: count, rejected: 0, duplicates: count });
    expect(await countRows()).toBe(count);
  });

  it('of two rows for one device and time in a request the first wins and the other is a duplicate', async () => {
    expect(await send([row({ activePowerKw: 1 }), row({ activePowerKw: 2 }), row({ activePowerKw: 1 })])).toMatchObject(
      {
        accepted: 3,
        duplicates: 2,
      },
    );
    const page = await asAdmin({ url: '/api/measurements/raw?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z' });
    expect(page.json()).toMatchObject({ totalCount: 1, rows: [{ activePowerKw: 1 }] });
  });

  it('a row that is known keeps its first values', async () => {
    await send([row({ activePowerKw: 1 })]);
    await send([row({ activePowerKw: 9 })]);
    const page = await asAdmin({ url: '/api/measurements/raw?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z' });
    expect(page.json()).toMatchObject({ totalCount: 1, rows: [{ activePowerKw: 1 }] });
  });

  it.each([7, 2000])(
    '%d rows sent by 16 requests at the same moment are stored once; each request gets its own verdicts',
    async (count) => {
      const results = await Promise.all(Array.from({ length: 16 }, () => send(minutes(count))));
      expect(await countRows()).toBe(count);
      for (const result of results) expect(result).toMatchObject({ accepted: count, rejected: 0 });
      const known = results.reduce((sum, result) => sum + result.duplicates, 0);
      expect(known).toBe(15 * count);
    },
  );

  it('requests that share a transaction each get their own counts', async () => {
    await send(minutes(5));
    const results = await Promise.all([
      send(minutes(5)),
      send(minutes(5, 'meter-2')),
      send([row({ externalId: 'nobody' }), ...minutes(1, 'switched-off')]),
      send(minutes(8)),
    ]);
    expect(results.map(({ accepted, rejected, duplicates }) => [accepted, rejected, duplicates])).toEqual([
      [5, 0, 5],
      [5, 0, 0],
      [1, 1, 0],
      [8, 0, 5],
    ]);
  });

  it('rows in any order, of several devices, overlapping from both sides, never deadlock', async () => {
    const both = [...minutes(1500), ...minutes(1500, 'meter-2')];
    const orders = [
      both,
      both.toReversed(),
      [...both.slice(1500), ...both.slice(0, 1500)],
      both.filter((_, at) => at % 2 === 0),
    ];
    await Promise.all([...orders, ...orders].map((rows) => send(rows)));
    expect(await countRows()).toBe(3000);
  });
});

describe('ingest: encodings and sizes (decisions 4)', () => {
  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('accepts content encoding %s', async (encoding, compress) => {
    const response = await post(compress(Buffer.from(JSON.stringify(minutes(100)))), { 'content-encoding': encoding });
    expect(response.json()).toMatchObject({ accepted: 100 });
  });

  it('takes zstd with a window of 8 MiB, the most that HTTP allows, and refuses larger ones with 400', async () => {
    const body = `${' '.repeat(9 * 1024 * 1024)}[${JSON.stringify(row())}]`;
    const sendIn = (windowLog: number) =>
      post(zstdCompressSync(body, { params: { [constants.ZSTD_c_windowLog]: windowLog } }), {
        'content-encoding': 'zstd',
      });
    expect((await sendIn(23)).json()).toMatchObject({ accepted: 1 });
    const refused = await sendIn(24);
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ error: string }>().error).toBe('The body is not valid zstd with a window of at most 8 MiB.');
  });

  it('refuses an encoding it does not know with 415, and a body that is not what its encoding says with 400', async () => {
    expect((await post(JSON.stringify([row()]), { 'content-encoding': 'br' })).statusCode).toBe(415);
    expect((await post(JSON.stringify([row()]), { 'content-encoding': 'gzip' })).statusCode).toBe(400);
    const truncated = gzipSync(JSON.stringify(minutes(500))).subarray(0, 300);
    expect((await post(truncated, { 'content-encoding': 'gzip' })).statusCode).toBe(400);
    expect(await countRows()).toBe(0);
  });

  it.each([
    ['plain', {}, (body: Buffer) => body],
    ['gzip', { 'content-encoding': 'gzip' }, (body: Buffer) => gzipSync(body)],
  ])('32 MiB %s are accepted; one byte more is 413 and nothing stored', async (_what, headers, encode) => {
    const list = Buffer.from(JSON.stringify([row()]));
    const bodyOf = (bytes: number) => encode(Buffer.concat([Buffer.alloc(bytes - list.length, 32), list]));
    const response = await post(bodyOf(32 * 1024 * 1024 + 1), headers);
    expect(response.statusCode).toBe(413);
    expect(response.json<{ error: string }>().error).not.toBe('');
    expect(await countRows()).toBe(0);
    expect((await post(bodyOf(32 * 1024 * 1024), headers)).json()).toMatchObject({ accepted: 1 });
  });

  it('200,000 rows in one request', async () => {
    const result = await send(minutes(200_000));
    expect(result).toMatchObject({ accepted: 200_000, rejected: 0, duplicates: 0 });
    expect(await countRows()).toBe(200_000);
  });
});

describe('ReceivedAt (specification, "Stored measurement")', () => {
  it('is the time of the insert, and indexed', async () => {
    const before = Date.now();
    await send([row()]);
    const { rows } = await portal.database.query<{ receivedAt: string }>({
      text: 'SELECT received_at AS "receivedAt" FROM monitoring.measurements',
    });
    const receivedAt = Date.parse(rows[0]?.receivedAt ?? '');
    expect(receivedAt).toBeGreaterThanOrEqual(before - 1000);
    expect(receivedAt).toBeLessThanOrEqual(Date.now() + 1000);
    const indexes = await portal.database.query<{ definition: string }>({
      text: `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'monitoring' AND tablename = 'measurements'`,
    });
    expect(indexes.rows.some(({ definition }) => definition.includes('(received_at)'))).toBe(true);
  });
});
