import { type BackupSnapshot, measurementTables, withBackupSnapshot } from './backup.sql.ts';
import type { Database } from '../database/pool.ts';
import {
  type BackedUpTable,
  type BackupArchive,
  backupFormat,
  type BackupManifest,
  createBackupArchive,
} from './archive.ts';
import { readStoredFiles, type StorageFolders, type StoredFiles } from './stored-files.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openExistingDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/one-run.ts';

export interface BackupOptions {
  database: Database;
  folders: StorageFolders;
  /** The version of this portal. */
  version: string;
  runMode: 'Client' | 'Admin';
  /** Path of the backup; no such file may exist. */
  path: string;
  /** Epoch milliseconds. */
  now: () => number;
  signal: AbortSignal;
  onTable: (table: BackedUpTable) => void;
}

/**
 * Writes the whole portal into one file: its tables at one instant, the session keys and the logos. The portal may be running;
 * memory does not grow with the tables. Throws and leaves no file if it is aborted or the database has no portal.
 */
export async function backUp(options: BackupOptions) {
  const { database, folders, now, path } = options;
  // Read before and within the snapshot, so that a logo replaced in the meantime is still included.
  const before = await readStoredFiles(folders);
  await using archive = await createBackupArchive(path, now() / 1000);
  return await withBackupSnapshot(database, async (snapshot) => {
    if (snapshot.migrations.length === 0) {
      throw new Error('There is nothing to back up: no portal has been started on this database.');
    }
    const files = new Map([...before, ...(await readStoredFiles(folders))]);
    const manifest = await writeContents(archive, snapshot, files, options);
    const bytes = await archive.finish(manifest);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { tables: manifest.tables.length, rows, files: manifest.files.length, bytes };
  });
}

async function writeContents(
  archive: BackupArchive,
  snapshot: BackupSnapshot,
  files: StoredFiles,
  { onTable, runMode, signal, version }: BackupOptions,
): Promise<BackupManifest> {
  const { engine, takenAt, postgresql, migrations, sequences } = snapshot;
  const months = new Set<string>();
  const tables: BackedUpTable[] = [];
  for (const table of snapshot.tables) {
    const { name, columns } = table;
    const rows = untilAborted(snapshot.copyOut(table), signal);
    const added = await archive.addTable({
      name,
      columns,
      rows,
      months: measurementTables.includes(name) ? months : undefined,
    });
    tables.push(added);
    onTable(added);
  }
  const kept: BackupManifest['files'] = [];
  for (const [name, bytes] of files) kept.push(await archive.addFile(name, bytes));
  signal.throwIfAborted();
  return {
    format: backupFormat,
    version,
    runMode,
    takenAt,
    postgresql,
    engine,
    migrations,
    tables,
    months: [...months].toSorted(),
    sequences,
    files: kept,
  };
}

async function* untilAborted(source: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/**
 * `npm run backup -- --to <file>`: writes the whole portal into one file, also while it runs. Returns the message for the person.
 */
export async function backUpPortal({ config, log, now, signal, words }: OneRunOptions): Promise<string> {
  const path = fileNamedBy('to', words, 'npm run backup -- --to <file>');
  await using resources = new AsyncDisposableStack();
  const database = await openExistingDatabase({ config, log, signal }, resources);
  const { keysPath: keys, uploadsPath: uploads } = config.storage;
  const { bytes, files, rows, tables } = await backUp({
    database,
    folders: { keys, uploads },
    version: config.version,
    runMode: config.runMode,
    path,
    now,
    signal,
    onTable: ({ name, rows }) => log.info({ table: name, rows }, 'backed up a table'),
  });
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return (
    `Backed up ${rows.toLocaleString('en')} rows of ${tables} tables and ${files} files to ${path} (${size}). ` +
    'It holds password hashes and session keys: keep it as safe as the database.'
  );
}

/** Throws when the words are not exactly `--<option> <file>`. */
export function fileNamedBy(option: 'to' | 'from', words: readonly string[], usage: string): string {
  try {
    const { values } = parseArgs({ args: [...words], options: { [option]: { type: 'string' } } });
    const file = values[option];
    if (typeof file === 'string' && file !== '') return resolve(file);
  } catch {
    // Other mistakes get the usage below.
  }
  throw new Error(`Say which file: ${usage}.`);
}
