import type { FastifyBaseLogger } from 'fastify';
import { createAccountParts, seedDefaultAdmin } from './commands/accounts.ts';
import { createIngest } from './commands/ingest.ts';
import { createPasswords } from './commands/passwords.ts';
import type { Config } from './config.ts';
import type { Database } from './db/pool.ts';
import type { TimeSeriesEngine } from './db/time-series-engine.ts';
import { accountRoutes } from './http/accounts.ts';
import { createApp, type App } from './http/app.ts';
import { dashboardRoutes } from './http/dashboard.ts';
import { createGuard, type Guard } from './http/guard.ts';
import { ingestRoutes } from './http/ingest.ts';
import { measurementRoutes } from './http/measurements.ts';
import { openSessionKeys } from './http/session-keys.ts';
import { createSessions } from './http/sessions.ts';

/** Everything that the parts share. Time comes in from outside, so that tests can set it. */
export interface Context {
  config: Config;
  database: Database;
  engine: TimeSeriesEngine;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Builds the application of this run mode: the one place that knows which groups of routes a mode has. */
export async function compose(context: Context): Promise<App> {
  const { config, database, log, now } = context;
  const app = await createApp({ log, publicUrl: config.publicUrl, trustedProxies: config.trustedProxies });

  const keys = await openSessionKeys({
    folder: config.storage.keysPath,
    now,
    onProblem: (error) => log.warn({ err: error }, 'the session keys could not be read or replaced'),
  });
  const sessions = createSessions({ database, keys, publicUrl: config.publicUrl, now });
  const guard = createGuard({ findSession: sessions.find, isIngestKey: async () => false });

  const accounts = createAccountParts(database, createPasswords(), now);
  const { defaultAdminEmail: email, defaultAdminPassword: password } = config.authentication;
  if (await seedDefaultAdmin(accounts, { email, password })) log.info({ email }, 'created the default admin account');
  await accountRoutes(app, { accounts, guard, sessions });
  if (config.runMode === 'Client') await clientRoutes(app, context, guard);
  return app;
}

/** What a customer's stack has beyond the common groups. */
async function clientRoutes(app: App, { config, database, engine, now }: Context, guard: Guard): Promise<void> {
  const ingest = createIngest({ database, engine, now });
  // In a scope of its own, because it reads JSON bodies in its own way.
  await app.register(async (scope) => ingestRoutes(scope, { guard, ingest, recordIngest: () => undefined }));
  await measurementRoutes(app, { guard, database });
  await dashboardRoutes(app, { guard, database, timeZone: config.timeZone, now });
}
