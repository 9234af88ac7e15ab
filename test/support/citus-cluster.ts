import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Binaries, findBinaries, findBinariesIn, programIn } from '../../server/database/local/binaries.ts';
import { runCommand } from '../../server/database/local/command.ts';
import { makeTemplate, startServer, templates, type TestServer } from './postgres-cluster.ts';
import { scratchFolder } from './scratch-folder.ts';

/** A coordinator and the workers that hold the shards. */
export interface CitusCluster extends AsyncDisposable {
  coordinator: TestServer;
  workers: readonly TestServer[];
}

const patienceMs = 60_000;

/** The newest PostgreSQL of this machine that has Citus: that in the folder TEST_CITUS_BIN, or one in the usual folders. */
export async function findCitusBinaries(): Promise<Binaries | undefined> {
  const signal = AbortSignal.timeout(patienceMs);
  const folder = process.env['TEST_CITUS_BIN'];
  const found = folder === undefined ? await findBinaries(signal) : await findBinariesIn(folder, signal);
  for (const binaries of found.toSorted((a, b) => b.major - a.major)) if (await hasCitus(binaries)) return binaries;
  return undefined;
}

async function hasCitus({ folder, source }: Binaries): Promise<boolean> {
  if (source === 'package') return false;
  try {
    const asked = await runCommand(programIn(folder, 'pg_config'), ['--sharedir'], {
      signal: AbortSignal.timeout(patienceMs),
      timeoutMs: patienceMs,
    });
    return existsSync(join(asked.trim(), 'extension', 'citus.control'));
  } catch {
    return false;
  }
}

/** The cluster of the fleet's tests. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const cluster = await startCitusCluster();
  try {
    const { connectionString } = cluster.coordinator;
    await makeTemplate(connectionString, 'client', 'native');
    const workers = cluster.workers.map((worker) => worker.connectionString);
    await createDistributed({ connectionString, workers }, templates.admin);
    await makeTemplate(connectionString, 'admin', 'citus');
    const nodes = [cluster.coordinator, ...cluster.workers];
    for (const node of nodes) await letGo(node, templates.admin);
    project.provide('postgres', { engine: 'citus', connectionString, templates, workers });
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  return async () => {
    await cluster[Symbol.asyncDispose]();
  };
};

export async function startCitusCluster({
  within = scratchFolder(),
  more = {},
  workers: workerCount = 2,
}: { within?: string; more?: Readonly<Record<string, string>>; workers?: number } = {}): Promise<CitusCluster> {
  const binaries = await findCitusBinaries();
  if (binaries === undefined) throw new Error('There is no PostgreSQL with Citus on this machine.');
  const folder = await mkdtemp(join(within, 'portal-citus-'));
  // The account does not own files of root, and must be able to pass through.
  await chmod(folder, 0o755);
  const started: TestServer[] = [];
  const dispose = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const password = crypto.randomUUID();
  const start = async (name: string, auth: 'scram-sha-256' | 'trust') => {
    const own = join(folder, name);
    await mkdir(own);
    const server = await startServer(own, binaries, { ...settings, ...more }, { password, auth });
    started.push(server);
    await untilAnswers(server);
    return server;
  };
  try {
    // Workers know the coordinator by its address, because accounts and passwords are its own.
    const coordinator = await start('coordinator', 'scram-sha-256');
    const workers: TestServer[] = [];
    for (let number = 1; number <= workerCount; number += 1) workers.push(await start(`worker-${number}`, 'trust'));
    return { coordinator, workers, [Symbol.asyncDispose]: async () => dispose() };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const settings = {
  shared_preload_libraries: 'citus',
  // Shards are moved by logical replication.
  wal_level: 'logical',
  max_prepared_transactions: '300',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  // Each database has as many tables as this times those of the fleet.
  'citus.shard_count': '4',
  // As the portal sets them for its database, which a clone does not have.
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.node_connection_timeout': '5s',
  // What a killed worker left prepared is finished soon.
  'citus.recover_2pc_interval': '1s',
};

/** Makes a database on all nodes that know each other. */
export async function createDistributed(
  { connectionString, workers }: { connectionString: string; workers: readonly string[] },
  database: string,
): Promise<void> {
  for (const node of [connectionString, ...workers]) {
    await onServer(node, `CREATE DATABASE ${database}`);
    await onServer(node, 'CREATE EXTENSION citus', database);
  }
  const ask = (text: string) => onServer(connectionString, text, database);
  const portOf = (node: string) => new URL(node).port;
  await ask(`SELECT citus_set_coordinator_host('127.0.0.1', ${portOf(connectionString)})`);
  for (const worker of workers) await ask(`SELECT citus_add_node('127.0.0.1', ${portOf(worker)})`);
}

/** Ends the worker of the extension in a database that nobody enters any more, so that it can be cloned. */
async function letGo({ connectionString }: TestServer, database: string): Promise<void> {
  await onServer(connectionString, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  const end = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`;
  while ((await onServer(connectionString, end)).rows.length > 0);
}

export async function onServer(connectionString: string, text: string, database?: string): Promise<pg.QueryResult> {
  const address = new URL(connectionString);
  if (database !== undefined) address.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: address.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** Stops all processes of a server, as if its machine hung, until the function that is returned is called. */
export function hang(server: TestServer): () => void {
  const main = server.pid();
  // The main process is stopped first. Otherwise it could start another one in between.
  process.kill(main, 'SIGSTOP');
  const others = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  for (const pid of others) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of [main, ...others]) process.kill(pid, 'SIGCONT');
  };
}

export async function untilAnswers({ connectionString }: TestServer): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ;) {
    if (await onServer(connectionString, 'SELECT 1').then(Boolean, () => false)) return;
    if (Date.now() > deadline) throw new Error(`${new URL(connectionString).host} does not answer.`);
  }
}
