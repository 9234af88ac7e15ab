import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { open, readFile, rename, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOption, identityOf, lastLines, runCommand } from './command.ts';
import {
  connectWhenReady,
  ensurePortalDatabase,
  sayLeaving,
  type ServerConnection,
  takeOwnership,
} from './connection.ts';
import { type DataFolder, findPostmaster, isAlive, stopPostmaster } from './data-folder.ts';
import { programIn } from './binaries.ts';
import { type Machine, serverSettings, settingArguments } from './cluster.ts';
import type { Log } from '../../base/log.ts';

/** The input for starting the server of a cluster. */
interface Site {
  data: DataFolder;
  /** The folder of `postgres`. */
  folder: string;
  hasTimescaleDb: boolean;
  password: string;
  log: Log;
}

export interface Running {
  pid: number;
  port: number;
  connection: ServerConnection;
  /** Whether the server was already running: left by a dead portal, or owned by a living one. */
  isAdopted: boolean;
}

/** Why a server did not start, and whether a retry may help. */
interface Refusal {
  said: string;
  mayPass: boolean;
}

const pauseMs = 250;
// Backends of a killed server notice it when their statement ends, within a minute.
const startPatienceMs = 90_000;
// Time for a checkpoint of up to 2 GB of WAL on a slow disk.
const shutdownMs = 40_000;
const strangerShutdownMs = 10_000;
const keptLogBytes = 8 * 1024 * 1024;
const shownLogLines = 8;
// Root must not follow links that the owner of the folder may have planted.
const appendFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
const passing =
  /pre-existing shared memory block|lock file "postmaster\.pid" already exists|could not bind|Address already in use/;

/**
 * Connects to the running server of the cluster, or starts one on the given port or a free one. A running server that refuses
 * the connection is stopped first. Throws with the end of PostgreSQL's log if the server does not come up, and if the signal is
 * aborted; it leaves no server behind then.
 */
