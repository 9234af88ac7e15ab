import packageJson from '../package.json' with { type: 'json' };
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './settings/read-config.ts';
import type { Config, OneRunOptions } from './settings/config.ts';
import { defaultDataPath } from './database/local/local-database.ts';
import { DomainError } from './base/errors.ts';
import { createLog } from './logging.ts';
import { shippedAdmin } from './settings/definitions.ts';
import { type Portal, startPortal } from './startup.ts';
import type { portalCommands } from './usage.mjs';

const projectFolder = join(import.meta.dirname, '..');
const workingFolder = process.cwd();
// A terminal sends a signal to every process of a group, and npm forwards it as well. Both together count as one signal.
const sameWishMs = 500;
// Longer than everything that a stop waits for. If anything still runs after this, it hangs.
const stopPatienceMs = 30_000;

const log = createLog();
const stopping = new AbortController();
let stoppingSince = 0;
let exitCode = 0;
let portal: Portal | undefined;

const migrationsFolder = join(projectFolder, 'migrations');

interface Command {
  /** Runs the command, and returns the message for the person. */
  run: (options: OneRunOptions) => Promise<string | undefined>;
  failure: string;
}

// Each command loads its modules on demand. `health` needs none of them.
const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
    'rebuild-energy': {
      run: async (options) => (await import('./energy/rebuild-energy.ts')).rebuildAllEnergy(options),
      failure: 'The energy was not rebuilt.',
    },
    backup: {
      run: async (options) => (await import('./backup/backup.ts')).backUpPortal(options),
      failure: 'No backup was made.',
    },
    'check-backup': {
      run: async (options) => (await import('./backup/restore.ts')).checkBackupFile(options),
      failure: 'The backup cannot be restored.',
    },
    'demo-fleet': {
      run: async (options) => (await import('./demo-fleet.ts')).runDemoFleet(options),
      failure: 'The demo fleet did not start.',
    },
    'register-customer': {
      run: async (options) => (await import('./fleet/register-customer.ts')).registerCustomer(options),
      failure: 'The customer was not registered.',
    },
    restore: {
      run: async (options) => (await import('./backup/restore.ts')).restorePortal(options),
      failure: 'Nothing was restored.',
    },
  } satisfies Record<Exclude<keyof typeof portalCommands, 'health'>, Command>),
);

/** Starts the portal or runs a command, depending on the arguments. */
export async function runProgram(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = settings(environment);
  const tool = { projectFolder, environment };
  process.stdout.on('error', () => undefined);
  const command = commands.get(process.argv[2] ?? '');
  if (command !== undefined) return runCommand(command, config, tool);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, onUnexpected);
  try {
    portal = await startPortal({
      config,
      log,
      now: Date.now,
      migrationsFolder,
      webFolder: join(projectFolder, 'web/dist'),
      tool,
      signal: stopping.signal,
    });
  } catch (error) {
    if (!stopping.signal.aborted) explain(error);
    process.exit(exitCode);
  }
  if (stopping.signal.aborted) await finish(portal);
  else if (config.environment === 'Development') process.stdout.write(banner(config, portal.address));
}

/** Runs a one-off command; a second signal ends it at once. */
async function runCommand({ run, failure }: Command, config: Config, tool: OneRunOptions['tool']): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => (stopping.signal.aborted ? onSignal(signal) : abortCommand()));
  }
  try {
    const words = process.argv.slice(3);
    const { signal } = stopping;
    const summary = await run({ config, log, migrationsFolder, now: Date.now, signal, tool, words });
    if (summary !== undefined) process.stdout.write(`${summary}\n`);
  } catch (error) {
    if (!stopping.signal.aborted) explain(error, failure);
    process.exit(stopping.signal.aborted ? 1 : exitCode);
  }
}

function abortCommand(): void {
  stoppingSince = performance.now();
  stopping.abort();
}

/** Exits with all violations, one per line, if the settings do not allow a start. */
function settings(environment: NodeJS.ProcessEnv): Config {
  const result = readConfig({
    environment,
    envFile: readEnvFile(),
    workingFolder,
    defaultDataPath: defaultDataPath(workingFolder),
    version: packageJson.version,
  });
  if ('config' in result) return result.config;
  process.stderr.write(`${result.violations.join('\n')}\n`);
  process.exit(1);
}

function readEnvFile(): string | undefined {
  try {
    return readFileSync(join(workingFolder, '.env'), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    process.stderr.write(`The file .env in the working folder cannot be read (${String(code)}).\n`);
    process.exit(1);
  }
}

/** The message of an expected error explains it fully. Unexpected errors are logged with their stack. */
function explain(error: unknown, what = 'The portal did not start.'): void {
  exitCode = 1;
  const isOurs = error instanceof DomainError || (error instanceof Error && error.constructor === Error);
  if (!isOurs) log.fatal({ err: error }, 'the portal did not start');
  process.stderr.write(`${what} ${error instanceof Error ? error.message : String(error)}\n`);
}

function onSignal(signal: NodeJS.Signals): void {
  if (!stopping.signal.aborted) {
    log.info({ signal }, 'stopping');
    beginStop();
  } else if (performance.now() - stoppingSince > sameWishMs) {
    log.warn({ signal }, 'stopping immediately');
    process.exit(1);
  }
}

function onUnexpected(error: unknown): void {
  exitCode = 1;
  log.fatal({ err: error }, 'unexpected error; stopping');
  if (!stopping.signal.aborted) beginStop();
}

/** If the portal is still starting, it stops itself when this signal is aborted. */
function beginStop(): void {
  stoppingSince = performance.now();
  setTimeout(() => process.exit(1), stopPatienceMs);
  stopping.abort();
  if (portal !== undefined) void finish(portal);
}

async function finish(started: Portal): Promise<void> {
  try {
    await started.stop();
    log.info('stopped');
  } catch (error) {
    exitCode = 1;
    log.error({ err: error }, 'the portal could not stop cleanly');
  }
  process.exit(exitCode);
}

function banner({ authentication, runMode }: Config, address: string): string {
  const { defaultAdminEmail: email, defaultAdminPassword: password } = authentication;
  // A chosen password is never printed.
  const hint = password === shippedAdmin.password ? ` and ${password}, unless you have changed it` : '';
  return `\n  The ${runMode} portal is ready: ${address}\n  Sign in as ${email}${hint}.\n\n`;
}
