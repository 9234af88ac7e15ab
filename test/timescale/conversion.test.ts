import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { shares } from '../../server/base/budgets.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { nativePartitions } from '../../server/database/engines/native.ts';
import { Database } from '../../server/database/pool.ts';
import type { Log } from '../../server/base/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const rowCount = Number(process.env['CONVERSION_ROWS'] ?? 200_000);
const silent: Log = { info: () => undefined, warn: () => undefined };
const firstMs = Date.parse('2025-01-01T00:00:00Z');
const days = 300;

/** Made before the database had the extension: twenty meters over ten months. */
const FILL = `INSERT INTO monitoring.measurements
    (time, received_at, active_power_milliwatts, voltage_millivolts, energy_imported_milliwatthours, device_number)
  SELECT timestamptz '2025-01-01Z' + n / 20 * (interval '${days} days' / ($1::integer / 20)), timestamptz '2025-12-01Z',
         n * 7919::bigint % 100000000, CASE WHEN n % 3 = 0 THEN 230000 + n % 5000 END, n::bigint * 1000, n % 20 + 1
  FROM generate_series(0, $1::integer - 1) n`;

interface Digest {
  rows: number;
  sum: string;
}

/** Tells whether two tables hold the same rows, whatever their order. */
async function digestOf(database: Database): Promise<Digest> {
  const { rows } = await database.query<Digest>({
    text: `SELECT count(*) AS rows, sum(hashtextextended(concat_ws('|', time, received_at, active_power_milliwatts,
             reactive_power_millivars, voltage_millivolts, energy_imported_milliwatthours, device_number), 0)::numeric)::text AS sum
           FROM monitoring.measurements`,
  });
  return rows[0] ?? { rows: 0, sum: '' };
}

const prepare = async (database: Database, log = silent) => {
  await (await chooseEngine(database, { compressAfterDays: 7, now: Date.now, log })).prepare(database);
};
const shapeOf = async (database: Database) =>
  (
    await database.query<{ chunks: number; compressed: number; left: string | null }>({
      text: `SELECT count(*)::integer AS chunks, count(*) FILTER (WHERE is_compressed)::integer AS compressed,
               coalesce(to_regclass('monitoring.measurements_next'), to_regclass('monitoring.measurements_copied'))::text AS left
             FROM timescaledb_information.chunks WHERE hypertable_name = 'measurements'`,
    })
  ).rows[0];

