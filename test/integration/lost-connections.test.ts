import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createDevice, createSite } from '../support/sites.ts';

let direct: TestDatabase;
let cable: Cable;
let portal: TestApp;
let keeper: Database;
let headers: { cookie: string };

beforeAll(async () => {
  direct = await createTestDatabase();
  cable = await layCable(direct.connectionString);
  portal = await createTestApp({ connectionString: cable.connectionString });
  headers = await portal.signIn();
  keeper = new Database(direct.connectionString, { maxConnections: 2 });
  const session = { app: portal.app, headers };
  await createDevice(session, await createSite(session), { externalId: 'meter' });
  await keeper.query({ text: 'CREATE TABLE counted (id integer PRIMARY KEY, value integer NOT NULL)' });
  await keeper.query({ text: 'INSERT INTO counted VALUES (1, 0), (2, 0)' });
});
afterAll(async () => {
  await portal.close();
  await keeper.close();
  await cable[Symbol.asyncDispose]();
  await direct.drop();
});

const add = (id: number) => ({ text: `UPDATE counted SET value = value + 1 WHERE id = ${id}` });
const values = async () => {
  const { rows } = await keeper.query<{ value: number }>({ text: 'SELECT value FROM counted ORDER BY id' });
  return rows.map(({ value }) => value);
};
const reset = () => keeper.query({ text: 'UPDATE counted SET value = 0' });

