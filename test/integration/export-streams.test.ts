import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createDevice, createSite } from '../support/sites.ts';

const start = Date.parse('2026-03-10T00:00:00Z');
const second = 1000;
const days = { from: '2026-03-01T00:00:00Z', to: '2026-03-20T00:00:00Z' };
const whole = new URLSearchParams({ ...days, rowCap: '250000' }).toString();
const path = '/api/measurements/raw/export';

let made: TestDatabase;
let portal: TestApp;
let headers: { cookie: string };
let keeper: Database;
let address: string;
const deviceIds: string[] = [];
/** All readings, as `seconds since the start, device`, newest first, sorted by device within a time. */
let stored: [at: number, device: number][] = [];

async function deliver(rows: readonly (readonly [at: number, device: number])[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 20_000) {
    const payload = rows.slice(from, from + 20_000).map(([at, device]) => ({
      externalId: `meter-${device}`,
      time: new Date(start + at * second).toISOString(),
      activePowerKw: (at % 977) + device / 8,
      voltageV: 230.5,
      energyImportedKwh: at / 1000 + 1_000_000,
    }));
    const url = '/api/ingest/measurements';
    const answer = await portal.app.inject({ method: 'POST', url, payload, headers });
    expect(answer.json()).toMatchObject({ accepted: payload.length });
  }
}

const take = (query: string, signal?: AbortSignal) =>
  fetch(`${address}${path}.ndjson?${query}`, {
    // Uncompressed, so that it is much more than the buffers in between.
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(signal && { signal }),
  });

/** The readings of an answer, written as {@link stored}. */
async function readingsOf(answer: Response): Promise<[number, number][]> {
  const lines = (await answer.text()).split('\n').slice(0, -1);
  return lines.map((line) => {
    const { time, deviceName }: { time: string; deviceName: string } = JSON.parse(line);
    return [(Date.parse(time) - start) / second, Number(deviceName.slice('meter-'.length))];
  });
}

async function expectReadings(answer: Response, wanted: (readonly [number, number])[]): Promise<void> {
  const found = await readingsOf(answer);
  // The difference is only located if there is one: that takes many times as long.
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

/** How many transactions of the portal are open. */
async function countOpen(): Promise<number> {
  const { rows } = await keeper.query<{ count: number }>({
    text: `SELECT count(*) AS count FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'`,
  });
  return rows[0]?.count ?? 0;
}
const untilOpen = (count: number) =>
  vi.waitFor(async () => expect(await countOpen()).toBe(count), { timeout: 30_000, interval: 20 });

beforeAll(async () => {
  made = await createTestDatabase();
  portal = await createTestApp({ connectionString: made.connectionString });
  headers = await portal.signIn();
  const session = { app: portal.app, headers };
  const site = await createSite(session);
  for (let device = 0; device < 8; device += 1) {
    deviceIds.push(await createDevice(session, site, { externalId: `meter-${device}` }));
  }
  stored = [
    // A quarter-hour with more readings than one part of a read, unevenly distributed.
    ...Array.from({ length: 900 * 8 }, (_, row): [number, number] => [
      Math.floor(Math.sqrt(row * 900 * 12)) / 10,
      row % 8,
    ]),
    // Days with many readings, with few, and with none.
    ...Array.from({ length: 86_400 }, (_, row): [number, number] => [2 * 86_400 + row, row % 8]),
    ...Array.from({ length: 500 }, (_, row): [number, number] => [-3 * 86_400 + row * 300, row % 3]),
  ];
  const unique = new Map(stored.map((reading) => [reading.join(' '), reading]));
  stored = [...unique.values()].toSorted(([a, x], [b, y]) => b - a || x - y);
  // Some of them late.
  await deliver(stored.filter((_, row) => row % 5 > 0));
  await deliver(stored.filter((_, row) => row % 5 === 0));
  keeper = new Database(made.connectionString, { maxConnections: 2 });
  address = new URL(await portal.app.listen({ host: '127.0.0.1', port: 0 })).origin;
}, 120_000);
afterAll(async () => {
  await portal.close();
  await keeper.close();
  await made.drop();
});

describe('An export reads in parts that the counts of slots determine', () => {
  it('has every reading once and in order, however they are spread', async () => {
    const answer = await take(whole);
    expect(answer.headers.get('x-export-row-count')).toBe(String(stored.length));
    await expectReadings(answer, stored);
  });

  it.each([1, 4_999, 5_000, 5_001, 86_399, 86_400, 86_401, 90_000])('stops at the cap: %i rows', async (rowCap) => {
    const answer = await take(new URLSearchParams({ ...days, rowCap: String(rowCap) }).toString());
    expect(answer.headers.get('x-export-total-count')).toBe(String(stored.length));
    await expectReadings(answer, stored.slice(0, rowCap));
  });

  it('has the readings of some devices, and of a range that cuts quarter-hours', async () => {
    const part = {
      from: '2026-03-10T00:07:13.5Z',
      to: '2026-03-12T11:11:11Z',
      deviceIds: `${deviceIds[6]},${deviceIds[1]}`,
    };
    const answer = await take(new URLSearchParams(part).toString());
    const [from, to] = [Date.parse(part.from), Date.parse(part.to)].map((at) => (at - start) / second);
    await expectReadings(
      answer,
      stored.filter(([at, device]) => at >= (from ?? 0) && at < (to ?? 0) && [1, 6].includes(device)),
    );
  });
});

describe('An export that does not finish', () => {
  it('a client that disconnects stops the reads for it at once', async () => {
    const aborting = new AbortController();
    const answer = await take(whole, aborting.signal);
    await untilOpen(1);
    aborting.abort();
    await untilOpen(0);
    await expect(answer.text()).rejects.toThrow('aborted');
    const open = portal.database.statistics();
    expect(open.total - open.idle).toBe(0);
  });

  it('an error in the middle breaks the connection, so that no file looks complete', async () => {
    for (const format of ['ndjson', 'csv', 'xlsx']) {
      const answer = await fetch(`${address}${path}.${format}?${whole}`, {
        headers: { ...headers, 'accept-encoding': 'identity' },
      });
      expect(answer.status).toBe(200);
      const reader = answer.body?.getReader();
      await reader?.read();
      // If everything has been sent already there is nothing to break; that may be so for the small file.
      if ((await countOpen()) === 0) {
        expect(format).toBe('xlsx');
        await reader?.cancel();
        continue;
      }
      await keeper.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'`,
      });
      const readOn = async () => {
        for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) continue;
      };
      await expect(readOn(), format).rejects.toThrow('terminated');
    }
    expect(portal.log.filter(({ msg }) => msg === 'an export ended before its end').length).toBeGreaterThan(0);
    // The portal still works.
    expect(await readingsOf(await take(whole))).toHaveLength(stored.length);
  });

  it('is rejected over HTTP/1.0, where the end of the connection is the end of the file', async () => {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path}.csv?${whole} HTTP/1.0\r\nCookie: ${headers.cookie}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.[01] 400 /);
    expect(answer).toContain('An export needs HTTP/1.1');
  });

  it('an unreachable database before the first row is an answer, not a broken file', async () => {
    await using own = await createTestApp();
    const signedIn = await own.signIn();
    const session = { app: own.app, headers: signedIn };
    await createDevice(session, await createSite(session), { externalId: 'meter' });
    await own.database.query({ text: 'ALTER TABLE monitoring.energy_state RENAME TO gone' });
    const answer = await own.app.inject({ method: 'GET', url: `${path}.xlsx`, query: days, headers: signedIn });
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-type']).toMatch(/json/);
    expect(answer.headers['content-disposition']).toBeUndefined();
  });
});

