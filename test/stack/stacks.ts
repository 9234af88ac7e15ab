import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pinnedNode } from '../../scripts/project.mjs';
import { findLastingPort } from '../support/ports.ts';
import { type BaseImages, podman, run } from './images.ts';

export interface Answer {
  status: number;
  body: string;
  cookie: string;
}

export interface AskOptions {
  method?: string;
  cookie?: string;
  headers?: Record<string, string>;
  payload?: unknown;
}

/** A machine with stacks: the scripts of deploy/ with a folder of their own, and the proxy on a free port. */
export interface Machine extends AsyncDisposable {
  home: string;
  /** The code of a stack with a name that no other run has. */
  codeOf: (name: string) => string;
  /** The scripts of deploy/ in a folder, with an image: each answers what it says. */
  scriptsOf: (folder: string, portalImage: string) => (script: string, ...words: string[]) => Promise<string>;
  /** Asks a stack at the proxy, by its host name. */
  ask: (name: string, path: string, options?: AskOptions) => Promise<Answer>;
  container: (name: string, service: string) => string;
  secret: (name: string, secret: string) => string;
  /** The cookie of the first administrator, or of the one of another stack whose accounts it has. */
  signIn: (name: string, accountOf?: string) => Promise<string>;
}

export async function openMachine(base: BaseImages): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'stacks-'));
  const own = randomBytes(3).toString('hex');
  const prefix = `stack-test-${own}-`;
  const [port, tlsPort] = [await findLastingPort(), await findLastingPort()];
  const home = join(folder, 'home');
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const docker = join(programs, 'docker');
  writeFileSync(docker, `#!/bin/sh\nexec ${pinnedNode} ${join(import.meta.dirname, 'docker.mjs')} "$@"\n`);
  chmodSync(docker, 0o755);
  const environment = {
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    PORTAL_HOME: home,
    DATABASE_IMAGE: base.database,
    CADDY_IMAGE: base.caddy,
    HTTP_PORT: String(port),
    HTTPS_PORT: String(tlsPort),
    STACK_TEST_PREFIX: prefix,
  };

  const codeOf = (name: string) => `${name}-${own}`;
  const secret = (name: string, which: string) =>
    readFileSync(join(home, codeOf(name), 'secrets', which), 'utf8').trim();

  const ask: Machine['ask'] = async (name, path, { method = 'GET', cookie = '', headers = {}, payload } = {}) => {
    const body = payload === undefined ? undefined : JSON.stringify(payload);
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: {
        host: `${codeOf(name)}.test`,
        cookie,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: AbortSignal.timeout(60_000),
    });
    asked.end(body);
    return new Promise((resolve, reject) => {
      asked.on('error', reject);
      asked.on('response', (response) => {
        const [set = ''] = response.headers['set-cookie'] ?? [];
        text(response).then(
          (content) => resolve({ status: response.statusCode ?? 0, body: content, cookie: set.split(';')[0] ?? '' }),
          reject,
        );
      });
    });
  };

  return {
    home,
    codeOf,
    secret,
    ask,
    scriptsOf:
      (project, portalImage) =>
      (script, ...words) =>
        run(join(project, 'deploy', script), words, { ...environment, PORTAL_IMAGE: portalImage }),
    container: (name, service) => `${prefix}${name === 'caddy' ? name : codeOf(name)}-${service}-1`,
    signIn: async (name, accountOf = name) => {
      const payload = { email: `admin@${codeOf(accountOf)}.test`, password: secret(accountOf, 'admin_password') };
      const { status, body, cookie } = await ask(name, '/api/auth/login', { method: 'POST', payload });
      if (status !== 200) throw new Error(`Signing in to ${name} was answered ${status}: ${body}`);
      return cookie;
    },
    [Symbol.asyncDispose]: async () => {
      const named = async (...words: string[]) => (await podman(...words)).split('\n').filter((one) => one !== '');
      const containers = await named('ps', '--all', '--quiet', '--filter', `name=^${prefix}`);
      if (containers.length > 0) await podman('rm', '--force', '--time', '0', ...containers);
      const volumes = await named('volume', 'ls', '--quiet', '--filter', `name=^${prefix}`);
      if (volumes.length > 0) await podman('volume', 'rm', '--force', ...volumes);
      const networks = await named('network', 'ls', '--format', '{{.Name}}');
      const ours = networks.filter((name) => name.startsWith(prefix) || name.endsWith(`-${own}_edge`));
      if (ours.length > 0) await podman('network', 'rm', '--force', ...ours);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
