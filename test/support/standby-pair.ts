import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { choicesForNew, findBinaries, usableFolder } from '../../server/database/local/binaries.ts';
import { settingArguments } from '../../server/database/local/cluster.ts';
import { accountFor, environmentOption, identityOf, runCommand } from '../../server/database/local/command.ts';
import { findFreePort } from './ports.ts';

/** Two PostgreSQL servers on this machine: a primary, and a synchronous standby that follows it. */
export interface StandbyPair extends AsyncDisposable {
  /** Of one database, with both servers. */
  connectionString: (database: string) => string;
  /** SIGKILL for all processes of the primary, as if its machine died; then the standby is promoted. */
  failOver: () => Promise<void>;
  /** Starts the old primary as if nothing had happened, with its old data; returns its connection string. */
  reviveOldPrimary: (database: string) => Promise<string>;
  /** Replaces the dead server by a new copy of the primary, which then follows it. */
  rebuildStandby: () => Promise<void>;
  primaryPort: () => number;
  /** One statement on the primary. */
  onPrimary: (text: string) => Promise<pg.QueryResult>;
}

const patience = { timeoutMs: 60_000, signal: AbortSignal.timeout(600_000) };
const password = 'pair';

/** The folder of a PostgreSQL of this machine with the programs for replication. */
export async function findServerPackage() {
  const choices = choicesForNew(await findBinaries(AbortSignal.timeout(60_000))).map(({ binaries }) => binaries);
  return choices.find(({ folder }) => existsSync(join(folder, 'pg_basebackup')));
}

interface Server {
  data: string;
  port: number;
  process?: ChildProcess;
}

/** Servers of this machine's PostgreSQL in a folder, under an account that may run them. */
export async function openServers(folder: string) {
  const binaries = await findServerPackage();
  if (binaries === undefined) throw new Error('There is no PostgreSQL with pg_basebackup on this machine.');
  const account = accountFor(folder);
  const programs = await usableFolder(binaries, { account, dataPath: folder });
  const runAnything = (file: string, words: readonly string[]) =>
    runCommand(file, words, { account, cwd: '/', ...patience });
  const run = (name: string, words: string[]) => runAnything(join(programs, name), words);
  const makeFolder = async (data: string) => {
    await mkdir(data, { mode: 0o700 });
    if (account !== undefined) await chown(data, account.uid, account.gid);
  };
  const server = async (name: string): Promise<Server> => {
    const data = join(folder, name);
    await makeFolder(data);
    return { data, port: await findFreePort() };
  };

  const addressOf = ({ port }: Server, database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const ask = async (of: Server, text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: addressOf(of, 'postgres') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };
  const start = async (of: Server, more: Record<string, string> = {}) => {
    const settings = settingArguments({
      listen_addresses: '127.0.0.1',
      port: String(of.port),
      unix_socket_directories: '',
      max_connections: '200',
      // Only processes die here, never the system.
      fsync: 'off',
      wal_keep_size: '512MB',
      shared_preload_libraries: binaries.timescaleDb === undefined ? '' : 'timescaledb',
      ...more,
    });
    of.process = spawn(join(programs, 'postgres'), ['-D', of.data, ...settings], {
      ...identityOf(account),
      ...environmentOption,
      cwd: of.data,
      stdio: 'ignore',
      detached: true,
    });
    for (const deadline = Date.now() + patience.timeoutMs; ; await sleep(50)) {
      if (await ask(of, 'SELECT 1').then(Boolean, () => false)) return;
      if (Date.now() > deadline) throw new Error(`The server in ${of.data} does not answer.`);
    }
  };
  const kill = async (of: Server) => {
    const pid = of.process?.pid;
    if (pid === undefined || of.process?.exitCode !== null || of.process.signalCode !== null) return;
    const ended = new Promise((resolve) => of.process?.once('exit', resolve));
    // The group contains the postmaster; its children have their own sessions and end when they notice that it is gone.
    process.kill(-pid, 'SIGKILL');
    await ended;
  };
  const create = async (of: Server) => {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password);
    if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
    const letters = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    const access = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`];
    await run('initdb', ['-D', of.data, '-U', 'postgres', ...access, ...letters]);
  };
  return { run, runAnything, makeFolder, server, addressOf, ask, start, kill, create };
}

export async function startStandbyPair(folder: string): Promise<StandbyPair> {
  const { run, makeFolder, server, addressOf, ask, start, kill, create } = await openServers(folder);
  let [primary, standby] = [await server('one'), await server('two')];
  const follow = async () => {
    await kill(standby);
    await rm(standby.data, { recursive: true, force: true });
    await makeFolder(standby.data);
    await run('pg_basebackup', [
      '-D',
      standby.data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-d',
      addressOf(primary, 'postgres'),
    ]);
    await start(standby);
    await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await ask(primary, 'SELECT pg_reload_conf()');
    const inStep = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    for (
      const deadline = Date.now() + patience.timeoutMs;
      (await ask(primary, inStep)).rowCount === 0;
      await sleep(50)
    ) {
      if (Date.now() > deadline) throw new Error('The standby does not follow.');
    }
  };

  await create(primary);
  await start(primary);
  for (const name of ['client', 'fleet']) await ask(primary, `CREATE DATABASE ${name}`);
  await follow();

  return {
    // The standby first: with the right order by chance it would prove nothing.
    connectionString: (database) =>
      `postgres://postgres:${password}@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/${database}`,
    async failOver() {
      await kill(primary);
      // The copied settings are from before the primary waited for a standby, so the new primary waits for none.
      await run('pg_ctl', ['promote', '-w', '-D', standby.data]);
      [primary, standby] = [standby, primary];
    },
    async reviveOldPrimary(database) {
      await start(standby, { synchronous_standby_names: '' });
      return addressOf(standby, database);
    },
    rebuildStandby: follow,
    primaryPort: () => primary.port,
    onPrimary: (text) => ask(primary, text),
    async [Symbol.asyncDispose]() {
      await Promise.all([kill(primary), kill(standby)]);
    },
  };
}
