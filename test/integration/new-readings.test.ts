import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientIngest, createClientIngest, ofClient } from '../../server/ingest/client-ingest.ts';
import { formatInstant } from '../../server/base/instants.ts';
import { Lease } from '../../server/database/connections.ts';
import { lockIngestExclusively } from '../../server/database/ingest-lock.ts';
import type { Transaction } from '../../server/database/pool.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { watchStatements } from '../support/statements.ts';

const minute = 60_000_000;
const externalIds = ['one', 'other', 'third'];

const portal = appOfFile();
let siteId: string;
const deviceIds = new Map<string, string>();
const session = () => ({ app: portal.app, headers: cookie });
let cookie: { cookie: string };
/** Two portals on one database. */
let portals: ClientIngest[] = [];
const start = () => createClientIngest({ database: portal.database, engine: portal.engine, now: Date.now });

beforeAll(async () => {
  cookie = await portal.signIn();
  siteId = await createSite(session());
  for (const externalId of externalIds)
    deviceIds.set(externalId, await createDevice(session(), siteId, { externalId }));
});
beforeEach(async () => {
  portals = [start(), start()];
  await forget();
});
afterEach(() => vi.restoreAllMocks());

const forget = () =>
  portal.database.query({
    text: 'TRUNCATE monitoring.measurements, monitoring.energy_dirty_ranges, monitoring.retention',
  });

interface Row {
  externalId: string;
  timeMicros: number;
  kw: number;
}

async function send(ingest: ClientIngest | undefined, rows: readonly Row[]) {
  if (ingest === undefined) throw new Error('There is no such portal.');
  const request = ingest.begin(ofClient);
  request.judge(
    rows.map(({ externalId, timeMicros, kw }) => ({ externalId, time: formatInstant(timeMicros), activePowerKw: kw })),
  );
  const { accepted, duplicates, rejected } = await request.store();
  return { accepted, duplicates, rejected: rejected.count };
}

const march = Date.UTC(2026, 2, 10) * 1000;
const rowsFrom = (from: number, to: number, externalId = 'one'): Row[] =>
  Array.from({ length: to - from }, (_, at) => ({ externalId, timeMicros: march + (from + at) * minute, kw: 1 }));

const isStraight = (text: string) => text.startsWith('COPY monitoring.measurements');
const isInsert = (text: string) => text.startsWith('INSERT INTO monitoring.measurements');
const isRollback = (text: string) => text.startsWith('ROLLBACK TO');
const count = (texts: readonly string[], is: (text: string) => boolean) => texts.filter(is).length;

/** Stored rows without a dirty range. */
async function countUnmarked(): Promise<number> {
  const { rows } = await portal.database.query<{ count: number }>({
    text: `SELECT count(*) AS count FROM monitoring.measurements m
           WHERE NOT EXISTS (SELECT FROM monitoring.energy_dirty_ranges d
                             WHERE d.device_number = m.device_number AND m.time BETWEEN d.from_time AND d.to_time)`,
  });
  return rows[0]?.count ?? Number.NaN;
}

describe('rows above the newest of their device are copied straight to their place', () => {
  it('once the portal has stored some of it; the others are inserted unless they are stored', async () => {
    const texts = watchStatements();
    await send(portals[0], rowsFrom(0, 5));
    expect([count(texts, isStraight), count(texts, isInsert)]).toEqual([0, 1]);
    expect(await send(portals[0], rowsFrom(5, 10))).toEqual({ accepted: 5, duplicates: 0, rejected: 0 });
    expect([count(texts, isStraight), count(texts, isInsert)]).toEqual([1, 1]);
    expect(await countUnmarked()).toBe(0);
  });

  it.each([1, 300])('late and repeated ones in the same request are stored separately (%d of them)', async (others) => {
    await send(portals[0], rowsFrom(0, others));
    await send(portals[0], rowsFrom(1_000, 1_001));
    const texts = watchStatements();
    const mixed = [...rowsFrom(0, others), ...rowsFrom(500, 500 + others), ...rowsFrom(1_001, 1_500)];
    expect(await send(portals[0], mixed)).toEqual({ accepted: 499 + 2 * others, duplicates: others, rejected: 0 });
    expect([count(texts, isStraight), count(texts, isInsert), count(texts, isRollback)]).toEqual([1, 1, 0]);
    expect(await countUnmarked()).toBe(0);
  });

  it('a day on which nothing was stored is not computed again', async () => {
    await send(portals[0], rowsFrom(0, 5));
    await portal.database.query({ text: 'TRUNCATE monitoring.energy_dirty_ranges' });
    await send(portals[0], [...rowsFrom(0, 5), ...rowsFrom(5_000, 5_001)]);
    const { rows } = await portal.database.query({ text: 'SELECT FROM monitoring.energy_dirty_ranges' });
    expect(rows).toHaveLength(1);
  });
});

