import { readFile, readlink, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './command.ts';

/** A running PostgreSQL server, as its `postmaster.pid` says. */
export interface Postmaster {
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
