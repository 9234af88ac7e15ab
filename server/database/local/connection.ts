import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clusterUser } from './cluster.ts';

/** The database of the portal in its local cluster. */
export const portalDatabase = 'portal';

export interface ConnectOptions {
  port: number;
  password: string;
  /** Whether the server process still runs. */
  isRunning: () => boolean;
  /** Called once if the server takes long because it recovers from a crash or shuts down. */
  onBusy: () => void;
  signal: AbortSignal;
}

export type Connected =
  | { outcome: 'connected'; connection: ServerConnection }
  /** The server ended while the portal waited for it. */
  | { outcome: 'gone' }
  /** The server runs but refuses the connection. */
  | { outcome: 'unusable'; reason: string };

/** One connection to the maintenance database. */
export interface ServerConnection {
  client: pg.Client;
  /** Resolves when it is lost or closed. */
  ended: Promise<void>;
}

const ownerLock = [0x706f7274, 0x616c6462] as const;
const tryLock = 'SELECT pg_try_advisory_lock($1, $2) AS taken';
const findLockHolder = `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = $2 AND l.objsubid = 2 AND l.granted`;
const findPortalDatabase = 'SELECT 1 FROM pg_database WHERE datname = $1';

const pollMs = 30;
const connectTimeoutMs = 5_000;
const answerPatienceMs = 20_000;
const busyPatienceMs = 300_000;
const busyNoticeMs = 2_000;
// The lock of a killed portal is released when the server notices the broken connection.
const lockPatienceMs = 1_500;
// A portal that was told to stop first finishes its requests, its work and a checkpoint.
const leavingPatienceMs = 60_000;
const leaving = 'a portal that stops';

/**
 * Connects to the maintenance database as soon as the server accepts connections: up to 20 s if it does not answer, up to 5 min
 * while it recovers. Throws only if the signal is aborted.
 */
export async function connectWhenReady(options: ConnectOptions): Promise<Connected> {
  const { isRunning, onBusy, port, password, signal } = options;
  const start = performance.now();
  let silentSince = start;
  let isNoticed = false;
  for (;;) {
    signal.throwIfAborted();
    const attempt = await connect(port, password);
    if ('client' in attempt) return { outcome: 'connected', connection: attempt };
    if (!isRunning()) return { outcome: 'gone' };
    const now = performance.now();
    const isBusy = attempt.code === '57P03';
    if (isBusy) silentSince = now;
    if (isBusy && !isNoticed && now - start > busyNoticeMs) {
      isNoticed = true;
      onBusy();
    }
    const isHopeless = attempt.code === '28P01' || attempt.code === '28000';
    if (isHopeless || now - silentSince > answerPatienceMs || now - start > busyPatienceMs) {
      return { outcome: 'unusable', reason: attempt.message };
    }
    await sleep(pollMs, undefined, { signal });
  }
}

async function connect(port: number, password: string): Promise<ServerConnection | { code: unknown; message: string }> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: clusterUser,
    password,
    database: 'postgres',
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: `owner of the local database, process ${process.pid}`,
  });
  // Without a listener, a broken connection would crash the process.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    return { client, ended };
  } catch (error) {
    void client.end().catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { code, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Claims the cluster for this portal while the connection lasts. Otherwise returns who owns it (`owner of the local database,
 * process 4711`).
 */
export async function takeOwnership(client: pg.Client, signal: AbortSignal): Promise<{ heldBy: string } | undefined> {
  const start = performance.now();
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(tryLock, [...ownerLock]);
    if (rows[0]?.taken === true) return undefined;
    const waitedMs = performance.now() - start;
    if (waitedMs > lockPatienceMs) {
      const holder = await client.query<{ name: string }>(findLockHolder, [...ownerLock]);
      const heldBy = holder.rows[0]?.name ?? 'unknown';
      if (heldBy !== leaving || waitedMs > leavingPatienceMs) return { heldBy };
    }
    await sleep(100, undefined, { signal });
  }
}

/** Tells portals that wait for the lock that it will be released soon. */
export function sayLeaving({ client }: ServerConnection): void {
  client.query(`SET application_name = '${leaving}'`).catch(() => undefined);
}

/** Creates the portal's database if it does not exist. */
export async function ensurePortalDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(findPortalDatabase, [portalDatabase]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${portalDatabase}`);
}

export function connectionStringTo(port: number, password: string): string {
  return `postgres://${clusterUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${portalDatabase}`;
}
