import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from './backup.ts';

import { openExistingDatabase } from '../database/open-database.ts';
import type { OneRunOptions } from '../settings/one-run.ts';

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
