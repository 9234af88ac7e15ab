import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { accountFor, environmentOption, identityOf, runCommand } from '../../server/database/local/command.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import {
  type Binaries,
  choicesForNew,
  findBinaries,
  programIn,
  usableFolder,
} from '../../server/database/local/binaries.ts';
import { settingArguments } from '../../server/database/local/cluster.ts';
import { clientMeasurements, fleetMeasurements } from '../../server/database/engines/engine.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { Database } from '../../server/database/pool.ts';
import { waitUntilReachable } from '../../server/database/open-database.ts';
import { findFreePort } from './ports.ts';
import { scratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestCluster;
  }
}

/** The PostgreSQL of a test run, with one of the portal's storage engines. */
export interface TestCluster {
  engine: TestEngine;
  /** The maintenance database, as the superuser. */
  connectionString: string;
  /** Databases with the migrations of a run mode, to be cloned. */
  templates: { client: string; admin: string };
  /** The maintenance databases of further servers, which hold shards. */
  workers: readonly string[];
}

export type TestEngine = 'native' | 'timescale' | 'citus';

/** Knows that Ä is the upper case of ä, on every machine: names are unique regardless of case. */
const letters = (major: number) =>
  major >= 17
    ? ['-E', 'UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['-E', 'UTF8', '--locale=C.UTF-8'];
const startTimeoutMs = 60_000;
/** Its background workers would block databases that are cloned and dropped; tests compress explicitly. */
const extendedSettings = { shared_preload_libraries: 'timescaledb', 'timescaledb.max_background_workers': '0' };

/** Starts the cluster for the projects that need it, creates the template, and removes everything at the end of the run. */
export default (project: TestProject): Promise<() => Promise<void>> => startCluster(project, 'native');

export async function startCluster(project: TestProject, engine: 'native' | 'timescale'): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(scratchFolder(), 'portal-postgres-'));
  const binaries = engine === 'native' ? await packagedBinaries() : await extendedBinaries();
  const { connectionString, stop } = await startServer(folder, binaries, {
    wal_level: 'minimal',
    max_wal_senders: '0',
    ...(engine === 'timescale' ? extendedSettings : {}),
  });
  const tidy = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(connectionString, 'client', engine);
    await makeTemplate(connectionString, 'admin', engine);
    project.provide('postgres', { engine, connectionString, templates, workers: [] });
  } catch (error) {
    await tidy();
    throw error;
  }
  return tidy;
}

export const templates = { client: 'template_client', admin: 'template_admin' };

export interface TestServer {
  /** The maintenance database, as the superuser. */
  connectionString: string;
  port: number;
  /** With SIGKILL as if its machine had died; otherwise at once, but in order. */
  stop: (signal?: 'SIGQUIT' | 'SIGKILL') => Promise<void>;
  start: () => void;
  pid: () => number;
}

/** A new server on a free port, whose data is worthless after the run. Those with the same password may connect to each other. */
export async function startServer(
  folder: string,
  binaries: Binaries,
  more: Readonly<Record<string, string>>,
  { password = randomUUID(), auth = 'scram-sha-256' }: { password?: string; auth?: 'scram-sha-256' | 'trust' } = {},
): Promise<TestServer> {
  const account = accountFor(folder);
  // The account does not own files of root, and must be able to pass through.
  await chmod(folder, 0o755);
  const programs = await usableFolder(binaries, { account, dataPath: folder });
  const data = join(folder, 'data');
  const [passwordFile, passwords] = [join(folder, 'password'), join(folder, 'passwords')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await writeFile(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [data, passwordFile, passwords]) await chown(path, account.uid, account.gid);
  }

  const always = ['-D', data, '-U', 'postgres', '-A', auth, `--pwfile=${passwordFile}`];
  const quick = binaries.major >= 16 ? ['--no-sync', '-c', 'scram_iterations=1'] : ['--no-sync'];
  await runCommand(programIn(programs, 'initdb'), [...always, ...letters(binaries.major), ...quick], {
    account,
    cwd: data,
    signal: AbortSignal.timeout(startTimeoutMs),
    timeoutMs: startTimeoutMs,
  });
  const port = await findFreePort();
  const settings = settingArguments({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    // Its data is worthless after the run.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '1GB',
    // As in the portal's own cluster.
    jit: 'off',
    // A plan must not depend on when autovacuum last ran.
    autovacuum: 'off',
    ...more,
  });
  let server: ChildProcess | undefined;
  const start = () => {
    server = spawn(programIn(programs, 'postgres'), ['-D', data, ...settings], {
      ...identityOf(account),
      env: { ...environmentOption.env, PGPASSFILE: passwords },
      cwd: data,
      stdio: 'ignore',
    });
  };
  start();
  return {
    connectionString: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    start,
    pid: () => server?.pid ?? 0,
    async stop(signal = 'SIGQUIT') {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = new Promise((resolve) => server?.once('exit', resolve));
      server.kill(signal);
      await ended;
    },
  };
}

/** The PostgreSQL of the npm package, the same on every machine; without it, the newest of this machine. */
async function packagedBinaries(): Promise<Binaries> {
  const found = await findBinaries(AbortSignal.timeout(startTimeoutMs));
  const newestFirst = found.toSorted((a, b) => b.major - a.major);
  const binaries = found.find(({ source }) => source === 'package') ?? newestFirst[0];
  if (binaries === undefined)
    throw new Error('There is no PostgreSQL for the tests: neither of the package nor on this machine.');
  return binaries;
}

/** The newest PostgreSQL of this machine that has TimescaleDB; vitest.config.ts asks first. */
async function extendedBinaries(): Promise<Binaries> {
  const binaries = await findExtendedBinaries();
  if (binaries === undefined) throw new Error('There is no PostgreSQL with TimescaleDB on this machine.');
  return binaries;
}

export async function findExtendedBinaries(): Promise<Binaries | undefined> {
  const [choice] = choicesForNew(await findBinaries(AbortSignal.timeout(startTimeoutMs)));
  return choice?.binaries.timescaleDb === undefined ? undefined : choice.binaries;
}

/** The database may exist already. */
export async function makeTemplate(
  connectionString: string,
  stream: keyof TestCluster['templates'],
  engine: TestEngine,
): Promise<void> {
  const name = templates[stream];
  const maintenance = new Database(connectionString, { maxConnections: 1 });
  try {
    await waitUntilReachable(maintenance, {
      patienceMs: 30_000,
      signal: AbortSignal.timeout(30_000),
      onWaiting: () => undefined,
    });
    if (engine !== 'citus') await maintenance.query({ text: `CREATE DATABASE ${name}` });
  } finally {
    await maintenance.close();
  }
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  const template = new Database(address.href, { maxConnections: 2 });
  try {
    const runMode = stream === 'client' ? 'Client' : 'Admin';
    const migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), runMode);
    await migrate(template, migrations, () => undefined);
    // Those of the fleet are plain tables until an engine has converted them.
    if (engine === 'timescale' || stream === 'admin') {
      const table = stream === 'client' ? clientMeasurements : fleetMeasurements;
      await (
        await chooseEngine(template, { table, compressAfterDays: 7, now: Date.now, log: silent })
      ).prepare(template);
    }
  } finally {
    await template.close();
  }
}

const silent = { info: () => undefined, warn: () => undefined };