/** A stopping server, or an administrator, ends the sessions of the portal like this. */
const endSessions = (what = 'true') =>
  keeper.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${what}`,
  });

describe('serialization failures and deadlocks are tried again', () => {
  test('two transactions that lock the same rows in opposite order both succeed', async () => {
    await reset();
    const bothHaveOne = Promise.withResolvers<void>();
    let holders = 0;
    let attempts = 0;
    const both = (first: number, second: number) =>
      portal.database.transaction(async (tx) => {
        attempts += 1;
        await tx.query(add(first));
        holders += 1;
        if (holders === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await tx.query(add(second));
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect(attempts).toBeGreaterThan(2);
    expect(await values()).toEqual([2, 2]);
  });

  test('at most five times, with pauses', async () => {
    let attempts = 0;
    const started = performance.now();
    const failing = portal.database.transaction(async (tx) => {
      attempts += 1;
      await tx.query({ text: `DO $$ BEGIN RAISE 'met' USING ERRCODE = '40001'; END $$` });
    });
    await expect(failing).rejects.toThrow('met');
    expect(attempts).toBe(5);
    expect(performance.now() - started).toBeGreaterThan(70);
  });
});

describe('a broken connection is not a 503 if the database is reachable', () => {
  const ask = () => portal.app.inject({ url: '/api/sites', headers });

  test('all idle connections broke', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 8 }, ask));
      await endSessions();
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
    }
  });

  test('the connection broke during a read of several statements', async () => {
    let attempts = 0;
    const read = portal.database.snapshot(async (tx) => {
      attempts += 1;
      await tx.query({ text: 'SELECT 1' });
      if (attempts === 1) await endSessions();
      const { rows } = await tx.query<{ two: number }>({ text: 'SELECT 2 AS two' });
      return rows;
    });
    await expect(read).resolves.toEqual([{ two: 2 }]);
    expect(attempts).toBe(2);
  });

  test('the connection broke during a write before its commit: it is done, once', async () => {
    await reset();
    let attempts = 0;
    await portal.database.transaction(async (tx) => {
      attempts += 1;
      await tx.query(add(1));
      if (attempts === 1) await endSessions();
      await tx.query(add(2));
    });
    expect([attempts, await values()]).toEqual([2, [1, 1]]);
  });

  test('a database that breaks every connection is unreachable', async () => {
    let attempts = 0;
    const read = portal.database.snapshot(async (tx) => {
      attempts += 1;
      await endSessions();
      await tx.query({ text: 'SELECT 1' });
    });
    await expect(read).rejects.toThrow('The database is unreachable; try again shortly.');
    expect(attempts).toBe(2);
  });

  test('a single statement that writes is not repeated: it may have succeeded', async () => {
    await reset();
    const writing = portal.database.query({
      text: 'UPDATE counted SET value = value + 1 + length(pg_sleep(0.5)::text)',
    });
    const endIt = async () => {
      while ((await endSessions(`wait_event = 'PgSleep'`)).rowCount === 0);
    };
    const [outcome] = await Promise.allSettled([writing, endIt()]);
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: 'The database is unreachable; try again shortly.' },
    });
    expect(await values()).toEqual([0, 0]);
  });

  /** Two connections at most, on which the database may take a tenth of a second. */
  const hasty = () =>
    new Database(cable.connectionString, { maxConnections: 2, share: { statementMs: 100, lockMs: 0 } });

  test('a connection without any data is dropped', async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(hasty(), (it) => it.close());
    const started = performance.now();
    const asked = database.snapshot(async (tx) => {
      cable.freeze();
      await tx.query({ text: 'SELECT 1' });
    });
    await expect(asked).rejects.toThrow('The database is unreachable');
    expect(performance.now() - started).toBeLessThan(30_000);
    cable.thaw();
    await expect(database.query({ text: 'SELECT 1' })).resolves.toMatchObject({ rowCount: 1 });
  });

  test('a connection that died while idle is noticed at BEGIN, and another one is used', async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(hasty(), (it) => it.close());
    await database.query({ text: 'SELECT 1' });
    cable.freeze();
    const started = performance.now();
    await expect(database.snapshot((tx) => tx.query({ text: 'SELECT 1' }))).resolves.toMatchObject({ rowCount: 1 });
    expect(performance.now() - started).toBeLessThan(30_000);
    cable.thaw();
  });

  test('a COPY on a connection that died ends in time, and is repeated on another one', async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(hasty(), (it) => it.close());
    const binary = Buffer.from('5047434f50590aff0d0a000000000000000000ffff', 'hex');
    const attempts = { in: 0, out: 0 };
    const bothHaveBegun = Promise.withResolvers<void>();
    const freezeOnce = async (way: 'in' | 'out') => {
      attempts[way] += 1;
      if (attempts.in === 1 && attempts.out === 1) {
        cable.freeze();
        bothHaveBegun.resolve();
      }
      await bothHaveBegun.promise;
    };
    const written = database.transaction(async (tx) => {
      await tx.query({ text: 'CREATE TEMPORARY TABLE taken (id integer) ON COMMIT DROP' });
      await freezeOnce('in');
      await tx.send([{ text: 'COPY taken FROM STDIN (FORMAT binary)', bytes: [binary] }]);
    });
    const read = database.snapshot(async (tx) => {
      await tx.query({ text: 'SELECT 1' });
      await freezeOnce('out');
      return tx.copyOut('COPY (SELECT 1 WHERE false) TO STDOUT (FORMAT binary)');
    });
    await written;
    expect((await read).equals(binary)).toBe(true);
    expect(attempts).toEqual({ in: 2, out: 2 });
    cable.thaw();
  });
});

describe('the answer to a commit is lost', () => {
  beforeAll(async () => {
    // The partition of the month exists, so that the next commit is that of the rows.
    expect((await ingest()).statusCode).toBe(200);
  });
  const cases = [
    ['before the database heard of it', 'before'],
    ['after the database had done it', 'after'],
  ] as const;
  const rowsOf = (day: number) =>
    [1, 2, 3].map((minute) => ({
      externalId: 'meter',
      time: `2026-03-0${day}T00:0${minute}:00Z`,
      activePowerKw: minute,
    }));
  const rows = rowsOf(2);
  const ingest = (payload = rows) =>
    portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', headers, payload });
  const stored = async () => {
    const {
      rows: [found],
    } = await keeper.query<{ rows: number; instants: number; dirtyRanges: number }>({
      text: `SELECT count(*) AS rows, count(DISTINCT time) AS instants,
                    (SELECT count(*) FROM monitoring.energy_dirty_ranges) AS "dirtyRanges" FROM monitoring.measurements`,
    });
    return found;
  };

  test.each(cases)('%s: an ingest is stored once and answered, with what is known then', async (_name, when) => {
    await keeper.query({ text: 'TRUNCATE monitoring.measurements, monitoring.energy_dirty_ranges' });
    cable.cutAtCommit(when);
    const answer = await ingest();
    expect(cable.isArmed()).toBe(false);
    const duplicates = when === 'before' ? 0 : rows.length;
    expect([answer.statusCode, answer.json()]).toEqual([200, { accepted: 3, rejected: 0, duplicates, errors: [] }]);
    expect(await stored()).toEqual({ rows: 3, instants: 3, dirtyRanges: 1 });
  });

  test.each([
    ['before the database heard of it', 'before', 3],
    ['after the database had done it', 'after', 4],
  ] as const)('%s: the same if the rows are above all others, and go with the commit', async (_name, when, day) => {
    await keeper.query({ text: 'TRUNCATE monitoring.measurements, monitoring.energy_dirty_ranges' });
    cable.cutAtCommit(when);
    const answer = await ingest(rowsOf(day));
    expect(cable.isArmed()).toBe(false);
    expect(answer.json()).toMatchObject({ accepted: 3, rejected: 0, duplicates: when === 'before' ? 0 : 3 });
    expect(await stored()).toEqual({ rows: 3, instants: 3, dirtyRanges: 1 });
  });

  test.each(cases)(
    '%s: any other write is not repeated, and reports that its result is unknown',
    async (_name, when) => {
      await reset();
      let attempts = 0;
      cable.cutAtCommit(when);
      const writing = portal.database.transaction(async (tx) => {
        attempts += 1;
        await tx.query(add(1));
      });
      await expect(writing).rejects.toThrow('The database is unreachable; try again shortly.');
      expect(attempts).toBe(1);
      expect(await values()).toEqual([when === 'before' ? 0 : 1, 0]);
    },
  );

  test('a read is repeated', async () => {
    cable.cutAtCommit('after');
    const answer = await portal.app.inject({
      url: '/api/measurements/raw?from=2026-03-01T00:00:00Z&to=2026-03-09T00:00:00Z',
      headers,
    });
    expect([cable.isArmed(), answer.statusCode, answer.json<{ totalCount: number }>().totalCount]).toEqual([
      false,
      200,
      3,
    ]);
  });
});
