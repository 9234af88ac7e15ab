import { existsSync, realpathSync, statSync } from 'node:fs';
import { access, chmod, chown, constants, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Account, accountFor, folderInTheWay } from './account.ts';
import { isAlive } from './postmaster.ts';
import { makeFolder } from '../../settings/storage-files.ts';

/** The folders of the local database and the account that runs it. */
export interface DataFolder {
  /** `Storage__DataPath`, absolute and without symbolic links. */
  path: string;
  /** The data directory of PostgreSQL. */
  cluster: string;
  logFile: string;
  /** Set when the portal runs as root. */
  account: Account | undefined;
}

const leftoverName = /^(?:database|runtime-.+)\.making-(\d+)-[0-9a-f]{8}(?:\.password)?$/;
const leftoverAgeMs = 60 * 60_000;
const elsewhere = 'set Storage__DataPath to another folder';

export function clusterIn(dataPath: string): string {
  return join(dataPath, 'database');
}

/**
 * Creates the data folder if needed. Throws with the name of the first folder that the portal, or PostgreSQL's account, cannot
 * use.
 */
export async function openDataFolder(dataPath: string): Promise<DataFolder> {
  const path = realPathOf(resolve(dataPath));
  refuseFile(path);
  const account = accountFor(clusterIn(path));
  refuseUnreachable(path, account);
  await makeDataFolder(path, account);
  // An empty folder may be replaced; any other stays.
  await rmdir(clusterIn(path)).catch(() => undefined);
  const cluster = existsSync(clusterIn(path)) ? realpathSync(clusterIn(path)) : clusterIn(path);
  await refuseForeignCluster(cluster, account);
  refuseUnreachable(cluster, account);
  return { path, cluster, logFile: join(path, 'database.log'), account };
}

/** Removes leftovers of portals that were killed while creating a cluster or a copy; those of running portals stay. */
export async function removeLeftovers({ path }: DataFolder): Promise<void> {
  for (const name of await readdir(path)) {
    const maker = leftoverName.exec(name)?.[1];
    if (maker === undefined) continue;
    const leftover = join(path, name);
    const { mtimeMs } = await stat(leftover).catch(() => ({ mtimeMs: 0 }));
    const isAtWork = Number(maker) !== process.pid && isAlive(Number(maker)) && Date.now() - mtimeMs < leftoverAgeMs;
    // An orphaned initdb may still be writing.
    if (!isAtWork) await rm(leftover, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Makes the account the owner of a file or folder that root created. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account === undefined) return;
  try {
    await chown(path, account.uid, account.gid);
  } catch (error) {
    throw new Error(
      `${path} cannot be given to the account ${account.name}, under which PostgreSQL runs; ${elsewhere} on a disk that keeps owners.`,
      { cause: error },
    );
  }
}

/** Resolves symbolic links in the existing part of the path, so that messages name real folders. */
function realPathOf(path: string): string {
  const existing = existingPartOf(path);
  return join(realpathSync(existing), relative(existing, path));
}

function existingPartOf(path: string): string {
  let existing = path;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return existing;
}

function refuseFile(path: string): void {
  const existing = existingPartOf(path);
  if (statSync(existing).isDirectory()) return;
  throw new Error(`The local database cannot be kept in ${path}: ${existing} is not a folder; ${elsewhere}.`);
}

function refuseUnreachable(path: string, account: Account | undefined): void {
  const obstacle = account === undefined ? undefined : folderInTheWay(path, account);
  if (obstacle === undefined || account === undefined) return;
  throw new Error(
    `The account ${account.name} cannot enter the folder ${obstacle}, but PostgreSQL refuses to run as root and would keep the ` +
      `database in ${path} under that account: ${elsewhere} that every account can enter, or run: chmod o+x ${obstacle}`,
  );
}

async function makeDataFolder(path: string, account: Account | undefined): Promise<void> {
  try {
    const first = await makeFolder(path);
    // Root may have a restrictive umask.
    if (account !== undefined && first !== undefined) {
      for (const folder of foldersBetween(first, path)) await chmod(folder, 0o755);
    }
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(
      `The folder ${path} for the local database cannot be used: not permitted (${reason}). Make it usable, or ${elsewhere}.`,
      { cause: error },
    );
  }
}

function foldersBetween(first: string, last: string): string[] {
  const steps = relative(first, last).split(sep).filter(Boolean);
  return [first, ...steps.map((_, index) => join(first, ...steps.slice(0, index + 1)))];
}

/** PostgreSQL accepts only a cluster of its own account, and would report otherwise only in its log. */
async function refuseForeignCluster(cluster: string, account: Account | undefined): Promise<void> {
  if (process.getuid === undefined || !existsSync(cluster)) return;
  const owner = (await stat(cluster)).uid;
  const runsAs = account?.uid ?? process.getuid();
  if (owner === runsAs) return;
  if (account !== undefined) {
    throw new Error(
      `The database in ${cluster} belongs to root, which PostgreSQL refuses. Run: chown -R ${account.name} ${cluster}`,
    );
  }
  throw new Error(
    `The database in ${cluster} belongs to another account (its id is ${owner}). Start the portal as that account or as root, ` +
      `give the folder ${basename(cluster)} to this account, or ${elsewhere}.`,
  );
}
