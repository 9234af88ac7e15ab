import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { type Config, readConfig } from './config.ts';
import { DomainError } from './domain/errors.ts';
import { createLog } from './logging.ts';
import { shippedAdmin } from './settings/definitions.ts';
import { type Portal, startPortal } from './startup.ts';

const workingFolder = process.cwd();
const log = createLog();
const stopping = new AbortController();
let portal: Portal | undefined;

await main();

async function main(): Promise<void> {
  const config = settings();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void onSignal(signal));
  process.on('uncaughtException', (error) => void onFatal(error));
  process.on('unhandledRejection', (error) => void onFatal(error));
  try {
    portal = await startPortal({
      config,
      log,
      now: Date.now,
      migrationsFolder: join(import.meta.dirname, '../migrations'),
      webFolder: join(import.meta.dirname, '../web/dist'),
      signal: stopping.signal,
    });
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    process.exit(refuse(error));
  }
  if (stopping.signal.aborted) return stop();
  if (config.environment === 'Development') process.stdout.write(banner(config, portal.address));
}

function settings(): Config {
  const result = readConfig({
    environment: process.env,
    envFile: readEnvFile(),
    workingFolder,
    defaultDataPath: join(workingFolder, 'data'),
    version: packageJson.version,
  });
  if ('config' in result) return result.config;
  process.stderr.write(`${result.violations.join('\n')}\n`);
  process.exit(1);
}

function readEnvFile(): string | undefined {
  const path = join(workingFolder, '.env');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    process.stderr.write(`The file .env in the working folder cannot be read (${String(code)}).\n`);
    process.exit(1);
  }
}

/** Errors that we throw say all there is to say; what surprised us is logged with its stack. */
function refuse(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = error instanceof DomainError || (error instanceof Error && error.constructor === Error);
  if (!isOurs) log.fatal({ err: error }, 'the portal did not start');
  process.stderr.write(`The portal did not start. ${message}\n`);
  return 1;
}

async function onSignal(signal: string): Promise<void> {
  if (stopping.signal.aborted) process.exit(1);
  log.info({ signal }, 'stopping');
  stopping.abort();
  if (portal !== undefined) await stop();
}

async function stop(): Promise<void> {
  await portal?.stop();
  log.info('stopped');
  process.exit(0);
}

async function onFatal(error: unknown): Promise<void> {
  log.fatal({ err: error }, 'an unexpected error; the portal stops');
  await portal?.stop().catch(() => undefined);
  process.exit(1);
}

function banner({ authentication, publicUrl, runMode }: Config, address: string): string {
  const { defaultAdminEmail, defaultAdminPassword } = authentication;
  const password = defaultAdminPassword === shippedAdmin.password ? `  password ${defaultAdminPassword}` : '';
  void publicUrl;
  return `\n  The portal (${runMode}) listens on ${address}\n  Sign in as ${defaultAdminEmail}${password}\n\n`;
}
