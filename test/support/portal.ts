import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allocatorSettings, heapOptions } from '../../scripts/project.mjs';
import { findFreePort } from './ports.ts';

export interface PortalOptions {
  /**
   * Settings of this portal, such as `{ Database__ConnectionString: database.connectionString }`; otherwise those of `npm
   * start`, without the dashboard tool.
   */
  environment?: Readonly<Record<string, string>>;
  /** Where it listens. With the same value a browser reaches the next portal. */
  port?: number;
  /** The working folder with its `data`. Without it, the portal gets a folder of its own, which it removes. */
  folder?: string;
  /** How long it may take until it is ready, in milliseconds. */
  readyWithinMs?: number;
  /** The folder of the program, if a test runs a changed copy. */
  program?: string;
  /** The single file that runs instead of Node and the program. */
  executable?: string;
  /** Arguments of the program, such as `rebuild-energy`. */
  words?: readonly string[];
  /** Arguments of Node before the program, such as `--import`. */
  nodeArguments?: readonly string[];
}

export interface RunningPortal extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  folder: string;
  pid: number;
  /** Its output so far, on both streams. */
  output: () => string;
  /** The exit code, or the signal that ended it, once it has ended. */
  ending: Promise<number | NodeJS.Signals>;
  /** SIGTERM; resolves to the exit code, or to the signal that ended it. */
  stop: () => Promise<number | NodeJS.Signals>;
  /** SIGKILL: it finishes and cleans up nothing. */
  kill: () => Promise<void>;
}

export interface EndedPortal {
  /** The exit code, or the signal that ended it. */
  ending: number | NodeJS.Signals;
  output: string;
  /** Its output on the error stream only. */
  errors: string;
}

/** Starts the real program, as `npm start` does, and waits until `/health/ready` says that it is. */
export async function startPortal(options: PortalOptions = {}): Promise<RunningPortal> {
  const port = options.port ?? (await findFreePort());
  const folder = options.folder ?? (await makePortalFolder());
  const portal = launch(folder, port, options);
  const url = `http://127.0.0.1:${port}`;
  const tidy = async () => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  const stop = async () => {
    portal.child.kill('SIGTERM');
    return portal.ending;
  };
  try {
    await untilReady(`${url}/health/ready`, portal, options.readyWithinMs ?? 60_000);
  } catch (error) {
    portal.child.kill('SIGKILL');
    await portal.ending;
    await tidy();
    throw error;
  }
  return {
    url,
    port,
    folder,
    pid: portal.child.pid ?? 0,
    output: portal.output,
    ending: portal.ending,
    stop,
    kill: async () => {
      portal.child.kill('SIGKILL');
      await portal.ending;
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await tidy();
    },
  };
}

/** Runs the real program when it should refuse to start or do one thing, and waits for its end. */
export async function runPortalToItsEnd(options: PortalOptions = {}): Promise<EndedPortal> {
  const folder = options.folder ?? (await makePortalFolder());
  const portal = launch(folder, options.port ?? (await findFreePort()), options);
  const patience = setTimeout(() => portal.child.kill('SIGKILL'), options.readyWithinMs ?? 60_000);
  const ending = await portal.ending;
  clearTimeout(patience);
  if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  return { ending, output: portal.output(), errors: portal.errors() };
}

/** The cookie of the default administrator. */
export async function signInAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'ChangeMe123!' }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** A folder for portals of one test, which the account of an embedded database can enter too. */
export async function makePortalFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-e2e-'));
  await chmod(folder, 0o755);
  return folder;
}

interface Launched {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  ending: Promise<number | NodeJS.Signals>;
}

function launch(folder: string, port: number, options: PortalOptions): Launched {
  const { PATH = '' } = process.env;
  const { environment = {}, program = join(import.meta.dirname, '../..'), nodeArguments = [], words = [] } = options;
  const started =
    options.executable === undefined ? [...heapOptions, ...nodeArguments, join(program, 'server/main.mjs')] : [];
  const child = spawn(options.executable ?? process.execPath, [...started, ...words], {
    cwd: folder,
    env: {
      PATH,
      ...allocatorSettings,
      Application__ListenAddress: `127.0.0.1:${port}`,
      // Only tests of the dashboard tool enable it, because installing and building it takes a minute.
      Dashboard__Start: 'false',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    errors += text;
  });
  const ending = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1));
  });
  return { child, output: () => output, errors: () => errors, ending };
}

async function untilReady(url: string, { child, output }: Launched, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The portal ended (${child.signalCode ?? child.exitCode}) before it was ready:\n${output()}`);
    }
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`The portal was not ready within ${withinMs} ms:\n${output()}`);
}
