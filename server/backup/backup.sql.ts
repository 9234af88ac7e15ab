import { to as copyTo } from 'pg-copy-streams';
import {
  columnList,
  ledgerTable,
  listSequences,
  listTables,
  measurementTables,
  type TableToBackUp,
} from './backup-tables.sql.ts';
import type { AppliedMigration } from '../database/migrator.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { execute, findRow, listRows } from '../database/rows.ts';

export interface SequenceState {
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
/** Formats that every PostgreSQL reads the same; floats keep their last bit. */
export const PORTABLE_TEXT = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; SET timezone = 'UTC';
  SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'`;
// Rows without a key come in physical order, the same each time; no parallel workers, which leaves a core to the portal.
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
    // Sequences ignore snapshots: read inside it, their values are at least those of its rows.
    const sequences: SequenceState[] = [];
    for (const name of await listSequences(session)) sequences.push(await readSequence(session, name));
    const copyOut = (table: TableToBackUp) => session.client.query(copyTo(copyStatement(table)));
    const result = await work({ ...moment, tables, migrations, sequences, copyOut });
    // Not in a finally: after an aborted COPY no statement can run, and the connection is closed instead.
    await execute(session, 'ROLLBACK');
    return result;
  });
}

/** Takes the locks first, because the first query takes the snapshot; so nothing can be dropped in between. */
async function openSnapshot(session: Transaction): Promise<TableToBackUp[]> {
  for (let attempt = 1; ; attempt += 1) {
    const expected = (await listTables(session)).map(({ name }) => name).join(', ');
    await execute(session, BEGIN);
    if (expected !== '') await execute(session, `LOCK TABLE ${expected} IN ACCESS SHARE MODE`);
    const tables = await listTables(session);
    if (tables.map(({ name }) => name).join(', ') === expected) return tables;
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
