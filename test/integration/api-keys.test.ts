import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIngestKeys } from '../../server/accounts/api-keys.ts';
import { lockIngestExclusively } from '../../server/database/ingest-lock.ts';
import type { Queryable } from '../../server/database/pool.ts';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

let now = Date.now();
const portal = appOfFile({ now: () => now });
let admin: { cookie: string };
const unknownId = '019a0000-0000-7000-8000-000000000001';

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  await createDevice(session, await createSite(session), { externalId: 'meter-1' });
});
beforeEach(async () => {
  now = Date.now();
  await portal.database.query({ text: 'DELETE FROM monitoring.api_keys' });
});

const ask = (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object, headers: Record<string, string> = admin) =>
  portal.app.inject({ method, url: `/api/api-keys${path}`, headers, ...(payload === undefined ? {} : { payload }) });
const createKey = async (name: string) => (await ask('POST', '', { name })).json<{ id: string; key: string }>();
const listKeys = async () => (await ask('GET')).json<{ name: string; lastUsedAt: string | null }[]>();
const ingestUrl = '/api/ingest/measurements';
const row = { externalId: 'meter-1', time: '2026-03-10T10:00:00Z', activePowerKw: 1 };
const deliver = (headers: Record<string, string>) =>
  portal.app.inject({ method: 'POST', url: ingestUrl, headers, payload: [row] });

describe('Management', () => {
  test('POST answers 201 with the key, 32 random bytes, once; only its SHA-256 is stored', async () => {
    const answer = await ask('POST', '', { name: '  Gateway <b>1</b> ' });
    expect(answer.statusCode).toBe(201);
    const { key, ...rest } = answer.json<{ id: string; key: string }>();
    expect(key).toMatch(/^pmk_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(key.slice(4), 'base64url')).toHaveLength(32);
    expect(rest).toEqual({
      id: expect.any(String),
      name: 'Gateway <b>1</b>',
      scope: 'ingest',
      createdAt: expect.any(String),
      lastUsedAt: null,
    });
    expect((await ask('GET')).json()).toEqual([rest]);
    const { rows } = await portal.database.query<{ row: string; hash: string }>({
      text: `SELECT to_jsonb(k)::text AS row, encode(key_hash, 'hex') AS hash FROM monitoring.api_keys k`,
    });
    expect(rows[0]?.hash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(rows[0]?.row).not.toContain(key.slice(4));
    expect(JSON.stringify(portal.log)).not.toContain(key.slice(4));
  });

  test('GET lists the keys by name', async () => {
    for (const name of ['Meter 10', 'Meter 2', 'attic']) await createKey(name);
    expect((await listKeys()).map(({ name }) => name)).toEqual(['attic', 'Meter 2', 'Meter 10']);
  });

  test('a used name, in any case, is 409; after the key is revoked the name is available', async () => {
    const { id } = await createKey('Gateway');
    const answer = await ask('POST', '', { name: 'GATEWAY' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json<{ error: string }>().error).toMatch(/^name: an API key named "GATEWAY" already exists/);
    await ask('DELETE', `/${id}`);
    expect((await ask('POST', '', { name: 'GATEWAY' })).statusCode).toBe(201);
  });

  test.each([{}, { name: '' }, { name: 'x'.repeat(201) }, { name: 'a\u0000' }, { name: 'a', scope: 'admin' }])(
    'POST %j: 400',
    async (payload) => {
      expect((await ask('POST', '', payload)).statusCode).toBe(400);
    },
  );

  test('DELETE of an unknown or invalid id: 404', async () => {
    expect((await ask('DELETE', `/${unknownId}`)).statusCode).toBe(404);
    expect((await ask('DELETE', '/x')).statusCode).toBe(404);
  });
});

test('Routes that the run mode does not have answer 404: Admin mode has no API keys', async () => {
  await using fleet = await createTestApp({ environment: { Application__RunMode: 'Admin' } });
  const answer = await fleet.app.inject({ url: '/api/api-keys', headers: await fleet.signIn() });
  expect(answer.statusCode).toBe(404);
});

describe('Ingest with a key', () => {
  test('the key is accepted as a bearer, beside the AdminOnly cookie', async () => {
    const { key } = await createKey('Gateway');
    expect((await deliver({ authorization: `Bearer ${key}` })).statusCode).toBe(200);
    expect((await deliver({ authorization: `bearer   ${key}  ` })).statusCode).toBe(200);
    expect((await deliver(admin)).statusCode).toBe(200);
  });

  test('a revoked key is refused from the next request on', async () => {
    const { id, key } = await createKey('Gateway');
    expect((await deliver({ authorization: `Bearer ${key}` })).statusCode).toBe(200);
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204);
    const refused = await deliver({ authorization: `Bearer ${key}` });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({
      error: 'The API key is unknown or revoked; create one under Settings → API keys.',
    });
  });

  test.each([
    ['one row', '', [row]],
    ['no row', '', []],
    ['rows that are all wrong', '', [{ ...row, time: 'noon' }]],
    ['a body that is no list', '', { row }],
    ['a dry run', '?dryRun=true', [row]],
    ['a wrong query', '?dryRun=x', [row]],
  ])('a revoked key that was just in use learns nothing from %s', async (_what, queryString, payload) => {
    const { id, key } = await createKey('Gateway');
    const headers = { authorization: `Bearer ${key}` };
    expect((await deliver(headers)).statusCode).toBe(200);
    await ask('DELETE', `/${id}`);
    const answer = await portal.app.inject({ method: 'POST', url: `${ingestUrl}${queryString}`, headers, payload });
    expect(answer.statusCode).toBe(401);
  });

  test('a key revoked while its rows wait is refused, and the rows of other keys beside them are stored', async () => {
    const [gone, kept] = [await createKey('Gone'), await createKey('Kept')];
    const headersOf = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` });
    for (const key of [gone, kept, gone, kept]) expect((await deliver(headersOf(key))).statusCode).toBe(200);
    await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
    const { promise: isHeld, resolve } = Promise.withResolvers<void>();
    const revoking = portal.database.transaction(async (tx) => {
      await lockIngestExclusively(tx);
      resolve();
      await tx.query({ text: 'DELETE FROM monitoring.api_keys WHERE id = $1' }, [gone.id]);
      const own = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
      const waiting = { text: `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND ${own}` };
      await expect.poll(async () => (await portal.database.query(waiting)).rowCount).toBe(1);
    });
    await isHeld;
    const send = (key: { key: string }, minute: number) => {
      const payload = [{ ...row, time: `2026-03-10T11:0${minute}:00Z` }];
      return portal.app.inject({ method: 'POST', url: ingestUrl, headers: headersOf(key), payload });
    };
    const answers = await Promise.all([...[gone, kept, gone, kept].map(send), revoking]);
    expect(answers.flatMap((answer) => answer?.statusCode ?? [])).toEqual([401, 200, 401, 200]);
    const { rows } = await portal.database.query({ text: 'SELECT time FROM monitoring.measurements ORDER BY 1' });
    expect(rows).toEqual([{ time: '2026-03-10T11:01:00Z' }, { time: '2026-03-10T11:03:00Z' }]);
  });

  test('an invalid bearer does not fall back to the cookie, and nothing is stored', async () => {
    const { key } = await createKey('Gateway');
    for (const authorization of [
      `Bearer ${key.slice(0, -1)}`,
      `Bearer pmk_${'A'.repeat(43)}`,
      `Bearer ${key} ${key}`,
      'Bearer',
      'Bearer ',
      `Bearer ' OR 1=1 --`,
    ]) {
      expect((await deliver({ ...admin, authorization })).statusCode).toBe(401);
    }
    expect((await listKeys())[0]?.lastUsedAt).toBeNull();
  });

  test('an authorization that is not a bearer proves nothing, and leaves the decision to the cookie', async () => {
    const { key } = await createKey('Gateway');
    for (const authorization of [key, `Basic ${Buffer.from(`:${key}`).toString('base64')}`]) {
      expect((await deliver({ authorization })).statusCode).toBe(401);
      expect((await deliver({ ...admin, authorization })).statusCode).toBe(200);
    }
    expect((await listKeys())[0]?.lastUsedAt).toBeNull();
  });

  test('the last use is shown, written at most once a minute', async () => {
    const { key } = await createKey('Gateway');
    const usedAt = async () => Date.parse((await listKeys())[0]?.lastUsedAt ?? '');
    const use = () => deliver({ authorization: `Bearer ${key}` });
    const first = now;
    await use();
    await expect.poll(usedAt).toBe(first);
    now = first + 59_999;
    await use();
    now = first + 60_000;
    await use();
    await expect.poll(usedAt).toBe(first + 60_000);
    // A clock that was ahead is corrected.
    now = first + 360_000;
    await use();
    await expect.poll(usedAt).toBe(now);
    now = first + 120_000;
    await use();
    await expect.poll(usedAt).toBe(now);
  });
});

