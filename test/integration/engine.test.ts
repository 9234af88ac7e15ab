import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { shares } from '../../server/base/budgets.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { Database } from '../../server/database/pool.ts';
import { createTestDatabase } from '../support/postgres.ts';

it('an account that only owns its database starts with the available engine', async () => {
  await using made = await createTestDatabase('empty');
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const admin = new Database(made.connectionString, { maxConnections: 1 });
  const address = new URL(made.connectionString);
  const name = address.pathname.slice(1);
  const secret = randomBytes(8).toString('hex');
  await admin.query({ text: `CREATE ROLE ${owner} LOGIN PASSWORD '${secret}'` });
  await admin.query({ text: `ALTER DATABASE ${name} OWNER TO ${owner}` });
  address.username = owner;
  address.password = secret;
  const database = new Database(address.href, { maxConnections: 2 });
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const choose = () => chooseEngine(database, { compressAfterDays: 7, now: Date.now, log });
  try {
    const engine = await choose();
    expect(engine.name).toMatch(inject('postgres').engine === 'native' ? /^native partitions$/ : /^TimescaleDB \d/);
    expect(warnings).toEqual([]);
    const migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), 'Client');
    await migrate(database, migrations, () => undefined);
    await engine.prepare(database.within(shares.background));
    await engine.ensurePartitions(database, [Date.now() * 1000]);
    await database.query({
      text: 'INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number) VALUES (now(), 1, 1)',
    });
  } finally {
    await database.close();
    await admin.query({ text: `ALTER DATABASE ${name} OWNER TO CURRENT_USER` });
    await admin.query({ text: `DROP OWNED BY ${owner}` });
    await admin.query({ text: `DROP ROLE ${owner}` });
    await admin.close();
  }
});

it('a database that has both Citus and TimescaleDB is refused (decisions 9)', async () => {
  await using made = await createTestDatabase('empty');
  const database = new Database(made.connectionString, { maxConnections: 1 });
  const log = { info: () => undefined, warn: () => undefined };
  try {
    // Rows of the catalog instead of the extensions, which this machine may lack.
    await database.query({ text: 'SET allow_system_table_mods = on' });
    const pretend = (name: string, oid: number) =>
      database.query({
        text: `INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
               SELECT ${oid}, '${name}', 10, 2200, false, '1' WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = '${name}')`,
      });
    const choose = () => chooseEngine(database, { compressAfterDays: 7, now: Date.now, log });
    await pretend('citus', 15_001);
    expect((await choose()).name).toBe('native partitions');
    await pretend('timescaledb', 15_002);
    await expect(choose()).rejects.toThrow(/Citus and TimescaleDB, which exclude each other/);
  } finally {
    await database.close();
  }
});
