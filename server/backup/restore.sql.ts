import { from as copyFrom } from 'pg-copy-streams';
import { PORTABLE_TEXT, type SequenceState } from './backup.sql.ts';
import { columnList, ledgerTable, listTables, type TableToBackUp } from './backup-tables.sql.ts';
import { type Database, errorState, type Queryable, type Session, type Transaction } from '../database/pool.ts';
import { affectsRows, execute } from '../database/rows.ts';

/** One open COPY into a table. */
export interface TableLoad {
  write(text: Buffer): Promise<void>;
  /** Ends it and returns the number of rows. */
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
 * Runs `work` in one transaction that locks all tables, so that no portal can start on a half-loaded database; it empties the
 * ledger. Throws if the tables are in use, or if any has rows (`refuse` gets their names).
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
    throw new Error('Another program, perhaps a portal, is using the database; stop it, then restore again.', {
      cause: error,
    });
  }
}

function openLoad(session: Session, text: string): TableLoad {
  const stream = session.client.query(copyFrom(text));
  const failure = new Promise<never>((_resolve, reject) => stream.once('error', reject));
  // It may fail while nobody writes; the next call reports that.
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
