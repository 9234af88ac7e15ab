import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDatabase, startLocalDatabase } from '../../server/db/local/local-database.ts';
import { shippedBinaries } from '../../test/support/local-database.ts';
import { startPortal } from '../../test/support/portal.ts';
import { externalIdOf } from './readings.ts';

/** A durable database and the real binary on it, as `npm start` runs them. */
export interface BenchPortal extends AsyncDisposable {
  connectionString: string;
  description: string;
  /** Sends one request with the API key over connections that are kept open, and answers its body. */
  send: Send;
  /** The same as a person who has signed in. */
  sendSignedIn: Send;
  municipalityId: string;
  /** In the order of their numbers. */
  deviceIds: readonly string[];
  /** Resident memory of the portal, MiB. */
  residentMemory: () => number;
}

type Send = (method: string, path: string, body?: string) => Promise<string>;

export interface BenchPortalOptions {
  devices: number;
  connections: number;
  /** How often a device sends, where gaps are to be told by it. */
  expectedIntervalSeconds?: number;
}

/** A database of its own; `--native` takes the PostgreSQL of the npm package, which has no TimescaleDB, also where this machine has both. */
export async function startBenchDatabase(dataPath: string): Promise<LocalDatabase & AsyncDisposable> {
  const log = { info: () => undefined, warn: () => undefined };
  const binaries = process.argv.includes('--native') ? await shippedBinaries() : undefined;
  const { signal } = new AbortController();
  const database = await startLocalDatabase({ dataPath, log, signal, ...(binaries && { binaries }) });
  const { connectionString, description } = database;
  const stop = () => database.stop();
  return { connectionString, description, stop, [Symbol.asyncDispose]: stop };
}

/** Starts both in a temporary folder, with `devices` devices whose measurements the API key of `send` may deliver. */
export async function startBenchPortal(options: BenchPortalOptions): Promise<BenchPortal> {
  const resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  // PostgreSQL runs under another account where we are root.
  await chmod(folder, 0o711);
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const database = resources.use(await startBenchDatabase(join(folder, 'data')));

  const environment = { Database__ConnectionString: database.connectionString };
  const portal = resources.use(await startPortal({ environment, folder }));
  const address = portal.url;
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  resources.defer(async () => agent.destroy());
  const sendAs =
    (headers: Record<string, string>): Send =>
    (method, path, body) =>
      exchange(agent, address, method, path, headers, body);

  const sendSignedIn = sendAs({ cookie: await signIn(address) });
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

  return {
    connectionString: database.connectionString,
    description: database.description,
    send: sendAs({ authorization: `Bearer ${String(key)}` }),
    sendSignedIn,
    municipalityId: String(municipalityId),
    deviceIds,
    residentMemory: () => residentMemory(portal.pid),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'ChangeMe123!' }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** node:http costs the measuring side less than fetch does, on the two cores that both sides share. */
function exchange(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const outgoing = request(
      new URL(path, address),
      { agent, method, headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length } },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('end', () => {
          const status = incoming.statusCode ?? 0;
          if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${text}`));
          else resolve(text);
        });
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function residentMemory(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}
