import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { shares } from '../../server/base/budgets.ts';
import { Database } from '../../server/database/pool.ts';
import { createUser } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { gateSecret, startTestTool } from '../support/dashboard-tool.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createDevice, createSite } from '../support/sites.ts';

let made: TestDatabase;
let portal: TestApp;
let headers: { cookie: string };
let keeper: Database;
let address: URL;

beforeAll(async () => {
  made = await createTestDatabase();
  portal = await createTestApp({ connectionString: made.connectionString });
  headers = await portal.signIn();
  const session = { app: portal.app, headers };
  await createDevice(session, await createSite(session), { externalId: 'meter' });
  keeper = new Database(made.connectionString, { maxConnections: 2 });
  // Their evaluation reads the devices too, and would wait for the same locks.
  await keeper.query({ text: 'DELETE FROM portal.alarm_rules' });
  address = new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await portal.close();
  await keeper.close();
  await made.drop();
});

const range = 'from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';
const rawPage = `/api/measurements/raw?${range}`;

/** A client with its own connection, which a test can cut. */
function ask(url: string, body?: object, { to = address.origin, cookie = headers.cookie } = {}): Socket {
  const { port, hostname } = new URL(to);
  const socket = connect(Number(port), hostname);
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${url} HTTP/1.1`,
    `Host: ${address.host}`,
    `Cookie: ${cookie}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
  return socket;
}

