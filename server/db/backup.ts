import { to as copyTo } from 'pg-copy-streams';
import {
  columnList,
  ledgerTable,
  listSequences,
  listTables,
  measurementTable,
  type TableToBackUp,
} from './backup-tables.ts';
import type { Database, Transaction } from './pool.ts';

export interface AppliedMigration {
  stream: string;
  name: string;
  checksum: string;
}

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
  /** How the measurements are kept: `TimescaleDB 2.28.3`, `native partitions`, or `none` where there are none. */
  engine: string;
}

/** Everything of ours at one instant. */
export interface BackupSnapshot extends Moment {
  /** None where no portal has started on this database. */
  tables: TableToBackUp[];
  migrations: AppliedMigration[];
  sequences: SequenceState[];
  /** The rows in COPY's text format, in the order of the primary key where there is one. Read one table at a time. */
  copyOut(table: TableToBackUp): AsyncIterable<Buffer>;
}

const tries = 5;
/** Text that every PostgreSQL reads the same, and floats to the last bit. */
export const PORTABLE_TEXT = {
  text: `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; SET timezone = 'UTC';
         SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'`,
};
// Rows that have no key come as they lie on the disk, every time; and the other core stays with the portal.
const IN_ORDER = { text: 'SET synchronize_seqscans = off; SET max_parallel_workers_per_gather = 0' };
const BEGIN = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' };
const LIST_MIGRATIONS = {
  text: `SELECT stream, name, checksum FROM ${ledgerTable} ORDER BY applied_at, stream, name`,
};
const FIND_MOMENT = {
  text: `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "takenAt",
                current_setting('server_version') AS postgresql,
                coalesce((SELECT CASE relkind WHEN 'p' THEN 'native partitions' ELSE 'TimescaleDB ' || e.extversion END
                          FROM pg_class LEFT JOIN pg_extension e ON e.extname = 'timescaledb'
                          WHERE pg_class.oid = to_regclass('${measurementTable}')), 'none') AS engine`,
};

/**
 * Opens one snapshot of the database and closes it behind `work`. Nobody is blocked but who would drop or rewrite a table or
 * a partition: those would take rows out of the snapshot, so they are kept waiting. Throws when the connection is lost.
 */
export async function withBackupSnapshot<T>(
  database: Database,
  work: (snapshot: BackupSnapshot) => Promise<T>,
): Promise<T> {
  return database.session(async (session) => {
    await session.query(PORTABLE_TEXT);
    await session.query(IN_ORDER);
    const tables = await openSnapshot(session);
    const { rows } = await session.query<Moment>(FIND_MOMENT);
    const [moment = { takenAt: '', postgresql: '', engine: '' }] = rows;
    const hasLedger = tables.some(({ name }) => name === ledgerTable);
    const migrations = hasLedger ? (await session.query<AppliedMigration>(LIST_MIGRATIONS)).rows : [];
    // Sequences know no snapshots: read within it, they are at or beyond its rows.
    const sequences: SequenceState[] = [];
    for (const name of await listSequences(session)) sequences.push(await readSequence(session, name));
    const copyOut = (table: TableToBackUp) => session.client.query(copyTo(copyStatement(table)));
    const result = await work({ ...moment, tables, migrations, sequences, copyOut });
    // Only now: behind a COPY that was broken off no statement could run, and the connection is closed instead.
    await session.query({ text: 'ROLLBACK' });
    return result;
  });
}

/** The locks come before the snapshot, which the first query takes: so nothing is dropped between the two. */
async function openSnapshot(session: Transaction): Promise<TableToBackUp[]> {
  for (let attempt = 1; ; attempt += 1) {
    const expected = (await listTables(session)).map(({ name }) => name).join(', ');
    await session.query(BEGIN);
    if (expected !== '') await session.query({ text: `LOCK TABLE ${expected} IN ACCESS SHARE MODE` });
    const tables = await listTables(session);
    if (tables.map(({ name }) => name).join(', ') === expected) return tables;
    await session.query({ text: 'ROLLBACK' });
    if (attempt === tries) throw new Error('The tables of the database change all the time; try again later.');
  }
}

async function readSequence(session: Transaction, name: string): Promise<SequenceState> {
  const { rows } = await session.query<{ lastValue: string; isCalled: boolean }>({
    text: `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${name}`,
  });
  const [state] = rows;
  if (state === undefined) throw new Error(`The sequence ${name} has no state.`);
  return { name, ...state };
}

function copyStatement({ name, columns, key }: TableToBackUp): string {
  const order = key.length > 0 ? ` ORDER BY ${columnList(key)}` : '';
  return `COPY (SELECT ${columnList(columns)} FROM ${name}${order}) TO STDOUT`;
}