describe('a database that gains TimescaleDB', () => {
  let made: TestDatabase;
  let database: Database;
  let before: Digest;

  /** A portal's database on native partitions, with rows. */
  async function fillNative() {
    made = await createTestDatabase('empty');
    database = new Database(made.connectionString, { share: shares.background });
    const migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), 'Client');
    await migrate(database, migrations, () => undefined);
    const native = nativePartitions(() => firstMs);
    await native.prepare(database);
    const times = Array.from({ length: days + 1 }, (_, day) => (firstMs + day * 86_400_000) * 1000);
    await native.ensurePartitions(database, times);
    await database.query({ text: FILL }, [rowCount]);
    before = await digestOf(database);
  }
  async function drop() {
    await database.close();
    await made.drop();
  }

  it('has its native partitions converted with their rows, old chunks compressed, progress in the log; a second run changes nothing', async () => {
    await fillNative();
    const lines: object[] = [];
    const log = { ...silent, info: (fields: object, message: string) => void lines.push({ message, ...fields }) };
    await prepare(database, log);
    expect(await digestOf(database)).toEqual(before);
    expect(before.rows).toBe(rowCount);
    expect(await shapeOf(database)).toEqual({ chunks: 11, compressed: 11, left: null });
    const progress = { message: 'copying the measurements into TimescaleDB', of: 11 };
    expect(lines).toContainEqual(expect.objectContaining({ ...progress, months: 11, rows: rowCount }));
    await prepare(database);
    expect(await digestOf(database)).toEqual(before);
    // Late rows and re-delivery find compressed rows.
    const again = `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number)
                   SELECT time + interval '1 second' * $1, 5, device_number FROM monitoring.measurements
                   WHERE device_number = 3 AND time < '2025-02-01Z' ON CONFLICT DO NOTHING`;
    expect((await database.query({ text: again }, [0])).rowCount).toBe(0);
    expect((await database.query({ text: again }, [1])).rowCount).toBeGreaterThan(0);
    await drop();
  }, 300_000);

  it('has a plain table converted, too', async () => {
    await fillNative();
    for (const text of [
      'CREATE TABLE monitoring.plain (LIKE monitoring.measurements INCLUDING DEFAULTS)',
      'INSERT INTO monitoring.plain SELECT * FROM monitoring.measurements',
      'DROP TABLE monitoring.measurements',
      'ALTER TABLE monitoring.plain RENAME TO measurements',
      'CREATE UNIQUE INDEX measurements_device_time_key ON monitoring.measurements (device_number, time)',
      'CREATE INDEX measurements_received_at ON monitoring.measurements USING brin (received_at)',
    ]) {
      await database.query({ text });
    }
    await prepare(database);
    expect(await digestOf(database)).toEqual(before);
    expect(await shapeOf(database)).toMatchObject({ chunks: 11, left: null });
    await drop();
  }, 300_000);

  it('loses nothing when the conversion is killed at any moment, including rows stored in between', async () => {
    await fillNative();
    const native = nativePartitions(() => firstMs);
    let stored = 0;
    for (const killAtMonth of [1, 4, 11]) {
      const child = fork(new URL('../support/convert.ts', import.meta.url), [made.connectionString], { execArgv: [] });
      await untilMonth(child, killAtMonth);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      // Until it is over, every other portal goes on with the table that was there.
      const late = Date.parse('2025-03-05T00:00:30Z') + stored * 1000;
      await native.ensurePartitions(database, [late * 1000]);
      await database.query(
        {
          text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number) VALUES ($1, 1, 99)`,
        },
        [new Date(late).toISOString()],
      );
      stored += 1;
      expect((await digestOf(database)).rows).toBe(rowCount + stored);
    }
    const expected = await digestOf(database);
    await prepare(database);
    expect(await digestOf(database)).toEqual(expected);
    expect(await shapeOf(database)).toMatchObject({ left: null });
    await drop();
  }, 600_000);

  it('continues if it was killed before the swap, even with rows of a new month', async () => {
    await fillNative();
    const late = '2026-06-05T00:00:30Z';
    await nativePartitions(() => firstMs).ensurePartitions(database, [Date.parse(late) * 1000]);
    const { promise: mayEnd, resolve: endReading } = Promise.withResolvers<void>();
    // Whoever reads the table keeps the swap waiting.
    const reading = database.snapshot(async (tx) => {
      await tx.query({ text: 'SELECT count(*) FROM monitoring.measurements' });
      await mayEnd;
    });
    const child = fork(new URL('../support/convert.ts', import.meta.url), [made.connectionString], { execArgv: [] });
    await untilMonth(child, 1);
    await database.query(
      { text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number) VALUES ($1, 1, 99)` },
      [late],
    );
    await untilLine(child, ({ message }) => message.startsWith('waiting for readers of the measurements'));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    endReading();
    await reading;
    const { rows } = await database.query({ text: `SELECT FROM monitoring.measurements_next WHERE time = $1` }, [late]);
    expect(rows).toHaveLength(1);
    const expected = await digestOf(database);
    await prepare(database);
    expect(await digestOf(database)).toEqual(expected);
    expect(await shapeOf(database)).toMatchObject({ left: null });
    await drop();
  }, 300_000);

  it('keeps the permissions of the table, and a long read blocks nobody', async () => {
    await fillNative();
    await database.query({ text: 'GRANT SELECT ON monitoring.measurements TO pg_monitor WITH GRANT OPTION' });
    const { promise: isReading, resolve: read } = Promise.withResolvers<void>();
    let worstMs = 0;
    const reading = database.snapshot(async (tx) => {
      await tx.query({ text: 'SELECT count(*) FROM monitoring.measurements' });
      read();
      // Ingests of other portals, while the conversion wants the table for itself.
      for (let second = 0; second < 120; second += 1) {
        const before = performance.now();
        await database.query(
          {
            text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number)
                 VALUES (timestamptz '2025-05-05Z' + $1 * interval '1 second', 1, 98)`,
          },
          [second],
        );
        worstMs = Math.max(worstMs, performance.now() - before);
        await sleep(50);
      }
    });
    await isReading;
    await Promise.all([reading, prepare(database)]);
    expect(worstMs).toBeLessThan(5_000);
    expect((await digestOf(database)).rows).toBe(rowCount + 120);
    const { rows } = await database.query({
      text: `SELECT has_table_privilege('pg_monitor', 'monitoring.measurements', 'SELECT WITH GRANT OPTION') AS "mayRead"`,
    });
    expect(rows).toEqual([{ mayRead: true }]);
    await drop();
  }, 300_000);

  it('waits for views of the table to be dropped, and stays on native partitions until then', async () => {
    await fillNative();
    await database.query({ text: 'CREATE VIEW public.latest AS SELECT max(time) FROM monitoring.measurements' });
    const warnings: object[] = [];
    const log = { ...silent, warn: (fields: object) => void warnings.push(fields) };
    const options = { compressAfterDays: 7, now: Date.now, log };
    expect((await chooseEngine(database, options)).name).toBe('native partitions');
    expect(warnings).toEqual([{ views: ['latest'] }]);
    await database.query({ text: 'DROP VIEW public.latest' });
    await prepare(database);
    expect(await digestOf(database)).toEqual(before);
    // Over a hypertable they are welcome.
    await database.query({ text: 'CREATE VIEW public.latest AS SELECT max(time) FROM monitoring.measurements' });
    expect((await chooseEngine(database, options)).name).toMatch(/^TimescaleDB/);
    await drop();
  }, 300_000);

  it('two portals that start at the same moment convert it once', async () => {
    await fillNative();
    await Promise.all([prepare(database), prepare(database)]);
    expect(await digestOf(database)).toEqual(before);
    expect(await shapeOf(database)).toMatchObject({ chunks: 11, left: null });
    await drop();
  }, 300_000);
});

/** Until the conversion says that it has copied so many months. */
const untilMonth = (child: ChildProcess, month: number) => untilLine(child, ({ months = 0 }) => months >= month);

/** Until the conversion logs such a line. */
async function untilLine(
  child: ChildProcess,
  isIt: (line: { message: string; months?: number }) => boolean,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.on('message', (line: { message: string; months?: number }) => {
      if (isIt(line)) resolve();
    });
    child.once('exit', () => reject(new Error('the conversion ended before it could be killed')));
  });
}

describe('compression', () => {
  let made: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    made = await createTestDatabase();
    database = new Database(made.connectionString);
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  it('is by device, newest first, for chunks older than the setting', async () => {
    const settings = await database.query({
      text: `SELECT segmentby, orderby FROM timescaledb_information.hypertable_compression_settings
             WHERE hypertable = 'monitoring.measurements'::regclass`,
    });
    expect(settings.rows).toEqual([{ segmentby: 'device_number', orderby: '"time" DESC' }]);
    const policies = async () =>
      (
        await database.query<{ after: string; job: number }>({
          text: `SELECT config ->> 'compress_after' AS after, job_id AS job FROM timescaledb_information.jobs
                 WHERE hypertable_name = 'measurements' AND proc_name = 'policy_compression'`,
        })
      ).rows;
    expect(await policies()).toMatchObject([{ after: '7 days' }]);
    for (const [days, after] of [
      [30, '30 days'],
      [1, '1 day'],
    ] as const) {
      const engine = await chooseEngine(database, { compressAfterDays: days, now: Date.now, log: silent });
      await engine.prepare(database);
      const set = await policies();
      expect(set).toMatchObject([{ after }]);
      await engine.prepare(database);
      expect(await policies()).toEqual(set);
    }
  });
});