export async function bringUp(site: Site, signal: AbortSignal, givenPort?: number): Promise<Running> {
  const deadline = performance.now() + startPatienceMs;
  for (;;) {
    signal.throwIfAborted();
    const running = (await adopt(site, signal)) ?? (await launch(site, signal, givenPort ?? (await freePort())));
    if ('connection' in running) return running;
    if (!running.mayPass || performance.now() > deadline) {
      throw new Error(
        `The local database in ${site.data.cluster} does not start. The end of ${site.data.logFile}: ${running.said}`,
      );
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Stops the server of this cluster; see `stopPostmaster`. */
export async function shutDown({ data, folder }: Site, pid: number, fastMs = shutdownMs): Promise<void> {
  if (process.platform === 'win32') {
    // On Windows every signal kills a process at once.
    const stop = ['stop', '-D', data.cluster, '-m', 'fast', '-w', '-t', String(fastMs / 1000)];
    const options = { signal: AbortSignal.timeout(fastMs + 5_000), timeoutMs: fastMs + 5_000 };
    await runCommand(programIn(folder, 'pg_ctl'), stop, options).catch(() => undefined);
  }
  await stopPostmaster(pid, fastMs);
}

/** Whether the server of this cluster is shutting down, so that a successful connection means nothing. */
const isGoing = async ({ data }: Site) => (await findPostmaster(data.cluster))?.isStopping !== false;

async function adopt(site: Site, signal: AbortSignal): Promise<Running | undefined> {
  const { data, log, password } = site;
  for (;;) {
    const found = await findPostmaster(data.cluster);
    if (found === undefined) return undefined;
    const { pid, port, isStopping } = found;
    if (port === undefined || isStopping) {
      await sleep(pauseMs, undefined, { signal });
      continue;
    }
    const result = await connectWhenReady({
      port,
      password,
      isRunning: () => isAlive(pid),
      onBusy: () => log.info({ pid }, 'waiting for a local database that was left running to recover or shut down'),
      signal,
    });
    if (result.outcome === 'connected') return { pid, port, connection: result.connection, isAdopted: true };
    if (result.outcome === 'unusable') {
      log.warn(
        { pid, reason: result.reason },
        'stopping a local database that was left running, because it refuses connections',
      );
      await shutDown(site, pid, strangerShutdownMs);
    }
  }
}

async function launch(site: Site, signal: AbortSignal, port: number): Promise<Running | Refusal> {
  const { data, log, password } = site;
  const logStart = await rotateLog(data.logFile);
  const child = await spawnServer(site, port);
  if (typeof child === 'string') return { said: child, mayPass: false };
  const { isRunning, pid } = child;
  try {
    const result = await connectWhenReady({
      port,
      password,
      isRunning,
      onBusy: () => log.info({ pid }, 'waiting for the local database to recover from a crash'),
      signal,
    });
    if (result.outcome === 'connected') return { pid, port, connection: result.connection, isAdopted: false };
    if (result.outcome === 'gone') return await readLog(data.logFile, logStart);
    await shutDown(site, pid);
    const { said, mayPass } = await readLog(data.logFile, logStart);
    return { said: `${said} (${result.reason})`, mayPass };
  } catch (error) {
    await shutDown(site, pid);
    throw error;
  }
}

/** Starts the server in a session of its own, so that Ctrl-C in a terminal reaches only the portal. */
async function spawnServer(
  { data, folder, hasTimescaleDb }: Site,
  port: number,
): Promise<{ pid: number; isRunning: () => boolean } | string> {
  const file = programIn(folder, 'postgres');
  const settings = serverSettings(await thisMachine(), port, hasTimescaleDb);
  await using log = await open(data.logFile, appendFlags, 0o600);
  // Otherwise a portal that does not run as root could not continue the file.
  if (data.account !== undefined) await log.chown(data.account.uid, data.account.gid);
  const child = spawn(file, ['-D', data.cluster, ...settingArguments(settings)], {
    ...identityOf(data.account),
    ...environmentOption,
    cwd: data.cluster,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)));
  child.unref();
  const { pid } = child;
  if (pid === undefined) return `${file} cannot be started: ${await failed}`;
  return { pid, isRunning: () => child.exitCode === null && child.signalCode === null };
}

async function thisMachine(): Promise<Machine> {
  const limit = process.constrainedMemory();
  const shared = existsSync('/dev/shm') ? await statfs('/dev/shm').catch(() => undefined) : undefined;
  return {
    isLinux: process.platform === 'linux',
    memoryBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem(),
    sharedMemoryBytes: shared === undefined ? undefined : shared.blocks * shared.bsize,
  };
}

/** Keeps one older log; returns the length of the current one. */
async function rotateLog(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size < keptLogBytes) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

async function readLog(logFile: string, start: number): Promise<Refusal> {
  const all = await readFile(logFile).catch(() => Buffer.alloc(0));
  const text = all.subarray(start).toString('utf8');
  // Backends of a killed server may write much after the reason.
  return { said: lastLines(text, shownLogLines) || 'it is empty', mayPass: passing.test(text) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('The system offers no free port on 127.0.0.1.');
  return address.port;
}

const steadyMs = 10 * 60_000;
const maxFailures = 12;
const longestPauseMs = 60_000;
const holdAttempts = 3;

/**
 * Starts the server of a cluster and owns both until `stop`. If the server dies it is restarted on the same port, at once and then
 * after ever longer pauses; after twelve failures, each within ten minutes, it stays down. Throws when another portal owns it.
 */
export async function ownServer(site: Site, signal: AbortSignal) {
  const { log } = site;
  const stopping = new AbortController();
  let held: Running | undefined = await hold(site, signal);
  // A stopping portal has work to finish; a portal that starts in that time waits for it.
  signal.addEventListener('abort', () => held && sayLeaving(held.connection), { once: true });
  const { isAdopted, port } = held;
  let heldSince = performance.now();
  let failures = 0;
  let recovery: Promise<void> | undefined;

  const watch = async ({ connection }: Running) => {
    await connection.ended;
    if (stopping.signal.aborted) return;
    held = undefined;
    if (performance.now() - heldSince > steadyMs) failures = 0;
    recovery = recover();
  };

  const recover = async () => {
    log.warn({ port }, 'the local database stopped; restarting it');
    while (!stopping.signal.aborted) {
      failures += 1;
      if (failures > maxFailures) {
        log.warn({ failures }, 'the local database keeps failing; see its log, then restart the portal');
        return;
      }
      try {
        await sleep(pauseBefore(failures), undefined, { signal: stopping.signal });
        held = await hold(site, stopping.signal, port);
        heldSince = performance.now();
        log.info({ port }, 'the local database is running again');
        void watch(held);
        return;
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the local database did not restart');
      }
    }
  };

  const stop = async () => {
    stopping.abort();
    await recovery;
    if (held === undefined) return;
    const { connection, pid } = held;
    held = undefined;
    await shutDown(site, pid);
    await close(connection);
  };

  void watch(held);
  let stopped: Promise<void> | undefined;
  return { port, isAdopted, stop: () => (stopped ??= stop()) };
}

/** The server, with the lock that marks it as ours and the portal's database in it. */
async function hold(site: Site, signal: AbortSignal, port?: number): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await bringUp(site, signal, port);
    let heldBy: string | undefined;
    try {
      heldBy = await own(site, running, signal);
    } catch (error) {
      await close(running.connection);
      // A server that was found running may have been shutting down.
      if (signal.aborted || attempt >= holdAttempts) throw error;
      continue;
    }
    if (heldBy !== undefined) {
      await close(running.connection);
      throw new Error(
        `The data folder ${site.data.path} is in use by another running portal (${heldBy}). ` +
          'Stop that one first, or set Storage__DataPath of this one to another folder.',
      );
    }
    if (port === undefined || port === running.port) return running;
    await shutDown(site, running.pid);
  }
}

/** Takes the lock, or returns the name of its owner. On failure no server of ours is left running. */
async function own(site: Site, running: Running, signal: AbortSignal): Promise<string | undefined> {
  const { client } = running.connection;
  let isOurs = !running.isAdopted;
  try {
    const other = await takeOwnership(client, signal);
    // The previous portal releases its lock once it has told the server to shut down.
    if (other === undefined && (await isGoing(site))) throw new Error('The local database is shutting down.');
    isOurs = other === undefined;
    if (other === undefined) await ensurePortalDatabase(client);
    return other?.heldBy;
  } catch (error) {
    if (isOurs) await shutDown(site, running.pid);
    throw error;
  }
}

async function close({ client }: ServerConnection): Promise<void> {
  await client.end().catch(() => undefined);
}

function pauseBefore(failure: number): number {
  return failure === 1 ? 0 : Math.min(longestPauseMs, 100 * 2 ** failure);
}
