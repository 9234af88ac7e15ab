import {
  analyzeTables,
  listFilledTables,
  loadAll,
  type LoadTransaction,
  measurementTables,
  type TableLoad,
} from './backup.sql.ts';
import {
  findUnmerged,
  migrate,
  type Migration,
  readMigrations,
  refuseDatabaseOfOtherMode,
} from '../database/migrator.ts';
import type { Database } from '../database/pool.ts';
import { measurementsOf, type TimeSeriesEngine } from '../database/engines/engine.ts';
import {
  type BackedUpTable,
  type Backup,
  type BackupManifest,
  putStoredFiles,
  readBackup,
  refuseOtherFiles,
  type StorageFolders,
} from './archive.ts';
import { damaged } from './tar.ts';
import { fileNamedBy } from './backup.ts';
import { chooseEngine } from '../database/engines/choose-engine.ts';
import { findDatabase, openDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/config.ts';

export interface RestoreOptions {
  database: Database;
  /** Chooses the engine; called once the database may be changed. */
  openEngine: () => Promise<TimeSeriesEngine>;
  folders: StorageFolders;
  /** All migrations of this version, in order. */
  migrations: readonly Migration[];
  path: string;
  /** The result of `checkBackup`. */
  backup: Backup;
  signal: AbortSignal;
  onMigrated: (migration: Migration) => void;
  onTable: (table: BackedUpTable) => void;
}

export interface CheckOptions extends Pick<RestoreOptions, 'migrations' | 'path' | 'signal'> {
  /** The folders for keys and logos. Undefined if existing files are deleted first. */
  folders: StorageFolders | undefined;
  runMode: 'Client' | 'Admin';
}

/**
 * Reads the whole backup. Throws if it is damaged, belongs to the other run mode or a newer version, or if its keys and logos
 * would replace others. Needs no database and changes nothing.
 */
export async function checkBackup({ folders, migrations, path, runMode, signal }: CheckOptions): Promise<Backup> {
  const backup = await readBackup(path, { signal });
  if (backup.manifest.runMode !== runMode) {
    throw new Error(
      `The backup is that of a portal in the run mode ${backup.manifest.runMode}, but Application__RunMode is ${runMode}.`,
    );
  }
  refuseUnknownMigrations(backup.manifest, migrations);
  if (folders !== undefined) await refuseOtherFiles(folders, backup.files);
  return backup;
}

/**
 * Restores a backup into an empty database: first the schema of the backup, then all rows in one transaction, the files, and
 * newer migrations. If it is interrupted before the transaction ends, the tables have no rows, so it can be repeated.
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { backup, database, folders, migrations, onMigrated, onTable, path, signal } = options;
  const { manifest } = backup;
  refuseFilled(await listFilledTables(database));
  const applied = new Set(manifest.migrations.map(keyOf));
  await migrate(
    database,
    migrations.filter((migration) => applied.has(keyOf(migration))),
    onMigrated,
  );
  if (manifest.tables.some(({ name }) => measurementTables.includes(name))) {
    const engine = await options.openEngine();
    await engine.prepare(database);
    await engine.ensurePartitions(database, manifest.months.map(startOfMonth));
  }
  await loadAll(database, refuseFilled, async (transaction) => {
    refuseUnknownTables(manifest, transaction);
    await loadTables(path, manifest, { transaction, signal, onTable });
    for (const sequence of manifest.sequences) await transaction.setSequence(sequence);
    // Written before the commit, so that keys and logos are there as soon as the rows are.
    await putStoredFiles(folders, backup.files);
    signal.throwIfAborted();
  });
  await migrate(database, migrations, onMigrated);
  await analyzeTables(database);
}

/** Checks the digests again, because the file may have changed since it was checked. */
async function loadTables(
  path: string,
  manifest: BackupManifest,
  { transaction, signal, onTable }: Pick<RestoreOptions, 'signal' | 'onTable'> & { transaction: LoadTransaction },
): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  let current: { table: BackedUpTable; load: TableLoad } | undefined;
  const finish = async () => {
    if (current === undefined) return;
    const { table, load } = current;
    current = undefined;
    const rows = await load.finish();
    if (rows !== table.rows) throw damaged(`${table.rows} rows of ${table.name} were written, but ${rows} are in it`);
    onTable(table);
  };
  const onPart = async (name: string, text: Buffer) => {
    if (current?.table.name !== name) {
      await finish();
      const table = tables.get(name);
      if (table === undefined) throw damaged(`it holds rows of ${name}, of which its manifest knows nothing`);
      current = { table, load: transaction.open(name, table.columns) };
    }
    await current.load.write(text);
  };
  const again = await readBackup(path, { onPart, signal });
  await finish();
  if (JSON.stringify(again.manifest) !== JSON.stringify(manifest)) throw damaged('it was changed while it was read');
}

