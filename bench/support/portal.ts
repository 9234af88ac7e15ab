import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalDatabase } from '../../server/db/local/local-database.ts';
import { startPortal } from '../../test/support/portal.ts';
import { externalIdOf } from './readings.ts';

/** A durable database and the real binary on it, as `npm start` runs them. */
export interface BenchPortal extends AsyncDisposable {
  connectionString: string;
  description: string;
  /** Sends one request over connections that are kept open, and answers its body. */
  send: (method: string, path: string, body?: string) => Promise<string>;
  /** Resident memory of the portal, MiB. */
  residentMemory: () => number;
}

/** Starts both in a temporary folder, with `devices` devices whose measurements the API key of `send` may deliver. */
export async function startBenchPortal(options: { devices: number; connections: number }): Promise<BenchPortal> {
  const resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  // PostgreSQL runs under another account where we are root.
  await chmod(folder, 0o711);
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const silent = { info: () => undefined, warn: () => undefined };
  const signal = new AbortController().signal;
  const database = await startLocalDatabase({ dataPath: join(folder, 'data'), log: silent, signal });
  resources.defer(() => database.stop());

  const environment = { Database__ConnectionString: database.connectionString };
  const portal = resources.use(await startPortal({ environment, folder }));
  const address = portal.url;
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  resources.defer(async () => agent.destroy());
  let headers: Record<string, string> = {};
  const send = (method: string, path: string, body?: string) => exchange(agent, address, method, path, headers, body);

  headers = { cookie: await signIn(address) };
  const idOf = (answer: string) => String(JSON.parse(answer).id);
  const municipality = { name: 'Bench', timeZone: 'Europe/Berlin' };
  const municipalityId = idOf(await send('POST', '/api/admin/rates/municipalities', JSON.stringify(municipality)));
  const siteId = idOf(await send('POST', '/api/admin/sites', JSON.stringify({ name: 'Bench', municipalityId })));
  for (let device = 0; device < options.devices; device += 1) {
    const externalId = externalIdOf(device);
    await send('POST', '/api/admin/devices', JSON.stringify({ siteId, name: externalId, externalId }));
  }
  const { key } = JSON.parse(await send('POST', '/api/api-keys', JSON.stringify({ name: 'bench' })));
  headers = { authorization: `Bearer ${String(key)}` };

  return {
    connectionString: database.connectionString,
    description: database.description,
    send,
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