describe('a wrong guess costs time and nothing else', () => {
  it('another portal has stored rows in between', async () => {
    await send(portals[0], rowsFrom(0, 1));
    expect(await send(portals[1], rowsFrom(3, 6))).toEqual({ accepted: 3, duplicates: 0, rejected: 0 });
    const texts = watchStatements();
    expect(await send(portals[0], rowsFrom(1, 9))).toEqual({ accepted: 8, duplicates: 3, rejected: 0 });
    expect(count(texts, isRollback)).toBe(1);
    expect(await countUnmarked()).toBe(0);
  });

  it('the storage engine distinguishes a duplicate from other failures', async () => {
    const told: unknown[] = [];
    const isDuplicate = (error: unknown) => {
      told.push(error);
      return false;
    };
    const engine = { ...portal.engine, isDuplicate };
    const other = createClientIngest({ database: portal.database, engine, now: Date.now });
    await send(other, rowsFrom(0, 1));
    await send(portals[1], rowsFrom(3, 6));
    const failure = await send(other, rowsFrom(1, 9)).catch((error: unknown) => error);
    expect(told).toEqual([failure]);
    expect(portal.engine.isDuplicate(failure)).toBe(true);
    expect(await send(portals[1], rowsFrom(0, 9))).toEqual({ accepted: 9, duplicates: 4, rejected: 0 });
  });

  it('rows first sent to another portal are sent again to this one: the first batch fails, not each', async () => {
    await send(portals[0], rowsFrom(0, 1));
    for (let batch = 0; batch < 8; batch += 1) await send(portals[1], rowsFrom(1 + batch * 500, 501 + batch * 500));
    const texts = watchStatements();
    for (let batch = 0; batch < 8; batch += 1) {
      const again = await send(portals[0], rowsFrom(1 + batch * 500, 501 + batch * 500));
      expect(again).toEqual({ accepted: 500, duplicates: 500, rejected: 0 });
    }
    expect(count(texts, isRollback)).toBe(1);
    await send(portals[0], rowsFrom(4_001, 4_002));
    await send(portals[0], rowsFrom(4_002, 4_003));
    expect([count(texts, isRollback), count(texts, isStraight)]).toEqual([1, 2]);
  });

  it('the database was restored, the device was created again, readings are no longer kept', async () => {
    await send(portals[0], rowsFrom(0, 10));
    await portal.database.query({ text: 'TRUNCATE monitoring.measurements' });
    expect(await send(portals[0], rowsFrom(0, 12))).toEqual({ accepted: 12, duplicates: 0, rejected: 0 });

    const url = `/api/admin/devices/${deviceIds.get('one')}?withMeasurements=true`;
    expect((await portal.app.inject({ method: 'DELETE', url, headers: cookie })).statusCode).toBe(204);
    expect(await send(portals[0], rowsFrom(12, 14))).toEqual({ accepted: 0, duplicates: 0, rejected: 2 });
    deviceIds.set('one', await createDevice(session(), siteId, { externalId: 'one' }));
    expect(await send(portals[0], rowsFrom(0, 14))).toEqual({ accepted: 14, duplicates: 0, rejected: 0 });

    const keptFrom = formatInstant(march + 20 * minute);
    await portal.database.query({ text: 'INSERT INTO monitoring.retention (kept_from) VALUES ($1)' }, [keptFrom]);
    expect(await send(portals[0], rowsFrom(14, 24))).toEqual({ accepted: 4, duplicates: 0, rejected: 6 });
    expect(await countUnmarked()).toBe(0);
  });

  it('a row that occurs twice in a request, or in two concurrent requests, is stored once', async () => {
    await send(portals[0], rowsFrom(0, 1));
    const twice = [...rowsFrom(1, 4), ...rowsFrom(1, 4)];
    expect(await send(portals[0], twice)).toEqual({ accepted: 6, duplicates: 3, rejected: 0 });
    const all = await Promise.all(Array.from({ length: 8 }, (_, at) => send(portals[at % 2], rowsFrom(4, 2_004))));
    expect(all.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(7 * 2_000);
    expect(await countUnmarked()).toBe(0);
  });
});

describe('rows of devices that the portal remembers', () => {
  const query = async (text: string) => (await portal.database.query<Record<string, unknown>>({ text })).rows;
  const countStored = async () => (await query('SELECT count(*) AS count FROM monitoring.measurements'))[0]?.['count'];
  const isLookup = (text: string) => text.startsWith('SELECT NULL, external_id');

  /** Sends rows while `change` runs in a transaction that holds ingests back. */
  async function sendDuring(rows: readonly Row[], change: (tx: Transaction) => Promise<unknown>) {
    const { promise: isHeld, resolve } = Promise.withResolvers<void>();
    const changing = portal.database.transaction(async (tx) => {
      await lockIngestExclusively(tx);
      resolve();
      await change(tx);
      await untilSomebodyWaits('advisory');
    });
    await isHeld;
    const [outcome] = await Promise.all([send(portals[0], rows), changing]);
    return outcome;
  }
  const untilSomebodyWaits = async (locktype: string) => {
    const own = `database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    const waiting = () => query(`SELECT FROM pg_locks WHERE locktype = '${locktype}' AND NOT granted AND ${own}`);
    await expect.poll(waiting).toHaveLength(1);
  };

  it('are stored in one round trip', async () => {
    await send(portals[0], rowsFrom(0, 1));
    const trips = vi.spyOn(Lease.prototype, 'send');
    expect(await send(portals[0], rowsFrom(1, 9))).toEqual({ accepted: 8, duplicates: 0, rejected: 0 });
    expect(trips).toHaveBeenCalledTimes(1);
    expect(await countUnmarked()).toBe(0);
  });

  it('are looked up again once the memory is wrong: other names, or a device deleted in the same moment', async () => {
    await send(portals[0], [...rowsFrom(0, 1), ...rowsFrom(0, 1, 'other')]);
    await query(
      `UPDATE monitoring.devices SET external_id = 'old ' || external_id WHERE external_id IN ('one', 'other')`,
    );
    const rename = (from: string, to: string) =>
      query(`UPDATE monitoring.devices SET external_id = '${to}' WHERE external_id = 'old ${from}'`);
    await rename('one', 'other');
    await rename('other', 'one');
    const texts = watchStatements();
    const both = [...rowsFrom(1, 2), ...rowsFrom(1, 3, 'other')];
    expect(await send(portals[0], both)).toEqual({ accepted: 3, duplicates: 0, rejected: 0 });
    expect(count(texts, isLookup)).toBe(1);
    const stored = await query(`SELECT d.external_id AS id, count(*) AS count FROM monitoring.measurements m
      JOIN monitoring.devices d ON d.number = m.device_number WHERE m.time > '2026-03-10Z' GROUP BY 1 ORDER BY 1`);
    expect(stored).toEqual([
      { id: 'one', count: 1 },
      { id: 'other', count: 2 },
    ]);

    const remove = (tx: Transaction) =>
      tx.query({ text: `DELETE FROM monitoring.devices WHERE external_id = 'other'` });
    const during = await sendDuring([...rowsFrom(5, 6), ...rowsFrom(5, 7, 'other')], remove);
    expect(during).toEqual({ accepted: 1, duplicates: 0, rejected: 2 });
    expect(await countStored()).toBe(6);
    await createDevice(session(), siteId, { externalId: 'other' });
  });

  it('are rejected if they are no longer kept, also from that moment on', async () => {
    await send(portals[0], rowsFrom(0, 1));
    const keptFrom = formatInstant(march + 4 * minute);
    const retain = (tx: Transaction) =>
      tx.query({ text: 'INSERT INTO monitoring.retention (kept_from) VALUES ($1)' }, [keptFrom]);
    expect(await sendDuring(rowsFrom(2, 6), retain)).toEqual({ accepted: 2, duplicates: 0, rejected: 2 });
    const texts = watchStatements();
    expect(await send(portals[0], rowsFrom(3, 8))).toEqual({ accepted: 4, duplicates: 2, rejected: 1 });
    expect(count(texts, isLookup)).toBe(1);
    expect(count(texts, (text) => text.startsWith('BEGIN'))).toBe(1);
  });

  it('are stored once if the connection breaks between the COPY and the commit', async () => {
    await send(portals[0], rowsFrom(0, 1));
    const { promise: isLocked, resolve } = Promise.withResolvers<void>();
    const breaking = portal.database.transaction(async (tx) => {
      await tx.query({ text: 'LOCK TABLE monitoring.energy_dirty_ranges IN SHARE ROW EXCLUSIVE MODE' });
      resolve();
      await untilSomebodyWaits('relation');
      await tx.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'relation' AND NOT granted`,
      });
    });
    await isLocked;
    const [outcome] = await Promise.all([send(portals[0], rowsFrom(1, 9)), breaking]);
    expect(outcome).toEqual({ accepted: 8, duplicates: 0, rejected: 0 });
    expect([await countStored(), await countUnmarked()]).toEqual([9, 0]);
  });
});