describe('Exports beside everything else', () => {
  it('four stalled downloads delay no other query and no ingest; the account’s fifth waits, but not another account’s', async () => {
    const aborting = new AbortController();
    const stalled = await Promise.all([1, 2, 3, 4].map(() => take(whole, aborting.signal)));
    expect(stalled.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await untilOpen(4);
    const fifth = take(new URLSearchParams({ ...days, rowCap: '10' }).toString());
    const isThere = await Promise.race([fifth.then(() => true), sleep(500, false)]);
    expect(isThere).toBe(false);
    const created = await portal.app.inject({
      method: 'POST',
      url: '/api/users',
      payload: { email: 'two@example.com', displayName: 'Two', password: 'Tw0-and-more-words' },
      headers,
    });
    expect(created.statusCode, created.body).toBe(201);
    const second = await portal.signIn({ email: 'two@example.com', password: 'Tw0-and-more-words' });
    const beside = await portal.app.inject({
      method: 'GET',
      url: `${path}.csv`,
      query: { ...days, rowCap: '3' },
      headers: second,
    });
    expect(beside.body.split('\r\n')).toHaveLength(5);
    for (const url of ['/api/measurements/raw', '/api/dashboard/summary', '/api/dashboard/summary/export.xlsx']) {
      const answer = await portal.app.inject({ method: 'GET', url, query: days, headers });
      expect(answer.statusCode, url).toBe(200);
    }
    await deliver([[-9 * 86_400, 0]]);
    await sleep(300);
    expect(await countOpen()).toBe(4);
    // After it has waited long enough, one of the stalled downloads ends for it, and only one.
    expect(await readingsOf(await fifth)).toHaveLength(10);
    await untilOpen(3);
    const ended = await Promise.allSettled(stalled.map(async (answer) => Promise.race([answer.text(), sleep(500)])));
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    aborting.abort();
    await untilOpen(0);
    // The next download has the readings that arrived during this one.
    await expectReadings(await take(whole), [...stored, [-9 * 86_400, 0]]);
  });
});
