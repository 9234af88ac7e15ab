import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let direct: TestDatabase;
let cable: Cable;
let portal: TestApp;
let headers: { cookie: string };

beforeAll(async () => {
  direct = await createTestDatabase();
  cable = await layCable(direct.connectionString);
  portal = await createTestApp({ connectionString: cable.connectionString });
  headers = await portal.signIn();
});
afterAll(async () => {
  await portal.close();
  await cable[Symbol.asyncDispose]();
  await direct.drop();
});

const unavailable = {
  statusCode: 503,
  body: {
    error: 'The database is unreachable; try again shortly.',
    code: 'databaseAway',
    params: {},
  },
  retryAfter: '2',
};

async function ask(url = '/api/sites') {
  const answer = await portal.app.inject({ url, headers });
  return { statusCode: answer.statusCode, body: answer.json<unknown>(), retryAfter: answer.headers['retry-after'] };
}

describe('the database stops and comes back: 503 with Retry-After, then it works again without a restart', () => {
  test('the connection to the database is cut, for every connection of the pool', async () => {
    // More than one connection is open when the cable is cut.
    await Promise.all(Array.from({ length: 8 }, () => ask()));
    await cable.cut();
    const during = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(during).toEqual(Array.from({ length: 8 }, () => unavailable));
    const ready = await portal.app.inject('/health/ready');
    expect([ready.statusCode, ready.body, ready.headers['x-waiting-for']]).toEqual([503, 'Unhealthy', 'the database']);
    expect(portal.log).toContainEqual(
      expect.objectContaining({ waitingFor: 'the database', msg: 'the portal is not ready' }),
    );
    expect((await portal.app.inject('/health')).statusCode).toBe(200);

    await cable.mend();
    expect(await ask()).toMatchObject({ statusCode: 200 });
    expect((await portal.app.inject('/health/ready')).body).toBe('Healthy');
    expect(portal.log).toContainEqual(expect.objectContaining({ msg: 'the portal is ready again' }));
  });

  test('the session ends in the middle of a read: it is read again on another', async () => {
    const keeper = new Database(direct.connectionString, { maxConnections: 2 });
    try {
      await keeper.session(async (session) => {
        await session.query({ text: 'BEGIN' });
        await session.query({ text: 'LOCK TABLE monitoring.sites IN ACCESS EXCLUSIVE MODE' });
        const waiting = ask();
        await sleep(300);
        // A stopping server ends each of its sessions like this.
        const ended = await keeper.query({
          text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        });
        expect(ended.rowCount).toBe(1);
        await session.query({ text: 'ROLLBACK' });
        expect(await waiting).toMatchObject({ statusCode: 200 });
      });
    } finally {
      await keeper.close();
    }
    expect(await ask()).toMatchObject({ statusCode: 200 });
  });

  test('the cable is cut in the middle of a write: nothing is half-done, and the same request works afterwards', async () => {
    const keeper = new Database(direct.connectionString, { maxConnections: 1 });
    const create = () =>
      portal.app.inject({
        method: 'POST',
        url: '/api/admin/rates/municipalities',
        headers,
        payload: { name: 'Cut off', timeZone: 'Europe/Berlin' },
      });
    try {
      await keeper.session(async (session) => {
        await session.query({ text: 'BEGIN' });
        await session.query({ text: 'LOCK TABLE monitoring.municipalities IN ACCESS EXCLUSIVE MODE' });
        const waiting = create();
        await sleep(300);
        await cable.cut();
        expect((await waiting).statusCode).toBe(503);
        await session.query({ text: 'ROLLBACK' });
      });
    } finally {
      await keeper.close();
    }
    await cable.mend();
    expect([201, 409]).toContain((await create()).statusCode);
    const { body } = await ask('/api/rates');
    expect(body).toHaveLength(1);
  });

  test('an outage is a warning in the log, not an error', () => {
    expect(portal.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    expect(portal.log).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'request refused for now' }));
  });
});
