import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { dumpHypertables, dumpSchema } from '../support/schema-dump.ts';

const { engine } = inject('postgres');

const heading =
  '-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.';

/** What both run modes have is written once, and what their engines have in common once for each mode. */
function partOf(statement: string, mode: string): string {
  const code = statement.replaceAll(/^ *-- (?!hypertable ).*$/gm, '');
  const [name = ''] = /\b(?:portal|dashboards|monitoring|fleet|_timescaledb_internal)\.\w+/.exec(code) ?? [];
  if (/\.(?:measurements|device_hours|_materialized\w+)$/.test(name)) return `${mode}-${engine}`;
  return /^(?:portal|dashboards)\./.test(name) ? 'common' : mode;
}

it.each([
  { mode: 'client', schemas: ['portal', 'monitoring', 'dashboards'] },
  { mode: 'admin', schemas: ['portal', 'fleet', 'dashboards'] },
] as const)(
  'the migrations and the engine of the run mode $mode create exactly the committed schema',
  async ({ mode, schemas }) => {
    await using fresh = await createTestDatabase(mode);
    const database = new Database(fresh.connectionString);
    try {
      const dumped = (await dumpSchema(database, schemas)).trim().split('\n\n');
      if (engine === 'timescale') dumped.push(...(await dumpHypertables(database)).trim().split('\n\n'));
      const parts = Map.groupBy(dumped, (statement) => partOf(statement, mode));
      for (const part of ['common', mode, `${mode}-${engine}`]) {
        const snapshot = join(import.meta.dirname, `schema-${part}.snap.sql`);
        const schema = `${[heading, ...(parts.get(part) ?? [])].join('\n\n')}\n`;
        if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(snapshot, schema);
        expect(schema).toBe(await readFile(snapshot, 'utf8'));
      }
    } finally {
      await database.close();
    }
  },
);
