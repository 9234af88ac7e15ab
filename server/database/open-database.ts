import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { shares } from '../base/budgets.ts';
import { clusterIn } from './local/data-folder.ts';
import { findRunningDatabase, startLocalDatabase } from './local/local-database.ts';
import { Database } from './pool.ts';
import { waitUntilReachable } from './reachable.ts';

import type { Config } from '../settings/config.ts';

const patienceMs = 30_000;

interface Finding {
  config: Config;
  log: FastifyBaseLogger;
  signal: AbortSignal;
}

/** The given database, or the local one, which is created if needed and runs until the resources are disposed of. */
export async function findDatabase({ config, log, signal }: Finding, resources: AsyncDisposableStack): Promise<string> {
  if (config.database.connectionString !== undefined) return config.database.connectionString;
  const local = await startLocalDatabase({ dataPath: config.storage.dataPath, log, signal });
  resources.defer(() => local.stop());
  return local.connectionString;
}

/** A few connections for work in the background, once the database answers. */
export async function openDatabase(
  connectionString: string,
  { log, signal }: Finding,
  resources: AsyncDisposableStack,
): Promise<Database> {
  const database = new Database(connectionString, { maxConnections: 3, share: shares.background });
  resources.defer(() => database.close());
  await waitUntilReachable(database, { patienceMs, signal, onWaiting: (reason) => log.warn({ reason }, 'waiting') });
  return database;
}

/**
 * The database of the portal with these settings: the configured one, or the local one, which is started unless a portal runs it,
 * until the resources are disposed of. Throws if the local one does not exist.
 */
export async function openExistingDatabase(finding: Finding, resources: AsyncDisposableStack): Promise<Database> {
  const { dataPath } = finding.config.storage;
  const isLocal = finding.config.database.connectionString === undefined;
  if (isLocal && !existsSync(clusterIn(resolve(dataPath)))) {
    throw new Error(
      `There is no database in ${dataPath}. Use the settings of the portal: run this in its working folder with its ` +
        'environment, or set Storage__DataPath or Database__ConnectionString.',
    );
  }
  const running = isLocal ? await findRunningDatabase(dataPath) : undefined;
  return openDatabase(running ?? (await findDatabase(finding, resources)), finding, resources);
}