describe('The check of a key on the path of every ingest', () => {
  /** The database, counting its queries for keys. */
  const counting = () => {
    const statements: string[] = [];
    const database: Queryable = {
      customerId: null,
      query: (statement, values) => {
        statements.push(statement.text.trimStart().split(' ')[0] ?? '');
        return portal.database.query(statement, values);
      },
    };
    const { find } = createIngestKeys({ database, now: () => now, onProblem: () => undefined });
    return { statements, isIngestKey: async (key: string) => (await find(key)) !== null };
  };

  test('1,000 simultaneous requests take two look-ups, and each gets its own verdict', async () => {
    const { key } = await createKey('Gateway');
    const { statements, isIngestKey } = counting();
    const wrong = `pmk_${'A'.repeat(43)}`;
    const first = isIngestKey(key);
    const verdicts = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => isIngestKey(index % 10 === 0 ? wrong : key)),
    );
    expect(await first).toBe(true);
    expect(verdicts.filter(Boolean)).toHaveLength(900);
    expect(statements.filter((verb) => verb === 'SELECT').length).toBeLessThanOrEqual(2);
    expect(statements.filter((verb) => verb === 'UPDATE').length).toBeLessThanOrEqual(2);
  });

  test('text that does not look like a key costs no look-up', async () => {
    const { statements, isIngestKey } = counting();
    for (const key of ['', 'pmk_', 'x'.repeat(47), `pmk_${'A'.repeat(44)}`, `pmk_${'ä'.repeat(43)}`]) {
      expect(await isIngestKey(key)).toBe(false);
    }
    expect(statements).toEqual([]);
  });

  test('an unreachable database is 503 for waiting requests, not 401', async () => {
    const { key } = await createKey('Gateway');
    let isBroken = true;
    const { find } = createIngestKeys({
      database: {
        customerId: null,
        query: (statement, values) =>
          isBroken ? Promise.reject(new Error('out of reach')) : portal.database.query(statement, values),
      },
      now: () => now,
      onProblem: () => undefined,
    });
    await expect(find(key)).rejects.toThrow('out of reach');
    isBroken = false;
    expect(await find(key)).toMatchObject({ name: 'Gateway' });
  });
});
