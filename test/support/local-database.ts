import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Binaries, findBinaries } from '../../server/database/local/binaries.ts';
import type { Log } from '../../server/base/log.ts';

export const isRoot = process.getuid?.() === 0;
/** An unprivileged account that exists on every Linux. */
export const nobody = { uid: 65_534, gid: 65_534 };

/** The PostgreSQL of the npm package only, so that a test does not depend on the machine. */
export async function shippedBinaries(): Promise<Binaries[]> {
  const found = await findBinaries(new AbortController().signal);
  return found.filter(({ source }) => source === 'package');
}

/** Keeps the log, one message for each line. */
export function recordingLog(): Log & { messages: string[] } {
  const messages: string[] = [];
  const record = (_: object, message: string) => void messages.push(message);
  return { messages, info: record, warn: record };
}

/** Runs one statement on a connection of its own. */
export async function ask(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The process id of the server that runs on the cluster in this data folder. */
export function serverProcess(dataPath: string): number {
  return Number.parseInt(readFileSync(join(dataPath, 'database', 'postmaster.pid'), 'utf8'), 10);
}

/** A portal in a separate process, with its answer: a database, or why there is none. */
export interface ChildPortal {
  process: ChildProcess;
  connectionString: string | undefined;
  error: string | undefined;
}

export async function forkPortal(dataPath: string, account: { uid?: number; gid?: number } = {}): Promise<ChildPortal> {
  const child = fork(new URL('./local-portal.ts', import.meta.url), [dataPath], {
    ...account,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const answer = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The portal ended with ${String(code)} before it said anything.`)));
  });
  const field = (name: string) => {
    const value: unknown = new Map(Object.entries(Object(answer))).get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { process: child, connectionString: field('connectionString'), error: field('error') };
}

/** Ends a process and waits for its end: orderly over its channel (`stop`), or by a signal. */
export async function end(child: ChildProcess, how: 'stop' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (how === 'stop') child.send('stop');
  else child.kill(how);
  await ended;
}
