import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { access, chmod, chown, constants, readdir, readFile, readlink, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Account, accountFor, folderInTheWay, runCommand } from './command.ts';
import { makeFolder } from '../../settings/storage-files.ts';
import { setTimeout as sleep } from 'node:timers/promises';

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
  // Removes the folder only if it is empty.
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
    // The umask of root may be restrictive, so the access rights are set explicitly.
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

/** Rejects a cluster of another account. PostgreSQL would reject it too, but only say so in its log. */
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

/** A running PostgreSQL server, as its `postmaster.pid` says. */
interface Postmaster {
  pid: number;
  /** Undefined in the first moments of a start. */
  port: number | undefined;
  /** Whether it was told to shut down. */
  isStopping: boolean;
}

const pollMs = 25;
const commandTimeoutMs = 5_000;
const forcedMs = 5_000;

/** Reads `postmaster.pid`: the process on the first line, the port on the fourth, the state on the eighth. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const [pid = '', , , port = '', , , , state = ''] = text.split('\n').map((line) => line.trim());
  if (!/^[1-9]\d*$/.test(pid)) return undefined;
  return {
    pid: Number(pid),
    port: /^[1-9]\d*$/.test(port) ? Number(port) : undefined,
    isStopping: state === 'stopping',
  };
}

/**
 * The living server of this cluster. The file of a dead server is left to PostgreSQL, which recognises it as stale. It is deleted
 * only where PostgreSQL would refuse to start: if the process id now belongs to another program or to the unreaped remains of the
 * server.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  const postmaster = parsePostmaster(text);
  if (postmaster === undefined || !hasProcess(postmaster.pid)) return undefined;
  if (await isServerOf(cluster, postmaster.pid)) return postmaster;
  // A server that has just been started has written its own file since.
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
  return undefined;
}

/** Whether a process of this id runs; one that has ended and waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  return hasProcess(pid) && (process.platform !== 'linux' || commandOnLinux(pid).length > 0);
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Stops a server: first in mode fast, which writes a checkpoint and gets `fastMs`; then immediate, which only costs a recovery at
 * the next start; then by force. Throws if it still runs.
 */
export async function stopPostmaster(pid: number, fastMs: number): Promise<void> {
  const steps = [
    { kill: 'SIGINT', patienceMs: fastMs },
    { kill: 'SIGQUIT', patienceMs: forcedMs },
    { kill: 'SIGKILL', patienceMs: forcedMs },
  ] as const;
  for (const { kill, patienceMs } of steps) {
    const deadline = performance.now() + patienceMs;
    if (isAlive(pid)) signalTo(pid, kill);
    while (isAlive(pid) && performance.now() < deadline) await sleep(pollMs);
    if (!isAlive(pid)) return;
  }
  throw new Error(`The database server (process ${pid}) cannot be stopped; end it by hand.`);
}

function signalTo(pid: number, kill: NodeJS.Signals): void {
  try {
    process.kill(pid, kill);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const command = process.platform === 'linux' ? commandOnLinux(pid) : await commandElsewhere(pid);
  if (!/^(?:postgres|postmaster)/.test(basename(command[0] ?? ''))) return false;
  // The server works in its data directory. Not everybody may look, but then its arguments tell.
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingFolder === undefined
    ? command.some((argument) => argument.includes(cluster))
    : workingFolder === cluster;
}

/** The command line of a process; empty when it has ended. */
function commandOnLinux(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

async function commandElsewhere(pid: number): Promise<string[]> {
  const signal = AbortSignal.timeout(commandTimeoutMs);
  const options = { signal, timeoutMs: commandTimeoutMs };
  const line = await runCommand('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], options).catch(() => '');
  const [program = '', ...rest] = line.trim().split(' -D ');
  return line === '' ? [] : [program, ...rest];
}
