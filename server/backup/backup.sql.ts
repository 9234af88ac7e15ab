import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { AppliedMigration } from '../database/migrator.ts';
import type { Database, Queryable, Session, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, listRows, listValues } from '../database/rows.ts';
import { clientMeasurements, fleetMeasurements } from '../database/engines/engine.ts';
import { conversionTables } from '../database/engines/timescale.ts';
import { errorState } from '../database/errors.ts';

/** A table that is part of a backup. */
interface TableToBackUp {
  /** `monitoring.devices`, quoted where needed. */
  name: string;
  /** Without generated columns. */
  columns: string[];
  /** The columns of its primary key; empty if it has none. */
  key: string[];
  /** The tables that its foreign keys refer to. */
  references: string[];
}

/** All schemas of the portal; `fleet` is the Admin's, `monitoring` the Client's. */
const schemas = ['portal', 'monitoring', 'fleet', 'dashboards'];
/** The migrator's ledger, which has rows as soon as there is a schema. */
const ledgerTable = 'portal.schema_migrations';
/** The measurement tables of a Client and of an Admin. In a backup, `time` is their first column. */
export const measurementTables: readonly string[] = [clientMeasurements, fleetMeasurements].map(
  ({ schema }) => `${schema}.measurements`,
);
const timeColumn = 'time';

// The tables come from the catalog, so that none can be forgotten. Partitions and chunks are part of their parent. Objects of
// an extension are created by the extension.
const LIST_TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT a.attname::text FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, position)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
          WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.position) AS key,
    ARRAY(SELECT DISTINCT format('%I.%I', fn.nspname, f.relname) FROM pg_constraint k
          JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
          WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid ORDER BY 1) AS references
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
    AND format('%I.%I', n.nspname, c.relname) <> ALL ($2::text[])
    AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1`;
const LIST_SEQUENCES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1::text[]) AND c.relkind = 'S' ORDER BY 1`;

/** The portal's tables. Each comes after the tables that it refers to. */
async function listTables(db: Queryable): Promise<TableToBackUp[]> {
  const rows = await listRows<TableToBackUp>(db, LIST_TABLES, schemas, conversionTables);
  for (const table of rows) if (measurementTables.includes(table.name)) table.columns = timeFirst(table.columns);
  return inOrderOfReferences(rows);
}

const listSequences = (db: Queryable) => listValues<string>(db, LIST_SEQUENCES, schemas);

/** The names as a list for a statement. */
export const columnList = (names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');

const timeFirst = (columns: readonly string[]) => [timeColumn, ...columns.filter((column) => column !== timeColumn)];

/** Throws if tables refer to each other in a circle, because none could be loaded first. */
export function inOrderOfReferences<Table extends { name: string; references: readonly string[] }>(
  tables: readonly Table[],
): Table[] {
  const ordered = new Map<string, Table>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ references }) => references.every((name) => ordered.has(name)));
    if (ready.length === 0) {
      throw new Error(`These tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`);
    }
    for (const table of ready) ordered.set(table.name, table);
    waiting = waiting.filter(({ name }) => !ordered.has(name));
  }
  return [...ordered.values()];
}

