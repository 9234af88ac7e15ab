import { type BackupSnapshot, measurementTables, withBackupSnapshot } from './backup.sql.ts';
import {
  type BackedUpTable,
  type BackupArchive,
  backupFormat,
  type BackupManifest,
  createBackupArchive,
  readStoredFiles,
  type StoredFiles,
} from './archive.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openExistingDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/config.ts';

/**
 * `npm run backup -- --to <file>`: writes the whole portal into one file: its tables at one instant, the session keys and the logos.
 * The portal may be running; memory does not grow with the tables. Returns the message for the person. Throws and leaves no file if
 * it is aborted or the database has no portal.
 */
export async function backUpPortal(options: OneRunOptions): Promise<string> {
  const { config, now, words } = options;
  const path = fileNamedBy('to', words, 'npm run backup -- --to <file>');
  await using resources = new AsyncDisposableStack();
  const database = await openExistingDatabase(options, resources);
  const folders = { keys: config.storage.keysPath, uploads: config.storage.uploadsPath };
  // Logos are read before the snapshot and again within it, so that a logo that is replaced in between is still included.
  const before = await readStoredFiles(folders);
  await using archive = await createBackupArchive(path, now() / 1000);
  return await withBackupSnapshot(database, async (snapshot) => {
    if (snapshot.migrations.length === 0) {
      throw new Error('Nothing to back up: no portal has been started on this database.');
    }
    const files = new Map([...before, ...(await readStoredFiles(folders))]);
    const manifest = await writeContents(archive, snapshot, files, options);
    const size = `${((await archive.finish(manifest)) / 1_000_000).toFixed(1)} MB`;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return (
      `Backed up ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables and ${manifest.files.length} files to ` +
      `${path} (${size}). It holds password hashes and session keys: keep it as safe as the database.`
    );
  });
}

async function writeContents(
  archive: BackupArchive,
  snapshot: BackupSnapshot,
  files: StoredFiles,
  { config, log, signal }: OneRunOptions,
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
    log.info({ table: name, rows: added.rows }, 'backed up a table');
  }
  const kept: BackupManifest['files'] = [];
  for (const [name, bytes] of files) kept.push(await archive.addFile(name, bytes));
  signal.throwIfAborted();
  return {
    format: backupFormat,
    version: config.version,
    runMode: config.runMode,
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

/** Throws unless the words are exactly `--<option> <file>`. */
export function fileNamedBy(option: 'to' | 'from', words: readonly string[], usage: string): string {
  try {
    const { values } = parseArgs({ args: [...words], options: { [option]: { type: 'string' } } });
    const file = values[option];
    if (typeof file === 'string' && file !== '') return resolve(file);
  } catch {
    // For any other mistake the usage is shown below.
  }
  throw new Error(`Name the file: ${usage}.`);
}
