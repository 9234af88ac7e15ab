import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { Database } from '../../server/db/pool.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { dumpHypertables, dumpSchema } from '../support/schema-dump.ts';

const { engine } = inject('postgres');

it.each([
  { mode: 'client', schemas: ['portal', 'monitoring', 'dashboards'] },
  { mode: 'admin', schemas: ['portal', 'fleet', 'dashboards'] },
] as const)(
  'the migrations and the engine of the run mode $mode make the schema that is committed, no more and no less',
  async ({ mode, schemas }) => {
    const snapshot = join(import.meta.dirname, `schema-${mode}-${engine}.snap.sql`);
    const heading = `-- What the migrations and the ${engine} engine of the run mode ${mode} make. \`UPDATE_SCHEMA=1 npm test test/integration/schema\` writes it anew.\n\n`;
    await using fresh = await createTestDatabase(mode);
    const database = new Database(fresh.connectionString);
    try {
      const schema =
        heading +
        (await dumpSchema(database, schemas)) +
        (engine === 'timescale' ? await dumpHypertables(database) : '');
      if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(snapshot, schema);
      expect(schema).toBe(await readFile(snapshot, 'utf8'));
    } finally {
      await database.close();
    }
  },
);
