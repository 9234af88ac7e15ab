import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { PortalContext } from './compose.ts';
import type { ChildParts } from './dashboards/child.ts';
import { openChildTool } from './dashboards/start-tool.ts';
import type { Config } from './settings/config.ts';
import { formatAddress } from './settings/kinds.ts';
import { chooseEngine } from './database/engines/choose-engine.ts';
import { migrate, readMigrations, refuseDatabaseOfOtherMode } from './database/migrator.ts';
import { dashboardRole, ensureDashboardRole } from './dashboards/dashboard-role.sql.ts';
import { measurementsOf } from './database/engines/engine.ts';
import { assertConnectionsFit, shares } from './base/budgets.ts';
import { Database } from './database/pool.ts';
import { findDatabase, waitUntilReachable } from './database/open-database.ts';
import type { App } from './http/guard.ts';
import { StartingServer } from './http/starting-server.ts';
import type { AccountParts } from './accounts/sign-in-attempts.ts';
import { refuseShippedPassword, seedDefaultAdmin } from './accounts/accounts.ts';
import { seedBranding } from './branding/branding.ts';
import { seedAlarmRules } from './alarms/alarm-rules.ts';
import { seedEmbeddedDashboards } from './dashboards/embedded-dashboards.ts';
import { shippedAdmin } from './settings/definitions.ts';

const databasePatienceMs = 30_000;
const drainMs = 10_000;
const sweepMs = 200;

export interface StartOptions {
  config: Config;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
  migrationsFolder: string;
  /** The parts with which the dashboard tool is started, if this portal may start one. */
  tool?: Pick<ChildParts, 'projectFolder' | 'environment'>;
  demo?: PortalContext['demo'];
  webFolder: string;
  /** Aborted when the process is told to stop while it still starts. */
  signal: AbortSignal;
}

export interface Portal {
  /** `http://127.0.0.1:8080`, with the port that was taken. */
  address: string;
  /** Stops accepting, finishes current work, then stops everything that was started. */
  stop: () => Promise<void>;
}

/**
 * Starts the portal in the order of decisions.md 8. Settings and guards have been checked before. If a step fails, the earlier
 * steps are undone. Until the portal listens, a small server answers `/health` and `/health/ready`.
 */
