import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { clusterIn } from './db/local/data-folder.ts';
import { findRunningDatabase, startLocalDatabase } from './db/local/local-database.ts';
import { DomainError } from './domain/errors.ts';
import type { OneRunOptions } from './one-run.ts';

/**
 * The database of the portal with these settings: the configured one, or the local one, which is started unless a portal runs it,
 * until the resources are disposed of. Throws if the local one does not exist.
 */
export async function findExistingDatabase(
  { config, log, signal }: Pick<OneRunOptions, 'config' | 'log' | 'signal'>,
  resources: AsyncDisposableStack,
): Promise<string> {
  if (config.database.connectionString !== undefined) return config.database.connectionString;
  const { dataPath } = config.storage;
  if (!existsSync(clusterIn(resolve(dataPath)))) {
    throw new DomainError(
      'invalid',
      `There is no database in ${dataPath}. Use the settings of the portal: run this in its working folder with its ` +
        'environment, or set Storage__DataPath or Database__ConnectionString.',
    );
  }
  const running = await findRunningDatabase(dataPath);
  if (running !== undefined) return running;
  const local = await startLocalDatabase({ dataPath, log, signal });
  resources.defer(() => local.stop());
  return local.connectionString;
}
