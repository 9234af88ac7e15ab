import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Queryable, Transaction } from './pool.ts';
import { execute, findRow, listRows } from './rows.ts';

export interface AppliedMigration {
  /** `common` for both run modes, then the run mode's own. */
  stream: string;
  /** `0001_create_portal` */
  name: string;
  checksum: string;
}

export interface Migration extends AppliedMigration {
  statements: string[];
}

// A session lock, because it spans the transactions of all migrations; it ends with the session.
const LOCK = `SELECT pg_advisory_lock(hashtext('portal.schema_migrations'))`;
const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS portal.schema_migrations (
    stream text NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, name)
  )`;
const LIST_APPLIED = `SELECT stream, name, checksum FROM portal.schema_migrations`;
const RECORD = `INSERT INTO portal.schema_migrations (stream, name, checksum) VALUES ($1, $2, $3)`;

/** Reads the migrations of a run mode below `folder`, in the order in which they apply. */
export async function readMigrations(folder: string, runMode: 'Client' | 'Admin'): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const stream of ['common', runMode.toLowerCase()]) {
    const files = (await readdir(join(folder, stream))).filter((file) => /^\d{4}_.+\.sql$/.test(file)).toSorted();
    for (const file of files) {
      const sql = await readFile(join(folder, stream, file), 'utf8');
      migrations.push({
        stream,
        name: file.replace(/\.sql$/, ''),
        checksum: createHash('sha256').update(sql).digest('hex'),
        statements: splitStatements(sql),
      });
    }
  }
  return migrations;
}

/**
 * Applies missing migrations, each in its own transaction, one instance at a time (decisions.md 8). Throws if a migration
 * fails (naming its statement), if an applied one has changed, or if the database has migrations that this version does not
 * know or was made before they were merged.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  onApplied: (migration: Migration) => void,
  onBegin?: (migration: Migration) => void,
): Promise<void> {
  await database.session(async (session) => {
    await execute(session, LOCK);
    await execute(session, 'CREATE SCHEMA IF NOT EXISTS portal');
    await execute(session, CREATE_LEDGER);
    const applied = await listRows<AppliedMigration>(session, LIST_APPLIED);
    for (const migration of pending(migrations, applied)) {
      onBegin?.(migration);
      await apply(session, migration);
      onApplied(migration);
    }
  });
}

/**
 * A migration from before several were merged into the first one of its stream, or undefined. Newer versions add to a stream but
 * never remove its first migration, so a stream without its first one is older.
 */
export function findUnmerged<Row extends Pick<AppliedMigration, 'stream' | 'name'>>(
  migrations: readonly Migration[],
  applied: readonly Row[],
): Row | undefined {
  const firstOf = new Map<string, string>();
  for (const { stream, name } of migrations) if (!firstOf.has(stream)) firstOf.set(stream, name);
  return applied.find(({ stream }) => {
    const first = firstOf.get(stream);
    return first !== undefined && !applied.some((row) => row.stream === stream && row.name === first);
  });
}

function pending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const key = (row: { stream: string; name: string }) => `${row.stream}/${row.name}`;
  const known = new Map(migrations.map((migration) => [key(migration), migration]));
  const unmerged = findUnmerged(migrations, applied);
  if (unmerged !== undefined) {
    throw new Error(
      `The database has the migration ${key(unmerged)} of a version before the first release, which this version cannot ` +
        'continue. Start this version with an empty database (another Database__ConnectionString, or another ' +
        'Storage__DataPath for the embedded one); to keep readings, export them with the version that made the database ' +
        'and send them to the ingest.',
    );
  }
  for (const row of applied) {
    const migration = known.get(key(row));
    if (migration === undefined) {
      throw new Error(
        `The database has the migration ${key(row)}, which this version does not know: it was made by a newer version ` +
          'or for the other run mode. Start that version, or restore a backup from before the upgrade.',
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `The migration ${key(row)} was changed after it was applied to this database; restore the file. Before the first ` +
          'release it may have been rewritten: then start with an empty database, or with the version that made this one.',
      );
    }
  }
  const done = new Set(applied.map(key));
  return migrations.filter((migration) => !done.has(key(migration)));
}

async function apply(session: Transaction, migration: Migration): Promise<void> {
  await execute(session, 'BEGIN');
  let current = '';
  try {
    for (const statement of migration.statements) {
      current = statement;
      await execute(session, statement);
    }
    current = RECORD;
    await execute(session, RECORD, migration.stream, migration.name, migration.checksum);
    await execute(session, 'COMMIT');
  } catch (error) {
    await execute(session, 'ROLLBACK').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The migration ${migration.stream}/${migration.name} failed and was rolled back: ${reason}. Statement: ${current}`,
      { cause: error },
    );
  }
}

// Strings, quoted names, comments and dollar quotes may contain semicolons; any other semicolon ends a statement.
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** Splits plain SQL at its semicolons, so that a failure can name the one statement. */
function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  for (const match of sql.matchAll(tokens)) {
    if (match[0] !== ';') continue;
    statements.push(sql.slice(start, match.index));
    start = match.index + 1;
  }
  statements.push(sql.slice(start));
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '');
}

const FIND_TABLES = `SELECT to_regclass('fleet.customers') IS NOT NULL AS "hasFleet",
  to_regclass('monitoring.measurements') IS NOT NULL AS "hasMonitoring"`;

/** Startup rule 10: throws when the database belongs to the other run mode. Runs before the first migration. */
export async function refuseDatabaseOfOtherMode(database: Queryable, runMode: 'Client' | 'Admin'): Promise<void> {
  const found = await findRow<{ hasFleet: boolean; hasMonitoring: boolean }>(database, FIND_TABLES);
  if (runMode === 'Client' && found?.hasFleet === true) {
    throw new Error(
      'Database__ConnectionString points at a fleet database (it has the table fleet.customers), but Application__RunMode is ' +
        'Client. Give each stack its own database.',
    );
  }
  if (runMode === 'Admin' && found?.hasMonitoring === true) {
    throw new Error(
      'Database__ConnectionString points at the database of a Client (it has the table monitoring.measurements), but ' +
        'Application__RunMode is Admin. Give each stack its own database.',
    );
  }
}
