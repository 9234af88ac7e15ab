import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { shares } from '../base/budgets.ts';
import { clusterIn } from './local/data-folder.ts';
import { findRunningDatabase, startLocalDatabase } from './local/local-database.ts';
import { Database, type Queryable } from './pool.ts';
import type { Config } from '../settings/config.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../base/errors.ts';

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

const PING = { name: 'ping', text: 'SELECT 1' };
const pauseMs = 500;

/** Whether the database answers; false also when it is starting or stopping. */
export async function isReachable(database: Queryable): Promise<boolean> {
  try {
    await database.query(PING);
    return true;
  } catch {
    return false;
  }
}

interface WaitOptions {
  /** How long to try, in milliseconds. */
  patienceMs: number;
  signal: AbortSignal;
  onWaiting: (reason: string) => void;
}

/**
 * Waits until the database answers. Throws if it does not within the patience, and at once if it refuses for good (wrong
 * password, no such database).
 */
export async function waitUntilReachable(database: Queryable, options: WaitOptions): Promise<void> {
  const { patienceMs, signal, onWaiting } = options;
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      await database.query(PING);
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (!(error instanceof DomainError)) {
        throw new Error(`The database refused the connection: ${reason}. Check Database__ConnectionString.`, {
          cause: error,
        });
      }
      if (performance.now() + pauseMs >= deadline) {
        throw new Error(
          `The database was unreachable for ${Math.round(patienceMs / 1000)} seconds (${reason}). ` +
            'Start it, or check Database__ConnectionString.',
          { cause: error },
        );
      }
      if (attempt === 1) onWaiting(reason);
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** The driver's message; an AggregateError (one error per address) has none of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
