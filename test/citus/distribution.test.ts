import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { shares } from '../../server/base/budgets.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { clientMeasurements, fleetMeasurements, type TimeSeriesEngine } from '../../server/database/engines/engine.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { Database } from '../../server/database/pool.ts';
import { backUp, digestTables, restoreFrom, settingsOf } from '../support/backup.ts';
import { createDistributed, onServer } from '../support/citus-cluster.ts';
import { createTestDatabase } from '../support/postgres.ts';

const nowMs = Date.parse('2026-06-01T12:00:00Z');
const log = { info: () => undefined, warn: () => undefined };
const name = `test_${randomBytes(8).toString('hex')}`;
const secondName = `${name}_2`;
const { connectionString, workers } = inject('postgres');
const customers = 6;

let database: Database;
let engine: TimeSeriesEngine;

const choose = (table = fleetMeasurements) =>
  chooseEngine(database, { table, compressAfterDays: 7, now: () => nowMs, log });
const rowsOf = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.query<Row>({ text }, values)).rows;
const digest = () =>
  rowsOf<{ rows: number; sum: string }>(
    `SELECT count(*) AS rows, sum(hashtextextended(concat_ws('|', customer_id, device_number, time, active_power_milliwatts), 0)::numeric)::text AS sum
     FROM fleet.measurements`,
  );

function addressOf(one: string): string {
  const address = new URL(connectionString);
  address.pathname = `/${one}`;
  return address.href;
}

/** A fleet that was there before its database had the extension: customers with tariffs, and readings in a plain table. */
beforeAll(async () => {
  await createDistributed({ connectionString, workers }, name);
  database = new Database(addressOf(name), { share: shares.background });
  await database.query({ text: `ALTER DATABASE ${name} SET citus.multi_shard_modify_mode = 'parallel'` });
  const migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), 'Admin');
  await migrate(database, migrations, () => undefined);
  const id = `('018f4ad0-0000-7000-8000-00000000000' || c)::uuid`;
  const all = `generate_series(1, ${customers}) c`;
  for (const text of [
    `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
     SELECT ${id}, 'customer-' || c, 'Customer', true, sha256(c::text::bytea), now(), now() FROM ${all}`,
    `INSERT INTO fleet.customer_state (customer_id) SELECT ${id} FROM ${all}`,
    `INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at) SELECT ${id}, ${id}, 'Town', 'UTC', now() FROM ${all}`,
    `INSERT INTO fleet.tariffs (customer_id, id, municipality_id, name, currency, is_active, effective_from, default_rate_per_kwh,
       fixed_charge_per_month, vat_percent, created_at)
     SELECT ${id}, ${id}, ${id}, 'Tariff', 'EUR', true, '2026-01-01', 0.3, 0, 19, now() FROM ${all}`,
    `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
     SELECT ${id}, 1 + n % 3, timestamptz '2026-02-01Z' + n * interval '15 minutes', now(), n FROM ${all}, generate_series(0, 9999) n`,
  ])
    await database.query({ text });
});
afterAll(async () => {
  await database.close();
  for (const node of [connectionString, ...workers]) {
    for (const one of [name, secondName]) await onServer(node, `DROP DATABASE IF EXISTS ${one} WITH (FORCE)`);
  }
});

it('a plain store is distributed by customer at start with all its rows, the registry is on every node; a second start changes nothing', async () => {
  const before = await digest();
  engine = await choose();
  expect(engine.name).toMatch(/^Citus 1\d\.\d/);
  await engine.prepare(database);
  expect(before[0]?.rows).toBe(customers * 10_000);
  expect(await digest()).toEqual(before);

  const kinds = await rowsOf<{ name: string; kind: string; colocation: number }>(
    `SELECT table_name::text AS name, citus_table_type AS kind, colocation_id AS colocation FROM citus_tables
     WHERE table_name::text NOT LIKE 'fleet.measurements\\_%' ORDER BY 1`,
  );
  expect(kinds.filter(({ kind }) => kind !== 'distributed').map((one) => one.name)).toEqual(['fleet.customers']);
  const sharded = kinds.filter(({ kind }) => kind === 'distributed');
  expect(new Set(sharded.map(({ colocation }) => colocation)).size).toBe(1);
  const whole = await rowsOf<{ name: string }>(
    `SELECT relname AS name FROM pg_class c WHERE relnamespace = 'fleet'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid) ORDER BY 1`,
  );
  // The first refers to accounts, the second has one row for all customers.
  expect(whole.map((one) => one.name)).toEqual(['customer_access', 'retention']);
  // Nothing of the rows is left where they were, and both workers have some.
  const [left] = await rowsOf<{ bytes: number }>(
    `SELECT sum(pg_relation_size(inhrelid))::integer AS bytes FROM pg_inherits WHERE inhparent = 'fleet.measurements'::regclass`,
  );
  expect(left?.bytes).toBe(0);
  const nodes = await rowsOf(
    `SELECT DISTINCT nodeport FROM citus_shards WHERE table_name = 'fleet.measurements'::regclass`,
  );
  expect(nodes).toHaveLength(workers.length);

  await (await choose()).prepare(database);
  expect(await digest()).toEqual(before);
});

