import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { type Account, runCommand } from './command.ts';
import { type Binaries, type Maker, programIn } from './binaries.ts';
import { type DataFolder, giveTo } from './data-folder.ts';

/** The superuser of the cluster, under which the portal works. */
export const clusterUser = 'portal';

/** A data directory created by the portal. */
export interface Cluster {
  maker: Maker;
  password: string;
}

/**
 * The content of the data directory: nothing, a cluster, or only a major version if the portal's own file is missing.
 */
type Found = { state: 'none' } | { state: 'whole'; cluster: Cluster } | { state: 'bare'; major: number };

interface CreateOptions {
  binaries: Binaries;
  /** The folder from which they can be started; see `usableFolder`. */
  folder: string;
  signal: AbortSignal;
}

const markerName = 'portal-cluster.json';
const timeoutMs = 120_000;

/** Inspects the data directory. Throws if it contains something other than a cluster. */
export async function findCluster(cluster: string): Promise<Found> {
  if (!existsSync(cluster)) return { state: 'none' };
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const major = Number.parseInt(version ?? '', 10);
  if (Number.isNaN(major)) {
    throw new Error(
      `The folder ${cluster} holds no PostgreSQL database. Move it away, or set Storage__DataPath to another folder.`,
    );
  }
  const marker = await readFile(join(cluster, markerName), 'utf8').catch(() => '');
  const read = parseMarker(marker);
  if (read === undefined) return { state: 'bare', major };
  // PG_VERSION is written by PostgreSQL.
  return { state: 'whole', cluster: { ...read, maker: { ...read.maker, major } } };
}

/**
 * Creates the data directory atomically and durably: it is made under another name in the same folder and then renamed. Text is
 * UTF-8, compared by code point, with upper and lower case of every language. Measured on two cores with a fast disk: 0.6 s, of
 * which writing everything through to the disk takes 0.03 s.
 */
export async function createCluster(data: DataFolder, { binaries, folder, signal }: CreateOptions): Promise<void> {
  const { account, cluster } = data;
  const making = `${join(data.path, 'database')}.making-${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${making}.password`;
  const password = randomBytes(24).toString('hex');
  try {
    await mkdir(making, { mode: 0o700 });
    await giveTo(account, making);
    await writePrivate(passwordFile, `${password}\n`, account);
    await initialize({ binaries, folder, making, passwordFile, account, signal });
    if (binaries.timescaleDb !== undefined) await proveTimescaleDb({ binaries, folder, making, account, signal });
    const { major, timescaleDb, version } = binaries;
    const maker: Maker = { folder: binaries.folder, major, version, timescaleDb };
    await writePrivate(join(making, markerName), `${JSON.stringify({ ...maker, password }, undefined, 2)}\n`, account);
    await rename(making, cluster).catch((error: unknown) => {
      // Another portal was faster; ownership of the cluster is decided later.
      if (!existsSync(join(cluster, markerName))) throw error;
    });
  } finally {
    for (const path of [making, passwordFile]) {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
}

interface Making extends CreateOptions {
  making: string;
  account: Account | undefined;
}

async function initialize(options: Making & { passwordFile: string }): Promise<void> {
  const { account, binaries, folder, making, passwordFile, signal } = options;
  const always = ['-D', making, '-U', clusterUser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const run = (locale: readonly string[]) =>
    runCommand(programIn(folder, 'initdb'), [...always, '--encoding=UTF8', '--data-checksums', ...locale], {
      account,
      cwd: making,
      signal,
      timeoutMs,
    });
  if (binaries.major >= 17) {
    await run(['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']);
    return;
  }
  try {
    await run(['--locale=C', '--lc-ctype=C.UTF-8']);
  } catch (error) {
    // Not every system has this locale. initdb has emptied the folder again.
    if (!(error instanceof Error && error.message.includes('invalid locale name'))) throw error;
    await run(['--locale=C']);
  }
}

/** Loads the extension once (40 ms), so that one that does not work is found before there is data. */
async function proveTimescaleDb({ account, binaries, folder, making, signal }: Making): Promise<void> {
  const settings = settingArguments({ ...timescaleSettings, exit_on_error: 'on' });
  await runCommand(programIn(folder, 'postgres'), ['--single', '-D', making, ...settings, 'postgres'], {
    account,
    cwd: making,
    input: `LOAD '$libdir/timescaledb-${binaries.timescaleDb}'\n`,
    signal,
    timeoutMs,
  });
}

async function writePrivate(path: string, text: string, account: Account | undefined): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  await giveTo(account, path);
}

const markerOf = z.object({
  folder: z.string(),
  major: z.number(),
  version: z.string(),
  timescaleDb: z.string().optional(),
  password: z.string(),
});

function parseMarker(text: string): Cluster | undefined {
  const { success, data } = markerOf.safeParse(parseJson(text));
  if (!success) return undefined;
  const { password, timescaleDb, ...maker } = data;
  return { maker: { ...maker, timescaleDb }, password };
}

export interface Machine {
  isLinux: boolean;
  /** Memory available to this process, in bytes. */
  memoryBytes: number;
  /** The size of /dev/shm in bytes; undefined if there is none. */
  sharedMemoryBytes: number | undefined;
}

const mebibyte = 1024 * 1024;

/**
 * The settings of the local server, for two cores and little memory. It listens on the loopback address only, and has no Unix
 * socket, because its path could exceed the limit of 107 bytes.
 */
export function serverSettings(machine: Machine, port: number, hasTimescaleDb: boolean): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    ...memorySettings(machine),
    fsync: 'on',
    synchronous_commit: 'on',
    wal_compression: 'on',
    max_wal_size: '2GB',
    // After a crash all files are synced before the recovery: file by file that took 2 s, the recovery itself 0.02 s.
    ...(machine.isLinux ? { recovery_init_sync_method: 'syncfs' } : {}),
    // On flash, random reads cost hardly more than sequential ones.
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Statements contain values, and bulk statements are long.
    log_min_error_statement: 'panic',
    ...(hasTimescaleDb ? timescaleSettings : {}),
  };
}

/** Needed wherever a cluster with TimescaleDB is opened. */
const timescaleSettings = { shared_preload_libraries: 'timescaledb', 'timescaledb.telemetry_level': 'off' };

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function memorySettings({ memoryBytes, sharedMemoryBytes }: Machine): Record<string, string> {
  const memoryMb = Math.floor(memoryBytes / mebibyte);
  return {
    shared_buffers: `${Math.max(16, Math.min(256, Math.floor(memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(memoryMb / 2))}MB`,
    huge_pages: 'try',
    // A container often has 64 MB of /dev/shm, too little for a parallel hash; System V memory does not come from there.
    ...(sharedMemoryBytes !== undefined && sharedMemoryBytes < 256 * mebibyte
      ? { dynamic_shared_memory_type: 'sysv' }
      : {}),
  };
}
