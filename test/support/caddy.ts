import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpackedCaddy } from '../../scripts/caddy.mjs';
import { findFreePort } from './ports.ts';
import { firstThatRuns } from './xlsx/run-program.ts';

const configuration = join(import.meta.dirname, '../../deploy/caddy');
let search: Promise<string | undefined> | undefined;

/** The program. If there is none, it says so once on the standard error, and returns undefined. */
export function findCaddy(): Promise<string | undefined> {
  search ??= firstThatRuns(['caddy', unpackedCaddy], ['version']).then((found) => {
    if (found === undefined)
      process.stderr.write('SKIPPED: what is behind Caddy, because this machine has no program of that name.\n');
    return found?.file;
  });
  return search;
}

export interface Site {
  host: string;
  /** `host:port` each. */
  portals: readonly string[];
  tool: string;
}

export interface CaddyRequest {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array | undefined;
}

export interface CaddyAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Caddy extends AsyncDisposable {
  /** Sends the path as it is written, without a browser's changes. */
  ask: (host: string, path: string, request?: CaddyRequest) => Promise<CaddyAnswer>;
  /** Requests a WebSocket: returns the connection, or the answer that rejects it. */
  upgrade: (host: string, path: string, headers: OutgoingHttpHeaders) => Promise<Duplex | CaddyAnswer>;
}

/** The real Caddy with the shipped configuration, one file for each site, and its own certificates. */
export async function startCaddy(port: number, sites: readonly Site[]): Promise<Caddy> {
  const program = await findCaddy();
  if (program === undefined) throw new Error('There is no caddy on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'portal-caddy-'));
  for (const part of ['sites', 'options']) await mkdir(join(folder, part));
  await cp(join(configuration, 'Caddyfile'), join(folder, 'Caddyfile'));
  const template = await readFile(join(configuration, 'site.caddy.template'), 'utf8');
  for (const site of sites) await writeFile(join(folder, 'sites', `${site.host}.caddy`), siteOf(template, site));
  await writeFile(
    join(folder, 'options', 'test.caddy'),
    [
      `https_port ${port}`,
      `http_port ${await findFreePort()}`,
      'default_bind 127.0.0.1',
      'local_certs',
      'skip_install_trust',
      'auto_https disable_redirects',
      `storage file_system ${join(folder, 'data')}`,
    ].join('\n'),
  );
  const child = spawn(program, ['run', '--config', join(folder, 'Caddyfile')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, CADDY_ADMIN_SOCKET: join(folder, 'admin.sock') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (said: string) => {
    output += said;
  });
  const ending = once(child, 'close');
  const agent = new Agent({ keepAlive: true });
  const stop = async () => {
    agent.destroy();
    child.kill('SIGKILL');
    await ending;
    await rm(folder, { recursive: true, force: true });
  };

  const send = async (host: string, path: string, { method = 'GET', headers = {}, body }: CaddyRequest) => {
    const ca = await readFile(join(folder, 'data/pki/authorities/local/root.crt'), 'utf8');
    const asking = request({
      host: '127.0.0.1',
      port,
      servername: host,
      ca,
      agent,
      method,
      path,
      headers: { host: `${host}:${port}`, ...headers },
      timeout: 30_000,
    });
    asking.once('timeout', () => asking.destroy(new Error(`${host}${path} was not answered within 30 s.`)));
    const { promise, resolve, reject } = Promise.withResolvers<Duplex | CaddyAnswer>();
    asking.once('error', reject).once('upgrade', (_answer, socket) => resolve(socket));
    asking.once('response', (answer) => {
      const { statusCode = 0, headers: given } = answer;
      void text(answer).then((content) => resolve({ status: statusCode, headers: given, body: content }), reject);
    });
    asking.end(body);
    return promise;
  };

  const ask = async (host: string, path: string, asked: CaddyRequest = {}) => {
    const answer = await send(host, path, asked);
    if (!('status' in answer)) throw new Error(`${host}${path} changed the protocol.`);
    return answer;
  };
  try {
    await untilAnswered(async () => Promise.all(sites.map(({ host }) => ask(host, '/health'))));
  } catch (error) {
    await stop();
    throw new Error(`Caddy did not start:\n${output}`, { cause: error });
  }
  return {
    ask,
    upgrade: (host, path, headers) =>
      send(host, path, {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...headers,
        },
      }),
    [Symbol.asyncDispose]: stop,
  };
}

function siteOf(template: string, { host, portals, tool }: Site): string {
  const filled = template
    .replaceAll('@HOST@', host)
    .replaceAll('@PORTALS@', portals.join(' '))
    .replaceAll('@TOOL@', tool)
    .replaceAll('@PREFIX@', '/dash');
  return portals.length > 1 ? filled.replaceAll('# several: ', '') : filled;
}

async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
