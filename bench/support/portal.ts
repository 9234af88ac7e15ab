import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDatabase, startLocalDatabase } from '../../server/database/local/local-database.ts';
import { findPostmaster } from '../../server/database/local/data-folder.ts';
import { Database } from '../../server/database/pool.ts';
import { shippedBinaries } from '../../test/support/local-database.ts';
import { signInAt, startPortal } from '../../test/support/portal.ts';
import { residentMiB } from './processes.ts';
import { externalIdOf } from './readings.ts';

/** A durable database and the real program on it, as `npm start` runs them. */
export interface BenchPortal extends AsyncDisposable {
  connectionString: string;
  /** The same database; null if the portal brings its own. */
  database: Database;
  description: string;
  /** Sends a request with the API key over kept-alive connections, and returns its body. */
  send: Send;
  /** Sends the body of an ingest request with it. */
  deliver: (body: string | Buffer) => Promise<string>;
  /** The same as a signed-in user. */
  sendSignedIn: Send;
  /** The same for an answer that is read as a stream; throws if it is not the expected one. */
  openSignedIn: (path: string, headers?: Record<string, string>) => Promise<IncomingMessage>;
  url: string;
  municipalityId: string;
  /** In the order of their numbers. */
  deviceIds: readonly string[];
  /** Resident memory of the portal in MiB. */
  residentMemory: () => number;
  /** The process of the portal. */
  pid: () => number;
  /**
   * Restarts the portal on the same database, so that filling it leaves no trace in its memory. `kill` uses SIGKILL, for a
   * local database too. Returns its log up to readiness.
   */
  restart: (ending?: 'stop' | 'kill') => Promise<string>;
}

type Send = (method: string, path: string, body?: string | Buffer) => Promise<string>;

export interface BenchPortalOptions {
  devices: number;
  connections: number;
  /** How often a device sends, for portals that must detect gaps. */
  expectedIntervalSeconds?: number;
  /** Whether the portal runs its own database, in its own folder, instead of one that is given to it. */
  isEmbedded?: boolean;
  /** The single executable instead of the sources. */
  executable?: string;
  /** Further settings of the portal. */
  settings?: Readonly<Record<string, string>>;
  isNative?: boolean;
}

/** A temporary folder, which is deleted with the resources. */
export async function makeBenchFolder(resources: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  // PostgreSQL runs under another account if this one is root.
  await chmod(folder, 0o711);
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A separate database. With `--native` it is the PostgreSQL of the npm package, which has no TimescaleDB, even if this machine
 * has both.
 */
export async function startBenchDatabase(
  dataPath: string,
  isNative = process.argv.includes('--native'),
): Promise<LocalDatabase & AsyncDisposable> {
  const log = { info: () => undefined, warn: () => undefined };
  const binaries = isNative ? await shippedBinaries() : undefined;
  const { signal } = new AbortController();
  const database = await startLocalDatabase({ dataPath, log, signal, ...(binaries && { binaries }) });
  const { connectionString, description } = database;
  const stop = () => database.stop();
  return { connectionString, description, stop, [Symbol.asyncDispose]: stop };
}

/** Starts both in a temporary folder, with `devices` devices for which the API key of `send` may deliver readings. */
export async function startBenchPortal(options: BenchPortalOptions): Promise<BenchPortal> {
  const resources = new AsyncDisposableStack();
  const folder = await makeBenchFolder(resources);
  const isEmbedded = options.isEmbedded === true;
  const database = isEmbedded
    ? undefined
    : resources.use(await startBenchDatabase(join(folder, 'data'), options.isNative));

  const connectionString = database?.connectionString ?? '';
  const environment: Record<string, string> = isEmbedded
    ? { Storage__DataPath: join(folder, 'data'), Demo__Enabled: 'false' }
    : { Database__ConnectionString: connectionString, ...options.settings };
  const program = options.executable === undefined ? {} : { executable: options.executable };
  let portal = await startPortal({ environment, folder, ...program });
  resources.defer(() => portal[Symbol.asyncDispose]());
  const { url: address, port } = portal;
  const ownDatabase = new Database(connectionString, { maxConnections: 2 });
  resources.defer(() => ownDatabase.close());
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  resources.defer(async () => agent.destroy());
  const sendAs =
    (headers: Record<string, string>): Send =>
    (method, path, body) =>
      exchange(agent, address, method, path, headers, body);

  const cookie = await signInAt(address);
  const sendSignedIn = sendAs({ cookie });
  const create = async (path: string, values: object) =>
    JSON.parse(await sendSignedIn('POST', path, JSON.stringify(values)));
  const { id: municipalityId } = await create('/api/admin/rates/municipalities', {
    name: 'Bench',
    timeZone: 'Europe/Berlin',
  });
  const { id: siteId } = await create('/api/admin/sites', { name: 'Bench', municipalityId });
  const { expectedIntervalSeconds = null } = options;
  const deviceIds: string[] = [];
  for (let device = 0; device < options.devices; device += 1) {
    const externalId = externalIdOf(device);
    const { id } = await create('/api/admin/devices', {
      siteId,
      name: externalId,
      externalId,
      expectedIntervalSeconds,
    });
    deviceIds.push(String(id));
  }
  const { key } = await create('/api/api-keys', { name: 'bench' });

  const send = sendAs({ authorization: `Bearer ${String(key)}` });

  return {
    connectionString,
    database: ownDatabase,
    description: database?.description ?? 'its own',
    send,
    deliver: (body) => send('POST', '/api/ingest/measurements', body),
    sendSignedIn,
    openSignedIn: (path, headers = {}) => begin(agent, new URL(path, address), 'GET', { ...headers, cookie }),
    url: address,
    municipalityId: String(municipalityId),
    deviceIds,
    residentMemory: () => residentMiB(portal.pid),
    pid: () => portal.pid,
    async restart(ending = 'stop') {
      if (ending === 'stop') await portal.stop();
      else await portal.kill();
      const left = isEmbedded && ending === 'kill' ? await findPostmaster(join(folder, 'data', 'database')) : undefined;
      if (left !== undefined) process.kill(left.pid, 'SIGKILL');
      portal = await startPortal({ environment, folder, port, ...program });
      return portal.output();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export async function exchange(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Promise<string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const described = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return textOf(await begin(agent, new URL(path, address), method, described, bytes));
}

/** node:http costs the measuring side less than fetch, on the two cores that both sides share. */
function begin(
  agent: Agent,
  url: URL,
  method: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers }, (incoming) => {
      const status = incoming.statusCode ?? 0;
      if (status < 400) resolve(incoming);
      else textOf(incoming).then((text) => reject(new Error(`${method} ${url.pathname}: ${status} ${text}`)), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function textOf(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('end', () => resolve(text));
    incoming.on('error', reject);
  });
}
