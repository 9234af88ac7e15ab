import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isSea } from 'node:sea';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { DashboardToolStatus } from '../../shared/embedded-dashboards.ts';
import { backoffSeconds } from '../base/backoff.ts';
import { parseJson } from '../base/json.ts';
import type { DashboardTool } from './dashboard-proxy.ts';

export interface ChildParts {
  /** The folder of the program. */
  projectFolder: string;
  /** Environment variables that both programs inherit; none is a setting of the portal. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Returns the current settings of the tool at each start. */
  settings: () => Promise<Record<string, string>>;
  log: Record<'info' | 'warn', (fields: object, message: string) => void>;
  /** Epoch milliseconds. */
  now: () => number;
  random: () => number;
  waits?: { minSeconds: number; maxSeconds: number };
}

type State = DashboardToolStatus['state'];

/** The tool, or the build of its page, has ended. The detail is the last output. */
class ToolEnded extends Error {
  readonly failure: NonNullable<DashboardToolStatus['failure']>;

  constructor(code: 'notBuilt' | 'ended', sentence: string, detail: string) {
    super(`${sentence}: ${detail}`);
    this.failure = { code, detail: detail.slice(0, longestReason) };
  }
}

/** A dashboard tool that the portal starts and stops with itself. */
export interface ChildTool extends DashboardTool {
  start: () => void;
  stop: () => Promise<void>;
}

const builder = 'scripts/dashboards-page.mjs';
const server = 'dashboards/server/main.mjs';
/** What the tool tells its parent. */
const message = z.object({ listening: z.int().positive() });

const defaultWaits = { minSeconds: 2, maxSeconds: 300 };
const listensWithinMs = 60_000;
const livesLongMs = 60_000;
const endsWithinMs = 5_000;
const longestLine = 10_000;
const longestReason = 300;

/** Whether the tool is included; an image of the server may lack it. The executable has the page of the tool built in. */
export const hasTool = (projectFolder: string) =>
  (isSea() ? [server] : [builder, server]).every((file) => existsSync(join(projectFolder, file)));

/**
 * Installs and builds the page of the tool if needed, starts the server of the tool, and restarts it when it ends. When the
 * channel between portal and tool closes, the tool ends itself. So it also ends if the portal is killed.
 */
export function createChildTool(parts: ChildParts): ChildTool {
  const { log, now, random, waits = defaultWaits } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Omit<DashboardToolStatus, 'since' | 'path'> & { since: number } = {
    state: 'starting',
    since: now(),
    reason: null,
    failure: null,
  };
  let port: number | null = null;
  let running: Promise<void> | null = null;

  const say = (state: State, reason: string | null = null, failure: DashboardToolStatus['failure'] = null) => {
    if (state === current.state && reason === current.reason) return;
    current = { state, since: now(), reason, failure };
    log[state === 'failed' ? 'warn' : 'info'](
      { part: 'dashboards', state, reason, code: failure?.code },
      'the dashboard tool',
    );
  };

  const build = async () => {
    if (isSea()) return;
    // Runs at low priority, because people wait for the portal and not for this build.
    const isPolite = process.platform !== 'win32';
    const words = [...(isPolite ? ['nice', '-n', '10'] : []), process.execPath, join(parts.projectFolder, builder)];
    const [program = process.execPath, ...rest] = words;
    const child = spawn(program, rest, {
      cwd: parts.projectFolder,
      env: { ...parts.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let lastLine = '';
    onLine(child.stderr, (line) => {
      lastLine = line;
      if (/install/i.test(line)) say('installing');
      else if (/build/i.test(line)) say('building');
    });
    const code = await ended(child, signal);
    signal.throwIfAborted();
    if (code !== 0) throw new ToolEnded('notBuilt', 'its page could not be built', lastLine || `exit code ${code}`);
  };

  const serve = async () => {
    say('starting');
    const words = isSea() ? ['dashboards'] : ['--max-semi-space-size=8', join(parts.projectFolder, server)];
    const child = spawn(process.execPath, words, {
      // The folder inside the executable does not exist on disk.
      cwd: isSea() ? process.cwd() : parts.projectFolder,
      env: { ...parts.environment, ...(await parts.settings()), Dashboard__ListenAddress: '127.0.0.1:0' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    let lastLine = '';
    onLine(child.stdout, (line) => passOnLine(line, log));
    onLine(child.stderr, (line) => {
      lastLine = line;
      passOnLine(line, log);
    });
    child.on('message', (told) => {
      const { data } = message.safeParse(told);
      if (data === undefined) return;
      port = data.listening;
      say('running');
    });
    const patience = setTimeout(() => (port === null ? child.kill('SIGKILL') : undefined), listensWithinMs);
    const code = await ended(child, signal);
    clearTimeout(patience);
    port = null;
    signal.throwIfAborted();
    throw new ToolEnded('ended', `it ended (${code})`, lastLine || String(code));
  };

  const run = async () => {
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      try {
        await build();
        await serve();
      } catch (error) {
        if (signal.aborted) return;
        failures = performance.now() - startedAt > livesLongMs && current.state === 'running' ? 0 : failures + 1;
        const reason = (error instanceof Error ? error.message : String(error)).slice(0, longestReason);
        say('failed', reason, error instanceof ToolEnded ? error.failure : { code: 'ended', detail: reason });
        const seconds = backoffSeconds(failures, waits, random());
        await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
      }
    }
  };

  return {
    origin: () => (port === null ? null : `http://127.0.0.1:${port}`),
    status: async () => ({ ...current, since: new Date(current.since).toISOString() }),
    start: () => {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      if (current.state !== 'off') say('off');
    },
  };
}

/** The exit code of a program, or the signal that ended it. Kills it and everything it has started when `signal` is aborted. */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<number | string> {
  const kill = (how: NodeJS.Signals) => {
    try {
      // Kills the whole process group, which includes npm and compilers.
      if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, how);
    } catch {
      // The process no longer exists.
    }
  };
  let patience: NodeJS.Timeout | undefined;
  const end = () => {
    kill('SIGTERM');
    patience = setTimeout(() => kill('SIGKILL'), endsWithinMs);
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const [code, by] = await once(child, 'close');
    return by ?? code;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', end);
  }
}

const onLine = (stream: Readable | null, take: (line: string) => void) =>
  stream === null
    ? undefined
    : createInterface(stream).on('line', (text) => {
        if (text.trim() !== '') take(text.trim().slice(0, longestLine));
      });

const logLine = z.looseObject({ level: z.string(), msg: z.string().default('') });

/** A line of the tool's log as one of the portal's. */
function passOnLine(text: string, log: ChildParts['log']): void {
  const { data } = logLine.safeParse(parseJson(text));
  if (data === undefined) {
    log.info({ part: 'dashboards' }, text);
    return;
  }
  const { level, msg, time: _time, service: _service, ...fields } = data;
  log[level === 'info' || level === 'debug' ? 'info' : 'warn']({ ...fields, part: 'dashboards' }, msg);
}
