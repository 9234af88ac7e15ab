import { checkBackup, restore } from './restore.ts';
import { fileNamedBy } from './run-backup.ts';
import { chooseEngine } from '../database/engines/choose-engine.ts';
import { measurementsOf } from '../database/engines/measurement-table.ts';
import { refuseDatabaseOfOtherMode } from '../database/cross-mode.ts';
import { readMigrations } from '../database/migrator.ts';
import { findDatabase, openDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/one-run.ts';

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
  log.info({ takenAt, version, tables: tables.length }, 'the backup is whole');

  await using resources = new AsyncDisposableStack();
  // The local database is refused while a portal uses it.
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