/** How many statements wait for a lock in this database. */
async function countWaiting(): Promise<number> {
  const { rows } = await keeper.query<{ count: number }>({
    text: `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  });
  return rows[0]?.count ?? 0;
}

/** Within 8 s if it is cancelled; otherwise it waits ten seconds for its lock. */
const untilWaiting = (count: number) =>
  vi.waitFor(async () => expect(await countWaiting()).toBe(count), {
    timeout: count === 0 ? 8_000 : 45_000,
    interval: 20,
  });

const untilAllIdle = () =>
  vi.waitFor(
    () => {
      const { total, idle, waiting } = portal.database.statistics();
      expect({ busy: total - idle, waiting }).toEqual({ busy: 0, waiting: 0 });
    },
    { timeout: 8_000, interval: 10 },
  );

/** A table is locked while `work` runs, so everything that reads it waits. */
async function withLocked(table: string, work: () => Promise<void>): Promise<void> {
  await keeper.session(async (session) => {
    await session.query({ text: `BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE` });
    try {
      await work();
    } finally {
      await session.query({ text: 'ROLLBACK' });
    }
  });
}

const simulated = {
  timeZone: 'Europe/Berlin',
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-02T00:00:00Z',
  load: { kind: 'devices' },
  tariff: {
    currency: 'EUR',
    defaultRatePerKwh: 0.3,
    fixedChargePerMonth: 0,
    vatPercent: 0,
    exportRatePerKwh: null,
    periods: [],
  },
};

describe('a query is cancelled when its client goes away', () => {
  test.each([
    ['buckets', `/api/measurements?${range}&bucket=hour&deviceId=0197a3c0-0000-7000-8000-000000000000`],
    ['raw page', rawPage],
    ['summary', `/api/dashboard/summary?${range}`],
    ['cost breakdown', `/api/dashboard/cost-breakdown?${range}&group=day`],
    ['load curve', `/api/dashboard/load-curve?${range}&bucket=hour&groupBy=total`],
    ['base load', `/api/dashboard/base-load?${range}`],
    ['what is usual', `/api/dashboard/usual?${range}&bucket=hour`],
    ['data quality', `/api/data-quality?${range}`],
    ['simulation, whose body was read long before', '/api/rates/simulate', simulated],
  ])(
    '%s: gone from the server at once, without an error in the log, and the connection is reused',
    async (...asked) => {
      const [, url, body] = asked;
      portal.log.length = 0;
      await withLocked('monitoring.devices', async () => {
        const socket = ask(url, body);
        await untilWaiting(1);
        socket.destroy();
        await untilWaiting(0);
        await untilAllIdle();
      });
      const [path] = url.split('?');
      await vi.waitFor(() => expect(portal.log.filter((line) => line['path'] === path)).toHaveLength(1), {
        timeout: 45_000,
      });
      expect(portal.log).toContainEqual(
        expect.objectContaining({ level: 'info', status: null, msg: expect.stringContaining('went away') }),
      );
      expect(portal.log.filter(({ level }) => level !== 'info')).toEqual([]);
      expect((await portal.app.inject({ url: rawPage, headers })).statusCode).toBe(200);
    },
  );

  test('a query of the dashboard tool, through the portal: gone at once, without an error in the log', async () => {
    const tool = await startTestTool(made.connectionString);
    const through = await createTestApp({
      connectionString: made.connectionString,
      environment: {
        Dashboard__Upstream: `http://127.0.0.1:${tool.port}`,
        Dashboard__GateSecret: gateSecret,
      },
    });
    try {
      const to = await through.app.listen({ host: '127.0.0.1', port: 0 });
      const session = await through.signIn();
      const question = { measure: 'cost', from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
      await withLocked('monitoring.devices', async () => {
        // More often than the tool has connections.
        for (let round = 0; round < 6; round += 1) {
          const socket = ask('/dash/api/totals', question, { to, ...session });
          await untilWaiting(1);
          socket.destroy();
          await untilWaiting(0);
        }
      });
      const asked = { method: 'POST', url: '/dash/api/totals', headers: session, payload: question } as const;
      expect((await through.app.inject(asked)).statusCode).toBe(200);
      expect(through.log.filter(({ level }) => level !== 'info')).toEqual([]);
    } finally {
      await through.close();
      await tool.stop();
    }
  });

  test('slow reads of one account delay none of another', async () => {
    const other = await portal.signIn(await createUser(portal, { email: 'other@example.com' }));
    await withLocked('monitoring.tariffs', async () => {
      const sockets = Array.from({ length: 10 }, () => ask(`/api/dashboard/summary?${range}`));
      await untilWaiting(2);
      const answer = await fetch(new URL(rawPage, address), { headers: other, signal: AbortSignal.timeout(5_000) });
      expect(answer.status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await untilWaiting(0);
      await untilAllIdle();
    });
  });

  test('queries about many years never take all places, even from several users', async () => {
    const three = await Promise.all(
      ['one', 'two', 'three'].map(async (name) =>
        portal.signIn(await createUser(portal, { email: `${name}@example.com` })),
      ),
    );
    const years = 'fromDate=2020-01-01&toDate=2026-01-01';
    await withLocked('monitoring.tariffs', async () => {
      const sockets = three.flatMap((session) =>
        Array.from({ length: 3 }, () => ask(`/api/dashboard/summary?${years}`, undefined, session)),
      );
      await untilWaiting(3);
      // Two short ranges are short, however far apart they are.
      const far = 'fromDate=2026-01-01&toDate=2026-02-01&otherFromDate=2024-01-01&otherToDate=2024-02-01';
      sockets.push(ask(`/api/dashboard/cost-comparison?${far}`));
      await untilWaiting(4);
      const answer = await fetch(new URL(rawPage, address), { headers, signal: AbortSignal.timeout(5_000) });
      expect(answer.status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await untilWaiting(0);
      await untilAllIdle();
    });
  });

  test('all reads that one account may run at once can be cancelled, including waiting ones', async () => {
    await withLocked('monitoring.devices', async () => {
      const sockets = Array.from({ length: 10 }, () => ask(rawPage));
      // The others wait for their turn without a connection, so that other requests get one.
      await untilWaiting(2);
      expect((await fetch(new URL('/api/users', address), { headers })).status).toBe(200);
      const late = ask(`/api/data-quality?${range}`);
      for (const socket of [late, ...sockets]) socket.destroy();
      await untilWaiting(0);
      await untilAllIdle();
    });
  });

  test('many in a row leave nothing behind', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    await withLocked('monitoring.devices', async () => {
      for (let round = 0; round < 20; round += 1) {
        const sockets = Array.from({ length: 5 }, () => ask(rawPage));
        // At every stage of the request: before its statement, while it is sent, while it runs.
        await sleep(round * 2);
        for (const socket of sockets) socket.destroy();
      }
      await untilWaiting(0);
      await untilAllIdle();
    });
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    // The server has no connection that the portal does not know.
    await vi.waitFor(
      async () => {
        const { rows } = await keeper.query<{ count: number }>({
          text: 'SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()',
        });
        expect(rows[0]?.count).toBe(portal.database.statistics().total + keeper.statistics().total);
      },
      { timeout: 45_000 },
    );
    expect(portal.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  test('a COPY whose reader disconnects is cancelled on the server', async () => {
    const gone = new AbortController();
    const copying = portal.database
      .until(gone.signal)
      .snapshot((tx) => tx.copyOut('COPY (SELECT pg_sleep(30)) TO STDOUT (FORMAT binary)'));
    const countSleeping = async () => {
      const { rows } = await keeper.query({ text: `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'` });
      return rows.length;
    };
    await vi.waitFor(async () => expect(await countSleeping()).toBe(1), { timeout: 45_000 });
    gone.abort(new Error('gone'));
    await expect(copying).rejects.toThrow('gone');
    expect(await countSleeping()).toBe(0);
    await untilAllIdle();
  });

  test('an ingest whose client disconnects is stored all the same', async () => {
    await withLocked('monitoring.measurements', async () => {
      const row = { externalId: 'meter', time: '2026-03-01T00:00:00Z', activePowerKw: 1 };
      const socket = ask('/api/ingest/measurements', [row]);
      await untilWaiting(1);
      socket.destroy();
      await sleep(200);
      expect(await countWaiting()).toBe(1);
    });
    await vi.waitFor(
      async () => {
        const { rows } = await keeper.query({ text: 'SELECT FROM monitoring.measurements' });
        expect(rows).toHaveLength(1);
      },
      { timeout: 45_000 },
    );
  });

  test('a received answer ends nothing: the next query on the same connection is answered', async () => {
    const socket = connect(Number(address.port), address.hostname);
    let answers = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    for (const count of [1, 2, 3]) {
      socket.write(`GET ${rawPage} HTTP/1.1\r\nHost: a\r\nCookie: ${headers.cookie}\r\n\r\n`);
      await vi.waitFor(() => expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(count), { timeout: 45_000 });
    }
    socket.destroy();
  });
});

describe('only that statement is cancelled', () => {
  const nap = (seconds: number) => ({ text: `SELECT pg_sleep(${seconds})` });

  test('the next owner of the connection is never affected, whenever the cancel arrives', async () => {
    await using one = new AsyncDisposableStack();
    const database = one.adopt(new Database(made.connectionString, { maxConnections: 1 }), (it) => it.close());
    let cancelled = 0;
    for (let round = 0; round < 150; round += 1) {
      const seconds = round % 3 === 0 ? 0.02 : 0.004;
      const gone = new AbortController();
      const reading = database
        .until(gone.signal)
        .snapshot((tx) => tx.query(nap(seconds)))
        .catch((error: unknown) => {
          expect(error).toBe(gone.signal.reason);
          cancelled += 1;
        });
      await sleep(round % 10);
      gone.abort(new Error('gone'));
      await expect(database.query(nap(0.002))).resolves.toMatchObject({ rowCount: 1 });
      await reading;
    }
    expect(cancelled).toBeGreaterThan(0);
    expect(database.statistics()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  test('a caller that waits for a connection stops waiting at once, and the place is not lost', async () => {
    await using one = new AsyncDisposableStack();
    const database = one.adopt(new Database(made.connectionString, { maxConnections: 1 }), (it) => it.close());
    let isBusy = true;
    const released = new AbortController();
    const busy = database
      .until(released.signal)
      .query(nap(50))
      .catch((error: unknown) => error)
      .finally(() => (isBusy = false));
    const gone = new AbortController();
    const waiting = database.until(gone.signal).query(nap(0));
    setTimeout(() => gone.abort(new Error('gone')), 50);
    await expect(waiting).rejects.toThrow('gone');
    expect(isBusy).toBe(true);
    released.abort(new Error('released'));
    expect(await busy).toBe(released.signal.reason);
    await expect(database.query(nap(0))).resolves.toMatchObject({ rowCount: 1 });
    expect(database.statistics()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  test('a caller that disconnects between two statements: the next one is not sent', async () => {
    const gone = new AbortController();
    const reading = portal.database.until(gone.signal).snapshot(async (tx) => {
      await tx.query(nap(0));
      gone.abort(new Error('gone'));
      await expect(tx.query({ text: 'SELECT 1 / 0' })).rejects.toThrow('gone');
      return 'nobody gets this';
    });
    await expect(reading).resolves.toBe('nobody gets this');
  });

  test('a write that has begun is finished; none is begun for a client that has disconnected', async () => {
    const gone = new AbortController();
    const database = portal.database.until(gone.signal);
    const writing = database.transaction(async (tx) => {
      gone.abort(new Error('gone'));
      await tx.query(nap(0.05));
      return 'done';
    });
    await expect(writing).resolves.toBe('done');
    await expect(database.transaction(async () => undefined)).rejects.toThrow('gone');
    await expect(database.query(nap(0))).rejects.toThrow('gone');
  });
});

describe('the time limit of the database depends on who waits', () => {
  test('a person: 503 with a helpful sentence, after the limit of one statement', async () => {
    await using hasty = await createTestApp({ share: { statementMs: 300, lockMs: 0 } });
    const own = new Database(hasty.config.database.connectionString ?? '', { maxConnections: 1 });
    const cookie = await hasty.signIn();
    await own.session(async (session) => {
      await session.query({ text: 'BEGIN; LOCK TABLE monitoring.devices IN ACCESS EXCLUSIVE MODE' });
      const answer = await hasty.app.inject({ url: rawPage, headers: cookie });
      expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([
        503,
        expect.objectContaining({ error: 'The query took too long; choose a shorter range or fewer devices.' }),
        '2',
      ]);
    });
    await own.close();
    await expect(hasty.database.transaction((tx) => tx.query({ text: 'SELECT pg_sleep(1)' }))).rejects.toThrow(
      'The change took too long and was not made; try again shortly.',
    );
  });

  test('a person who waits for a lock gets an error sooner', async () => {
    await using hasty = await createTestApp({ share: { statementMs: 5_000, lockMs: 100 } });
    const own = new Database(hasty.config.database.connectionString ?? '', { maxConnections: 1 });
    const cookie = await hasty.signIn();
    await own.session(async (session) => {
      await session.query({ text: 'BEGIN; LOCK TABLE monitoring.devices IN ACCESS EXCLUSIVE MODE' });
      const answer = await hasty.app.inject({ url: rawPage, headers: cookie });
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        expect.objectContaining({ error: 'The database is busy with another change; try again shortly.' }),
      ]);
    });
    await own.close();
  });

  test('ingest and background work may take longer, on connections of their own; those of a person keep the limit', async () => {
    await using one = new AsyncDisposableStack();
    const person = { statementMs: 150, lockMs: 150 };
    const options = { maxConnections: 1, share: person };
    const database = one.adopt(new Database(made.connectionString, options), (it) => it.close());
    const slow = { text: 'SELECT pg_sleep(0.3)' };
    for (const longer of [shares.ingest, shares.worker, shares.background]) {
      const other = database.within(longer);
      await expect(other.transaction((tx) => tx.query(slow))).resolves.toMatchObject({ rowCount: 1 });
      await expect(other.snapshot((tx) => tx.query(slow))).resolves.toMatchObject({ rowCount: 1 });
      await expect(other.query(slow)).resolves.toMatchObject({ rowCount: 1 });
      await expect(other.query({ text: 'SELECT 1 / 0' })).rejects.toThrow('division by zero');
      await expect(database.query(slow)).rejects.toThrow('The query took too long');
    }
    await expect(database.session((session) => session.query(slow))).resolves.toMatchObject({ rowCount: 1 });
    await expect(database.query(slow)).rejects.toThrow('The query took too long');
  });

  test('the server ends a transaction that is idle for too long, because it blocks others', async () => {
    const shown = await portal.database.query<{ rest: string }>({
      text: `SELECT current_setting('idle_in_transaction_session_timeout') AS rest`,
    });
    expect(shown.rows).toEqual([{ rest: '1min' }]);
  });
});