it('every session has the settings that a portal needs, also those that were there before', async () => {
  const shown = async (setting: string) => rowsOf(`SELECT current_setting($1) AS value`, [setting]);
  expect(await shown('citus.multi_shard_modify_mode')).toEqual([{ value: 'sequential' }]);
  expect(await shown('citus.max_adaptive_executor_pool_size')).toEqual([{ value: '1' }]);
});

it('foreign keys stay: a tariff needs its municipality, and what belongs to a customer goes with it', async () => {
  const wrong = `UPDATE fleet.tariffs SET municipality_id = '018f4ad0-0000-7000-8000-00000000000f' WHERE customer_id = '018f4ad0-0000-7000-8000-000000000001'`;
  await expect(database.query({ text: wrong })).rejects.toThrow(/tariffs_municipality_fkey/);
  const [last] = await rowsOf<{ id: string }>(`SELECT id FROM fleet.customers ORDER BY id DESC LIMIT 1`);
  await database.query({ text: 'DELETE FROM fleet.customers WHERE id = $1' }, [last?.id]);
  for (const table of ['customer_state', 'municipalities', 'tariffs'])
    expect(await rowsOf(`SELECT FROM fleet.${table}`), table).toHaveLength(customers - 1);
});

it('a table that a later migration adds is distributed at the next start', async () => {
  await database.query({
    text: `CREATE TABLE fleet.later (customer_id uuid NOT NULL REFERENCES fleet.customers ON DELETE CASCADE, id uuid NOT NULL, PRIMARY KEY (customer_id, id))`,
  });
  await engine.prepare(database);
  expect(
    await rowsOf(
      `SELECT FROM citus_tables WHERE table_name = 'fleet.later'::regclass AND citus_table_type = 'distributed'`,
    ),
  ).toHaveLength(1);
  await database.query({ text: 'DROP TABLE fleet.later' });
});

it('rows of any age find a partition, which is distributed too', async () => {
  const micros = Date.parse('2011-03-05T00:00:00Z') * 1000;
  expect(engine.lacksPartitions([micros])).toBe(true);
  await engine.ensurePartitions(database, [micros]);
  const late = `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
                VALUES ('018f4ad0-0000-7000-8000-000000000001', 1, '2011-03-05Z', now(), 1) ON CONFLICT DO NOTHING`;
  expect((await database.query({ text: late })).rowCount).toBe(1);
  expect((await database.query({ text: late })).rowCount).toBe(0);
  const shards = `SELECT FROM citus_shards WHERE table_name = 'fleet.measurements_2011_03'::regclass`;
  expect((await rowsOf(shards)).length).toBeGreaterThan(1);
});

it('a duplicate on another node is known for one, whatever statement meets it', async () => {
  const row = `'018f4ad0-0000-7000-8000-000000000001', 1, '2026-02-01Z', now(), 1`;
  const columns = 'customer_id, device_number, time, received_at, active_power_milliwatts';
  for (const text of [
    `INSERT INTO fleet.measurements (${columns}) VALUES (${row})`,
    `INSERT INTO fleet.measurements (${columns}) SELECT ${row} FROM generate_series(1, 2)`,
  ]) {
    const error: unknown = await database.query({ text }).catch((failure: unknown) => failure);
    expect(engine.isDuplicate(error)).toBe(true);
  }
  expect(engine.isDuplicate(new Error('Connection terminated unexpectedly'))).toBe(false);
});

it('a Client on a database with the extension keeps native partitions', async () => {
  expect((await choose(clientMeasurements)).name).toBe('native partitions');
});

it('a backup of it is restored into native partitions, and a backup of those into a fleet on Citus, to the last digit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-citus-backup-'));
  await using plain = await createTestDatabase('empty');
  await createDistributed({ connectionString, workers }, secondName);
  try {
    const settings = (at: string, files: string) => ({
      ...settingsOf(at, join(folder, files)),
      Application__RunMode: 'Admin',
    });
    const rowsIn = async (at: string) => {
      const one = new Database(at, { maxConnections: 1, share: shares.background });
      const digests = Object.entries(await digestTables(one)).filter(([table]) => /^(fleet|portal)\./.test(table));
      await one.close();
      return Object.fromEntries(digests);
    };
    const expected = await rowsIn(addressOf(name));
    let from = addressOf(name);
    for (const to of [plain.connectionString, addressOf(secondName)]) {
      const path = join(folder, `${to === plain.connectionString ? 'first' : 'second'}.tar`);
      const made = await backUp(path, settings(from, path.slice(-10, -4)));
      expect(made.ending, made.output).toBe(0);
      const done = await restoreFrom(path, settings(to, `${path.slice(-10, -4)}-restored`));
      expect(done.ending, done.output).toBe(0);
      expect(await rowsIn(to)).toEqual(expected);
      from = to;
    }
    const { rows } = await onServer(
      connectionString,
      `SELECT citus_table_type AS kind FROM citus_tables WHERE table_name = 'fleet.measurements'::regclass`,
      secondName,
    );
    expect(rows).toEqual([{ kind: 'distributed' }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