function refuseUnknownMigrations(manifest: BackupManifest, migrations: readonly Migration[]): void {
  const unmerged = findUnmerged(migrations, manifest.migrations);
  if (unmerged !== undefined) {
    throw new Error(
      `The backup has the migration ${keyOf(unmerged)} of a version before the first release, which this version cannot ` +
        'continue. Restore it with the version that made it, and export the data from there.',
    );
  }
  const known = new Map(migrations.map((migration) => [keyOf(migration), migration.checksum]));
  for (const migration of manifest.migrations) {
    const checksum = known.get(keyOf(migration));
    if (checksum === migration.checksum) continue;
    throw new Error(
      checksum === undefined
        ? `The backup was made by version ${manifest.version} and has the migration ${keyOf(migration)}, which this version does ` +
            'not know. Restore it with that version or a newer one.'
        : `The migration ${keyOf(migration)} is not the one that the backup was made with; restore the file of version ` +
            `${manifest.version}.`,
    );
  }
}

function refuseUnknownTables({ tables }: BackupManifest, transaction: LoadTransaction): void {
  for (const { name, columns } of tables) {
    const columnsHere = new Set(transaction.tables.get(name)?.columns);
    const missing = columns.find((column) => !columnsHere.has(column));
    if (missing === undefined) continue;
    throw new Error(`The backup has ${name}.${missing}, which the migrations that it names do not make.`);
  }
}

function refuseFilled(filled: readonly string[]): void {
  if (filled.length === 0) return;
  const shown = filled.slice(0, 6).join(', ') + (filled.length > 6 ? ` and ${filled.length - 6} more` : '');
  throw new Error(
    `The database is not empty (rows in ${shown}). A restore never overwrites; restore into an empty database: ` +
      'create a new one and name it in Database__ConnectionString; or, for the local database, stop the portal and move the ' +
      'folder database in Storage__DataPath away.',
  );
}

const keyOf = ({ stream, name }: { stream: string; name: string }) => `${stream}/${name}`;

/** Epoch microseconds. */
const startOfMonth = (month: string) => Date.parse(`${month}-01T00:00:00Z`) * 1000;

/**
 * `npm run restore -- --from <file>`: restores a backup into an empty database; a local one is created. The whole file is checked
 * before anything is changed. Returns the message for the person.
 */
export async function restorePortal(options: OneRunOptions): Promise<string> {
  const { config, log, now, signal, words } = options;
  const { compressAfterDays } = config.database;
  const { keysPath: keys, uploadsPath: uploads } = config.storage;
  const folders = { keys, uploads };
  const path = fileNamedBy('from', words, 'npm run restore -- --from <file>');
  const migrations = await readMigrations(options.migrationsFolder, config.runMode);
  const backup = await checkBackup({ folders, migrations, path, runMode: config.runMode, signal });
  const { takenAt, version, tables } = backup.manifest;
  log.info({ takenAt, version, tables: tables.length }, 'the backup is valid');

  await using resources = new AsyncDisposableStack();
  // The local database cannot be used while a portal uses it.
  const database = await openDatabase(await findDatabase(options, resources), options, resources);
  await refuseDatabaseOfOtherMode(database, config.runMode);
  await restore({
    database,
    openEngine: () => chooseEngine(database, { table: measurementsOf(config.runMode), compressAfterDays, now, log }),
    folders,
    migrations,
    path,
    backup,
    signal,
    onMigrated: ({ stream, name }) => log.info({ migration: `${stream}/${name}` }, 'migrated'),
    onTable: ({ name, rows }) => log.info({ table: name, rows }, 'restored a table'),
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    `Restored ${rows.toLocaleString('en')} rows of ${tables.length} tables and ${backup.files.size} files, as they were ` +
    `${takenAt}. The portal can be started.`
  );
}

/**
 * `main.mjs check-backup --from <file>`: whether this version could restore it into an empty portal. Needs no database and changes
 * nothing.
 */
export async function checkBackupFile(options: OneRunOptions): Promise<string> {
  const { config, signal, words } = options;
  const path = fileNamedBy('from', words, 'check-backup --from <file>');
  const migrations = await readMigrations(options.migrationsFolder, config.runMode);
  const { manifest } = await checkBackup({ folders: undefined, migrations, path, runMode: config.runMode, signal });
  return `The backup is whole. It was taken ${manifest.takenAt}.`;
}
