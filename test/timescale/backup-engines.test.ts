import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBackup, restore } from '../../server/backup/restore.ts';
import { withBackupSnapshot } from '../../server/backup/backup.sql.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { shares } from '../../server/base/budgets.ts';
import { type Migration, migrate, readMigrations } from '../../server/database/migrator.ts';
import { nativePartitions } from '../../server/database/engines/native.ts';
import { Database } from '../../server/database/pool.ts';
import { backUp, digestTables, restoreFrom, settingsOf } from '../support/backup.ts';
import { createTestDatabase } from '../support/postgres.ts';

const silent = { info: () => undefined, warn: () => undefined };
let folder: string;
let migrations: Migration[];
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-engines-'));
  migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), 'Client');
});
afterAll(async () => {
  await resources.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function createEmpty(): Promise<{ database: Database; settings: ReturnType<typeof settingsOf> }> {
  const made = resources.use(await createTestDatabase('empty'));
  const database = new Database(made.connectionString, { maxConnections: 3, share: shares.background });
  resources.defer(() => database.close());
  return { database, settings: settingsOf(made.connectionString, folder) };
}

it('rows go from native partitions into a hypertable, and from its compressed chunks back, to the last digit', async () => {
  const source = await createEmpty();
  await migrate(source.database, migrations, () => undefined);
  const native = nativePartitions(Date.now);
  const times = [0, 1, 2, 3].map((month) => Date.UTC(2026, month, 5) * 1000);
  await native.ensurePartitions(source.database, times);
  await source.database.query({
    text: `INSERT INTO monitoring.measurements (time, device_number, active_power_milliwatts, energy_imported_milliwatthours)
           SELECT timestamptz '2026-01-01Z' + at * interval '5 min', 1 + at % 3, at::bigint * 7919 % 1000003, at::bigint * 1000
           FROM generate_series(0, 30000) at`,
  });
  const expected = await digestTables(source.database);
  const first = await backUp(join(folder, 'native.tar'), source.settings);
  expect(first.ending, first.output).toBe(0);

  const extended = await createEmpty();
  const done = await restoreFrom(join(folder, 'native.tar'), extended.settings);
  expect(done.ending, done.output).toBe(0);
  const { rows } = await extended.database.query<{ chunk: string }>({
    text: `SELECT compress_chunk(c)::text AS chunk FROM show_chunks('monitoring.measurements', older_than => timestamptz '2026-03-20Z') c`,
  });
  expect(rows.length).toBeGreaterThan(1);
  expect(await digestTables(extended.database)).toEqual(expected);
  // What is there while a table is converted is no part of it.
  await extended.database.query({ text: 'CREATE TABLE monitoring.measurements_copied (starts_at timestamptz)' });
  const second = await backUp(join(folder, 'extended.tar'), extended.settings);
  expect(second.ending, second.output).toBe(0);

  const target = await createEmpty();
  const folders = { keys: join(folder, 'keys'), uploads: join(folder, 'uploads') };
  const { signal } = new AbortController();
  const path = join(folder, 'extended.tar');
  const backup = await checkBackup({ folders, migrations, path, runMode: 'Client', signal });
  expect(backup.manifest.engine).toMatch(/^TimescaleDB \d/);
  expect(backup.manifest.months).toEqual(['2026-01', '2026-02', '2026-03', '2026-04']);
  await restore({
    database: target.database,
    openEngine: async () => native,
    folders,
    migrations,
    path,
    backup,
    signal,
    onMigrated: () => undefined,
    onTable: () => undefined,
  });
  expect(await digestTables(target.database)).toEqual(expected);
});

it('data of dropped or compressed chunks stays in the snapshot: those jobs wait', async () => {
  const { database } = await createEmpty();
  await migrate(database, migrations, () => undefined);
  const engine = await chooseEngine(database, { compressAfterDays: 7, now: Date.now, log: silent });
  await engine.prepare(database);
  await database.query({
    text: `INSERT INTO monitoring.measurements (time, device_number, active_power_milliwatts)
           SELECT timestamptz '2026-01-01Z' + at * interval '1 h', 1, at FROM generate_series(1, 100) at`,
  });
  const impatient = database.within({ statementMs: 2_000, lockMs: 500 });
  const texts = await withBackupSnapshot(database, async ({ tables, copyOut }) => {
    for (const text of [
      `SELECT compress_chunk(c) FROM show_chunks('monitoring.measurements') c`,
      `SELECT drop_chunks('monitoring.measurements', older_than => timestamptz '2027-01-01Z')`,
    ]) {
      await expect(impatient.transaction((tx) => tx.query({ text }))).rejects.toMatchObject({ kind: 'unavailable' });
    }
    const table = tables.find(({ name }) => name === 'monitoring.measurements');
    const chunks: Buffer[] = [];
    if (table !== undefined) for await (const chunk of copyOut(table)) chunks.push(chunk);
    return Buffer.concat(chunks).toString().trim().split('\n');
  });
  expect(texts).toHaveLength(100);
});