describe('any rows in any order', () => {
  const request = fc.array(
    fc.record({
      externalId: fc.constantFrom(...externalIds, 'nobody'),
      at: fc.nat(40),
      length: fc.integer({ min: 1, max: 12 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const event = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('send'), portal: fc.nat(1), request }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), portal: fc.nat(1), request }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore'), portal: fc.nat(1), request }) },
  );
  let run = 0;

  it('verdicts and stored rows equal those of a list that stores each row once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 14 }), async (events) => {
        await forget();
        portals = [start(), start()];
        // Each run crosses from one month into another that has no partition yet.
        run += 1;
        const base = Date.UTC(2001, run, 1) * 1000 - 20 * minute;
        const model = new Map<string, number>();
        let kw = 0;
        for (const { kind, portal: number, request: parts } of events) {
          if (kind === 'restart') portals[number] = start();
          if (kind === 'restore') {
            const { at = 0 } = parts[0] ?? {};
            const time = formatInstant(base + at * minute);
            await portal.database.query({ text: 'DELETE FROM monitoring.measurements WHERE time >= $1' }, [time]);
            for (const key of model.keys()) if (Number(key.split(' ')[1]) >= base + at * minute) model.delete(key);
          }
          const rows = parts.flatMap(({ externalId, at, length }) =>
            Array.from({ length }, (_, index) => ({
              externalId,
              timeMicros: base + (at + index) * minute,
              kw: (kw += 1),
            })),
          );
          const expected = { accepted: 0, duplicates: 0, rejected: 0 };
          for (const row of rows) {
            const key = `${row.externalId} ${row.timeMicros}`;
            if (row.externalId === 'nobody') expected.rejected += 1;
            else expected.accepted += 1;
            if (model.has(key)) expected.duplicates += 1;
            else if (row.externalId !== 'nobody') model.set(key, row.kw);
          }
          expect(await send(portals[number], rows)).toEqual(expected);
        }
        const { rows } = await portal.database.query<{ key: string; kw: number }>({
          text: `SELECT d.external_id || ' ' || (extract(epoch FROM m.time) * 1000000)::bigint AS key,
                        active_power_milliwatts / 1000000 AS kw
                 FROM monitoring.measurements m JOIN monitoring.devices d ON d.number = m.device_number`,
        });
        const byKey = (a: [string, number], b: [string, number]) => (a[0] < b[0] ? -1 : 1);
        expect(rows.map((row): [string, number] => [row.key, row.kw]).toSorted(byKey)).toEqual(
          [...model].toSorted(byKey),
        );
        expect(await countUnmarked()).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
