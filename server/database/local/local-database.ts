import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accountFor, folderInTheWay } from './command.ts';
import {
  type Binaries,
  type Choice,
  choiceForExisting,
  choicesForNew,
  describeBinaries,
  findBinaries,
  findBinariesIn,
  removeOtherRuntimes,
  usableFolder,
} from './binaries.ts';
import { type Cluster, createCluster, findCluster } from './cluster.ts';
import { connectionStringTo } from './connection.ts';
import { clusterIn, type DataFolder, findPostmaster, openDataFolder, removeLeftovers } from './data-folder.ts';
import { ownServer } from './server.ts';
import type { Log } from '../../base/log.ts';

/** The PostgreSQL that the portal provides for itself. */
export interface LocalDatabase {
  /** `postgres://…` of the portal's own database; valid until `stop`, also when the server crashes in between. */
  connectionString: string;
  /** A description of this PostgreSQL, and why it was chosen. */
  description: string;
  /** Shuts the server down and releases the data folder. */
  stop(): Promise<void>;
}

export interface LocalDatabaseOptions {
  /** `Storage__DataPath`. */
  dataPath: string;
  log: Log;
  /** Ends a start that is under way, leaving nothing running. Later it has no effect; see `stop`. */
  signal: AbortSignal;
  /** The PostgreSQLs to choose from; by default those of this machine and of the npm package. */
  binaries?: readonly Binaries[];
}

interface Ready extends Choice {
  cluster: Cluster;
  /** The folder from which the binaries are started. */
  folder: string;
}

const systemFolder = '/var/lib/power-monitoring-portal';

/**
 * Starts the local database under `Storage__DataPath`, making it on first use (decisions.md 7). Throws a sentence that says what
 * to do if the folder is in use by another portal, was made by another major version, or cannot be entered.
 */
export async function startLocalDatabase(options: LocalDatabaseOptions): Promise<LocalDatabase> {
  const { dataPath, log, signal } = options;
  const data = await openDataFolder(dataPath);
  await removeLeftovers(data);
  const ready = await makeReady(data, options);
  const { binaries, cluster, folder, reason } = ready;
  const description = `${describeBinaries(binaries)}, because ${reason}`;
  const hasTimescaleDb = cluster.maker.timescaleDb !== undefined;
  const server = await ownServer({ data, folder, hasTimescaleDb, password: cluster.password, log }, signal);
  const { isAdopted, port } = server;
  if (!isAdopted) await removeOtherRuntimes(data.path, folder).catch(() => undefined);
  log.info(
    { postgres: description, folder: data.cluster, port, account: data.account?.name },
    isAdopted ? 'took over the local database of a portal that crashed' : 'started the local database',
  );
  return {
    connectionString: connectionStringTo(port, cluster.password),
    description,
    stop: () => server.stop(),
  };
}

/** The connection string of the local database under `Storage__DataPath`, if a portal runs on it, which keeps owning it. */
export async function findRunningDatabase(dataPath: string): Promise<string | undefined> {
  const given = clusterIn(resolve(dataPath));
  const cluster = existsSync(given) ? realpathSync(given) : given;
  const found = await findCluster(cluster);
  if (found.state !== 'whole') return undefined;
  const port = (await findPostmaster(cluster))?.port;
  return port === undefined ? undefined : connectionStringTo(port, found.cluster.password);
}

/**
 * The default of `Storage__DataPath`: `data` in the working folder. If the portal runs as root, an unprivileged account must be
 * able to enter it, so a clone in a private folder gets a folder under `/var/lib`; existing data take precedence.
 */
export function defaultDataPath(workingFolder: string): string {
  const usual = join(resolve(workingFolder), 'data');
  const account = accountFor(clusterIn(usual));
  if (account === undefined || existsSync(clusterIn(usual))) return usual;
  const hash = createHash('sha256').update(resolve(workingFolder)).digest('hex').slice(0, 12);
  const fallback = join(systemFolder, hash);
  return existsSync(fallback) || folderInTheWay(usual, account) !== undefined ? fallback : usual;
}

async function makeReady(data: DataFolder, options: LocalDatabaseOptions): Promise<Ready> {
  const { log, signal } = options;
  const found = await findCluster(data.cluster);
  const maker = found.state === 'whole' ? found.cluster.maker : undefined;
  // Searching for all takes a while, and the one that made the database is nearly always still there.
  const own = options.binaries ?? (maker && (await findBinariesIn(maker.folder, signal)));
  const candidates =
    own && maker && choiceForExisting(maker, own) ? own : (options.binaries ?? (await findBinaries(signal)));
  if (found.state === 'none') return createWithBest(data, candidates, options);
  const major = found.state === 'bare' ? found.major : found.cluster.maker.major;
  refuseOtherMajor(data, major, candidates);
  if (found.state === 'bare') {
    throw new Error(
      `The database in ${data.cluster} lacks its file portal-cluster.json, which holds its password. Restore it from a ` +
        'backup, or move the folder away to start with an empty database.',
    );
  }
  const choice = choiceForExisting(found.cluster.maker, candidates);
  if (choice === undefined) {
    throw new Error(
      `The database in ${data.cluster} was made with TimescaleDB ${found.cluster.maker.timescaleDb} for PostgreSQL ${major}, which ` +
        'this machine no longer has. Install it again, or set Storage__DataPath to another folder.',
    );
  }
  const folder = await usableFolder(choice.binaries, { account: data.account, dataPath: data.path });
  log.info({ postgres: describeBinaries(choice.binaries), reason: choice.reason }, 'starting the local database');
  return { ...choice, cluster: found.cluster, folder };
}

/** The best candidate that works here makes the cluster. */
async function createWithBest(
  data: DataFolder,
  candidates: readonly Binaries[],
  { log, signal }: LocalDatabaseOptions,
): Promise<Ready> {
  const problems: string[] = [];
  for (const { binaries, reason } of choicesForNew(candidates)) {
    const postgres = describeBinaries(binaries);
    log.info({ postgres, reason, folder: data.cluster }, 'creating a local database');
    try {
      const folder = await usableFolder(binaries, { account: data.account, dataPath: data.path });
      await createCluster(data, { binaries, folder, signal });
      const made = await findCluster(data.cluster);
      if (made.state === 'whole') return { binaries, reason, cluster: made.cluster, folder };
      throw new Error(`Something else took the place of the new database in ${data.cluster}.`);
    } catch (error) {
      signal.throwIfAborted();
      const problem = error instanceof Error ? error.message : String(error);
      problems.push(`${postgres}: ${problem}`);
      log.warn({ postgres, problem }, 'this PostgreSQL cannot create a local database here');
    }
  }
  throw new Error(
    `No PostgreSQL can create a local database in ${data.path}. ` +
      `${problems.join(' ') || 'There is none of version 15 or newer.'} ` +
      'Install PostgreSQL with TimescaleDB, or set Database__ConnectionString to a database that you have.',
  );
}

function refuseOtherMajor(data: DataFolder, major: number, candidates: readonly Binaries[]): void {
  if (candidates.some((binaries) => binaries.major === major)) return;
  const atHand = candidates.map(describeBinaries).join(' and ') || 'no PostgreSQL at all';
  throw new Error(
    `The database in ${data.cluster} was made by PostgreSQL ${major}, but at hand is ${atHand}. Install PostgreSQL ${major} to go on ` +
      'with it (to change the version, dump it there and restore it into a new one), or move the folder away or set ' +
      'Storage__DataPath to begin with an empty database.',
  );
}