export async function startPortal(options: StartOptions): Promise<Portal> {
  const resources = new AsyncDisposableStack();
  try {
    const address = await start(options, resources);
    return { address, stop: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function start(options: StartOptions, resources: AsyncDisposableStack): Promise<string> {
  const { config, log, now, signal, webFolder } = options;
  assertConnectionsFit();
  const steps = startSteps();
  const starting = await listenWhileStarting(config, log);
  let isHandedOver = false;
  resources.defer(() => (isHandedOver ? undefined : starting.close()));

  starting.say('database');
  // Most of the program is loaded while the database starts.
  const loading = import('./compose.ts');
  loading.catch(() => undefined);
  const connectionString = await findDatabase(options, resources);
  const { compose, startBackground } = await loading;
  const database = new Database(connectionString, {
    onIdleError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
  });
  resources.defer(() => within(drainMs, database.close()));

  await waitUntilReachable(database, {
    patienceMs: databasePatienceMs,
    signal,
    onWaiting: (reason) => log.warn({ reason }, 'waiting for the database'),
  });
  steps.end('database');
  await refuseDatabaseOfOtherMode(database, config.runMode);
  await applyMigrations(database, options, starting);
  steps.end('migrations');
  signal.throwIfAborted();

  const { compressAfterDays } = config.database;
  const tell = (fields: object, message: string) => {
    const detail = [message, ...Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)].join(', ');
    starting.say('preparation', detail);
    log.info(fields, message);
  };
  const engineLog = { info: tell, warn: (fields: object, message: string) => log.warn(fields, message) };
  const engine = await chooseEngine(database, {
    table: measurementsOf(config.runMode),
    compressAfterDays,
    now,
    log: engineLog,
  });
  await engine.prepare(database.within(shares.background));
  await grantToDashboards(database, log);
  steps.end('engine');

  const tool = await openChildTool(options, { database, connectionString });
  resources.defer(() => tool?.stop());
  const context: PortalContext = { config, database, engine, log, now, webFolder, demo: options.demo, tool };
  const background = startBackground(context);
  resources.defer(() => within(drainMs, background.stop()));
  context.onStored = background.onStored;
  context.pushNow = background.pushNow;
  context.demoPercent = background.demoPercent;
  const { accountPartsOf } = await import('./accounts/open.ts');
  await seed(context, accountPartsOf(context));
  const app = await compose(context);
  resources.defer(() => closeApp(app));
  signal.throwIfAborted();
  steps.end('portal');
  const address = await listen(app, config, starting);
  isHandedOver = true;
  steps.end('listen');
  log.info({ address }, steps.summary());
  background.onListening();
  tool?.start();
  return address;
}

/** The duration of each step of a start, measured from the beginning of the process. */
function startSteps() {
  const taken: string[] = [];
  let endedAt = 0;
  const end = (step: string) => {
    const now = performance.now();
    taken.push(`${step} ${Math.round(now - endedAt)}`);
    endedAt = now;
  };
  end('program');
  return { end, summary: () => `ready in ${Math.round(endedAt)} ms: ${taken.join(', ')}` };
}

async function applyMigrations(
  database: Database,
  { config, log, migrationsFolder }: StartOptions,
  starting: StartingServer,
): Promise<void> {
  const migrations = await readMigrations(migrationsFolder, config.runMode);
  starting.say('otherPortal');
  await migrate(
    database,
    migrations,
    ({ stream, name }) => log.info({ migration: `${stream}/${name}` }, 'migrated'),
    ({ stream, name }) => starting.say('preparation', `migration ${stream}/${name}`),
  );
}

/** The portal works without this role, because only the dashboard tool needs it. */
async function grantToDashboards(database: Database, log: FastifyBaseLogger): Promise<void> {
  try {
    if ((await ensureDashboardRole(database)) === 'ready') return;
    log.info(
      { role: dashboardRole },
      'the database lacks the role of the dashboard tool, and this account may not create it; see docs/operations.md',
    );
  } catch (error) {
    log.warn({ err: error, role: dashboardRole }, 'could not grant access to the role of the dashboard tool');
  }
}

async function listenWhileStarting(config: Config, log: FastifyBaseLogger): Promise<StartingServer> {
  const { host, port } = config.listen;
  const starting = new StartingServer({
    publicUrl: config.publicUrl,
    branding: config.whiteLabel,
    onLongWait: (waitingFor) => log.info({ waitingFor }, 'startup is waiting'),
  });
  try {
    // A single address. For the name localhost Fastify would start a second server, to which our limits would not apply.
    const { address } = await lookup(host, { order: 'ipv4first' });
    await starting.listen(address, port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = new Map<unknown, string>([
      ['EADDRINUSE', 'another program already listens there'],
      ['EACCES', 'this account may not listen there'],
      ['EADDRNOTAVAIL', 'this machine does not have that address'],
      ['ENOTFOUND', 'no host has that name'],
    ]).get(code);
    if (reason === undefined) throw error;
    throw new Error(
      `Cannot listen on ${formatAddress({ host, port })}: ${reason}. Change Application__ListenAddress.`,
      {
        cause: error,
      },
    );
  }
  return starting;
}

/** The portal takes over the socket of the starting server. */
async function listen(app: App, { listen: { host, port } }: Config, starting: StartingServer): Promise<string> {
  const place = { host: '127.0.0.1', handle: starting.handOver(app.server) };
  await app.listen(place);
  const taken = app.server.address();
  return `http://${formatAddress(typeof taken === 'object' && taken !== null ? { host, port: taken.port } : { host, port })}`;
}

/** Requests under way get ten seconds. Then their connections are closed. */
async function closeApp(app: App): Promise<void> {
  // A connection becomes idle as soon as its last response has been sent.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Waits for `work`, but not longer than `milliseconds`. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  timer.abort();
}

/** Writes what every portal has from its first start on. In Production, the shipped administrator password is rejected. */
export async function seed(
  { config, database, log }: Pick<PortalContext, 'config' | 'database' | 'log'>,
  accounts: AccountParts,
): Promise<void> {
  await seedBranding({ database, whiteLabel: config.whiteLabel });
  const { defaultAdminEmail: email, defaultAdminPassword: password } = config.authentication;
  const by = { actor: { kind: 'system' }, log } as const;
  if (await seedDefaultAdmin(accounts, by, { email, password }))
    log.info({ email }, 'created the default admin account');
  if (config.environment === 'Production') {
    await refuseShippedPassword(accounts, [email, shippedAdmin.email], shippedAdmin.password);
  }
  await seedEmbeddedDashboards(database);
  await seedAlarmRules(database, config.runMode);
}
