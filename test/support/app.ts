import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountPartsOf } from '../../server/accounts/open.ts';
import { compose, type PortalContext } from '../../server/compose.ts';
import { readConfig } from '../../server/settings/read-config.ts';
import type { Config } from '../../server/settings/config.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import type { Share } from '../../server/base/budgets.ts';
import { Database } from '../../server/database/pool.ts';
import { clientMeasurements, fleetMeasurements, type TimeSeriesEngine } from '../../server/database/engines/engine.ts';
import type { HashCost } from '../../server/accounts/passwords.ts';
import type { App } from '../../server/http/guard.ts';
import { createLog } from '../../server/logging.ts';
import { seed } from '../../server/startup.ts';

export interface TestAppOptions {
  /** Settings beside those that the test application needs, such as `{ WhiteLabel__ApplicationName: 'Acme' }`. */
  environment?: Readonly<Record<string, string>>;
  /** Epoch milliseconds; the machine's clock where it is left out. */
  now?: () => number;
  /** A database that the test made; without it the application gets, and drops, its own. */
  connectionString?: string;
  /** How long the database may take for a person; as in production where it is left out. */
  share?: Share;
  /** Of hashing a password; next to none where it is left out, because that of production takes 30 ms each time. */
  hashCost?: HashCost;
  postToBrowsers?: PortalContext['postToBrowsers'];
}

const leastCost: HashCost = { memoryKib: 8, passes: 1, parallelism: 1 };

export interface TestApp extends AsyncDisposable {
  app: App;
  config: Config;
  database: Database;
  engine: TimeSeriesEngine;
  /** Every line that was logged, parsed. */
  log: Record<string, unknown>[];
  /** The cookie header of a new session; of the default admin where nobody is named. */
  signIn: (account?: { email: string; password: string }) => Promise<{ cookie: string }>;
  close: () => Promise<void>;
}

/** The whole application on a database of its own, without a port: ask it with `app.inject`. A Client, unless the environment says Admin. */
export async function createTestApp({
  environment = {},
  now = Date.now,
  connectionString,
  share,
  hashCost = leastCost,
  postToBrowsers,
}: TestAppOptions = {}): Promise<TestApp> {
  const resources = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'portal-app-'));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const isAdmin = environment['Application__RunMode'] === 'Admin';
    const make = async () => {
      // Only in a process of Vitest.
      const { createTestDatabase } = await import('./postgres.ts');
      return resources.use(await createTestDatabase(isAdmin ? 'admin' : 'client')).connectionString;
    };
    const config = configOf(folder, {
      Database__ConnectionString: connectionString ?? (await make()),
      ...environment,
    });
    const database = new Database(config.database.connectionString ?? '', share && { share });
    resources.defer(() => database.close());
    const lines: Record<string, unknown>[] = [];
    const log = createLog({ write: (line) => lines.push(JSON.parse(line)) });
    const { compressAfterDays } = config.database;
    const table = isAdmin ? fleetMeasurements : clientMeasurements;
    const engine = await chooseEngine(database, { table, compressAfterDays, now, log });
    await engine.prepare(database);
    lines.length = 0;

    const context = { config, database, engine, log, now, hashCost };
    await seed(context, accountPartsOf(context));
    const app = await compose({ ...context, postToBrowsers });
    resources.defer(() => app.close());
    await app.ready();

    const { defaultAdminEmail: email, defaultAdminPassword: password } = config.authentication;
    const close = () => resources.disposeAsync();
    return {
      app,
      config,
      database,
      engine,
      log: lines,
      signIn: (account = { email, password }) => signIn(app, account),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** The same of an Admin. */
export const createAdminApp = ({ environment = {}, ...options }: TestAppOptions = {}): Promise<TestApp> =>
  createTestApp({ ...options, environment: { Application__RunMode: 'Admin', ...environment } });

function configOf(folder: string, environment: Record<string, string>): Config {
  const result = readConfig({
    environment,
    envFile: undefined,
    workingFolder: folder,
    defaultDataPath: join(folder, 'data'),
    version: '0.0.0-test',
  });
  if ('violations' in result) throw new Error(result.violations.join('\n'));
  return result.config;
}

async function signIn(app: App, account: { email: string; password: string }): Promise<{ cookie: string }> {
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload: account });
  const [session] = answer.cookies;
  if (answer.statusCode !== 200 || session === undefined) {
    throw new Error(`${account.email} could not sign in: ${answer.statusCode} ${answer.body}`);
  }
  return { cookie: `${session.name}=${session.value}` };
}