interface SequenceState {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

interface Moment {
  /** ISO 8601. */
  takenAt: string;
  /** The version of the server, such as `18.4`. */
  postgresql: string;
  /** The engine: `TimescaleDB 2.28.3`, `native partitions`, or `none` if there are no measurements. */
  engine: string;
}

/** The portal's data at one instant. */
export interface BackupSnapshot extends Moment {
  /** Empty if no portal has started on this database. */
  tables: TableToBackUp[];
  migrations: AppliedMigration[];
  sequences: SequenceState[];
  /** The rows in COPY's text format, ordered by primary key if there is one. Read one table at a time. */
  copyOut(table: TableToBackUp): AsyncIterable<Buffer>;
}

const tries = 5;
/** Settings with which every PostgreSQL reads and writes the same text; floats keep their last bit. */
const PORTABLE_TEXT = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; SET timezone = 'UTC';
  SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'`;
// Rows without a key come in physical order, which is the same each time. No parallel workers, so that one core remains for the
// portal.
const IN_ORDER = 'SET synchronize_seqscans = off; SET max_parallel_workers_per_gather = 0';
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';
const LIST_MIGRATIONS = `SELECT stream, name, checksum FROM ${ledgerTable} ORDER BY applied_at, stream, name`;
const FIND_MOMENT = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "takenAt",
  current_setting('server_version') AS postgresql,
  coalesce((SELECT CASE relkind WHEN 'p' THEN 'native partitions' ELSE 'TimescaleDB ' || e.extversion END
            FROM pg_class LEFT JOIN pg_extension e ON e.extname = 'timescaledb'
            WHERE pg_class.oid IN (${measurementTables.map((name) => `to_regclass('${name}')`).join(', ')})), 'none') AS engine`;

/**
 * Opens one snapshot of the database for `work`. It blocks only attempts to drop or rewrite a table or partition, which would
 * remove rows from the snapshot. Throws if the connection is lost.
 */
export async function withBackupSnapshot<T>(
  database: Database,
  work: (snapshot: BackupSnapshot) => Promise<T>,
): Promise<T> {
  return database.session(async (session) => {
    await execute(session, PORTABLE_TEXT);
    await execute(session, IN_ORDER);
    const tables = await openSnapshot(session);
    const moment = (await findRow<Moment>(session, FIND_MOMENT)) ?? { takenAt: '', postgresql: '', engine: '' };
    const hasLedger = tables.some(({ name }) => name === ledgerTable);
    const migrations = hasLedger ? await listRows<AppliedMigration>(session, LIST_MIGRATIONS) : [];
    // Sequences are not part of snapshots. Their values, read inside the snapshot, are at least as high as those of its rows.
    const sequences: SequenceState[] = [];
    for (const name of await listSequences(session)) sequences.push(await readSequence(session, name));
    const copyOut = (table: TableToBackUp) => session.client.query(copyTo(copyStatement(table)));
    const result = await work({ ...moment, tables, migrations, sequences, copyOut });
    // Not in a `finally`: after an aborted COPY no statement can run, so the connection is closed instead.
    await execute(session, 'ROLLBACK');
    return result;
  });
}

/** The locks are taken first, because the first query takes the snapshot. So nothing can be dropped in between. */
async function openSnapshot(session: Transaction): Promise<TableToBackUp[]> {
  for (let attempt = 1; ; attempt += 1) {
    const expected = (await listTables(session)).map(({ name }) => name).join(', ');
    await execute(session, BEGIN);
    if (expected !== '') await execute(session, `LOCK TABLE ${expected} IN ACCESS SHARE MODE`);
    const tables = await listTables(session);
    if (tables.map(({ name }) => name).join(', ') === expected) {
      // If rows are on several servers, each server takes its snapshot with the first statement that reads there.
      for (const { name } of tables) await execute(session, `SELECT FROM ${name} LIMIT 1`);
      return tables;
    }
    await execute(session, 'ROLLBACK');
    if (attempt === tries) throw new Error('The tables of the database keep changing; try again later.');
  }
}

async function readSequence(session: Transaction, name: string): Promise<SequenceState> {
  const text = `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${name}`;
  const state = await findRow<Omit<SequenceState, 'name'>>(session, { text });
  if (state === null) throw new Error(`The sequence ${name} has no state.`);
  return { name, ...state };
}

function copyStatement({ name, columns, key }: TableToBackUp): string {
  const order = key.length > 0 ? ` ORDER BY ${columnList(key)}` : '';
  return `COPY (SELECT ${columnList(columns)} FROM ${name}${order}) TO STDOUT`;
}

/** One open COPY into a table. */
export interface TableLoad {
  write(text: Buffer): Promise<void>;
  /** Ends the COPY and returns the number of rows. */
  finish(): Promise<number>;
}

/** The portal's tables that have rows, without the migrator's ledger. */
export async function listFilledTables(db: Queryable): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listTables(db)) {
    if (name !== ledgerTable && (await affectsRows(db, `SELECT FROM ${name} LIMIT 1`))) filled.push(name);
  }
  return filled;
}

export interface LoadTransaction {
  /** The tables of the database, by name. */
  tables: ReadonlyMap<string, TableToBackUp>;
  open(table: string, columns: readonly string[]): TableLoad;
  setSequence(sequence: SequenceState): Promise<void>;
}

/**
 * Runs `work` in one transaction that locks all tables, so that no portal can start on a half-loaded database. It also empties
 * the ledger of migrations. Throws if the tables are in use, or if any has rows (`refuse` gets their names).
 */
export async function loadAll(
  database: Database,
  refuse: (filled: readonly string[]) => void,
  work: (transaction: LoadTransaction) => Promise<void>,
): Promise<void> {
  await database.session(async (session) => {
    await execute(session, PORTABLE_TEXT);
    await execute(session, 'BEGIN');
    const tables = await listTables(session);
    await lockTables(session, tables);
    refuse(await listFilledTables(session));
    await execute(session, `DELETE FROM ${ledgerTable}`);
    await work({
      tables: new Map(tables.map((table) => [table.name, table])),
      open: (name, columns) => openLoad(session, `COPY ${name} (${columnList(columns)}) FROM STDIN`),
      setSequence: ({ name, lastValue, isCalled }) =>
        execute(session, 'SELECT setval($1::regclass, $2::bigint, $3)', name, lastValue, isCalled),
    });
    await execute(session, 'COMMIT');
  });
}

/** Gives the planner its statistics at once; autovacuum would take a minute. */
export async function analyzeTables(database: Database): Promise<void> {
  await database.session(async (session) => {
    await execute(session, 'SET statement_timeout = 0');
    for (const { name } of await listTables(session)) await execute(session, `ANALYZE ${name}`);
  });
}

async function lockTables(session: Transaction, tables: readonly TableToBackUp[]): Promise<void> {
  const names = tables.map(({ name }) => name).join(', ');
  try {
    await execute(session, `LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if (errorState(error) !== '55P03') throw error;
    throw new Error('Another program, maybe a portal, uses the database; stop it, then restore again.', {
      cause: error,
    });
  }
}

function openLoad(session: Session, text: string): TableLoad {
  const stream = session.client.query(copyFrom(text));
  const failure = new Promise<never>((_resolve, reject) => stream.once('error', reject));
  // This may fail while nobody writes; then the next call reports it.
  failure.catch(() => undefined);
  const done = (step: (onDone: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      step((error) => (error instanceof Error ? reject(error) : resolve()));
    });
  return {
    write: (bytes) => Promise.race([done((onDone) => stream.write(bytes, onDone)), failure]),
    async finish() {
      await Promise.race([done((onDone) => stream.end(onDone)), failure]);
      return stream.rowCount;
    },
  };
}
