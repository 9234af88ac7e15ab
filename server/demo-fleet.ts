import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { readConfig } from './settings/read-config.ts';
import { startLocalDatabase } from './database/local/local-database.ts';
import { Database } from './database/pool.ts';
import { demoSites } from './demo/sites.ts';
import type { OneRunOptions } from './settings/config.ts';
import { findToken, signInToFleet } from './fleet/register-customer.ts';
import { shippedAdmin } from './settings/definitions.ts';
import { formatAddress } from './settings/kinds.ts';
import { type Portal, startPortal, type StartOptions } from './startup.ts';

/** Each Client shows one site of the demo. */
const customers = [
  { code: 'riverside', name: 'Riverside Offices', color: '#0b7285', sites: demoSites.slice(0, 1) },
  { code: 'hillside', name: 'Hillside Works', color: '#5f3dc4', sites: demoSites.slice(1, 2) },
  { code: 'lakeside', name: 'Lakeside Foods', color: '#2b8a3e', sites: demoSites.slice(2) },
];
const silentOne = 'Lakeside Foods';
const usualSilentAfterMinutes = 3;
/** So many days that one can look at a week. Pushing them takes less than half a minute. */
const historyDays = 7;
/** The first free port counts; the search begins at the port in the settings. */
const portsToTry = 50;
const webFolder = join(import.meta.dirname, '../web/dist');

/**
 * `npm run demo:fleet`: an Admin and three Clients with demo data, on four databases of one local PostgreSQL. The Clients are
 * registered and push like any others. The Admin has the dashboard tool. After a while the connection of the last Client is
 * cut. The demo runs until you stop it, and continues with the same data next time.
 */
export async function runDemoFleet(options: OneRunOptions): Promise<undefined> {
  const { config, signal } = options;
  const silentAfterMinutes = readWords(options.words);
  const folder = join(config.storage.dataPath, 'demo-fleet');
  const log = options.log.child({}, { level: 'warn' });
  await using resources = new AsyncDisposableStack();
  const local = await startLocalDatabase({ dataPath: folder, log, signal });
  resources.defer(() => local.stop());
  await makeDatabases(local.connectionString, ['fleet', ...customers.map(({ code }) => code)]);

  const portals: Portal[] = [];
  resources.defer(async () => void (await Promise.all(portals.map((portal) => portal.stop()))));

  const { host } = config.listen;
  let { port } = config.listen;
  const start = async (code: string, environment: Record<string, string>, demo?: StartOptions['demo']) => {
    for (let attempt = 1; ; attempt += 1) {
      const own = configOf(options, join(folder, code), {
        Application__ListenAddress: formatAddress({ host, port }),
        Database__ConnectionString: databaseNamed(code, local.connectionString),
        ...environment,
      });
      port = port === 0 ? 0 : port + 1;
      try {
        const portal = await startPortal({
          ...options,
          config: own,
          log: log.child({ portal: code }),
          webFolder,
          demo,
        });
        portals.push(portal);
        return portal.address;
      } catch (error) {
        const isTaken = error instanceof Error && Object.assign({ code: '' }, error.cause).code === 'EADDRINUSE';
        if (!isTaken || attempt === portsToTry) throw error;
      }
    }
  };

  const fleet = await start('fleet', {
    Application__RunMode: 'Admin',
    WhiteLabel__ApplicationName: 'Demo Fleet',
    Dashboard__Start: String(config.dashboard.start),
  });
  const tokens = await registerCustomers(fleet, join(folder, 'tokens.json'));
  const line = resources.use(await layLine(fleet));
  const lines = [`${'The fleet'.padEnd(20)}${fleet}`];
  for (const { code, name, color, sites } of customers) {
    const environment = {
      WhiteLabel__ApplicationName: name,
      WhiteLabel__PrimaryColor: color,
      // The Clients have no tool, because each tool is a process.
      Dashboard__Start: 'false',
      Demo__Enabled: 'true',
      FleetIngest__Enabled: 'true',
      FleetIngest__Url: `${name === silentOne ? line.address : fleet}/api/fleet/ingest`,
      FleetIngest__Token: tokens.get(code) ?? '',
      FleetIngest__IntervalSeconds: '5',
      // Someone who tries the demo should not wait for minutes after a failure.
      FleetIngest__BackoffMinSeconds: '5',
      FleetIngest__BackoffMaxSeconds: '15',
    };
    lines.push(
      `${name.padEnd(20)}${await start(code, environment, { historyDays, sites, world: 'SeveralCountries' })}`,
    );
  }
  print([
    '',
    'The demo fleet is ready:',
    '',
    ...lines,
    '',
    ...(config.dashboard.start
      ? ['Dashboards of the fleet need some minutes at the first start; the page says how far they are.']
      : []),
    `Sign in to each as ${shippedAdmin.email} and ${shippedAdmin.password}, unless you have changed it.`,
    `In ${silentAfterMinutes} min the line between ${silentOne} and the fleet is cut.`,
    'Ctrl-C ends all of it; the next time it goes on with what is there.',
    '',
  ]);
  await sleep(silentAfterMinutes * 60_000, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return;
  await line.cut();
  print([
    `The line between ${silentOne} and the fleet is cut: it measures on, and its Settings say what waits to be pushed.`,
    'The fleet calls it silent ten minutes after its last push. At the next start the line is whole, and what waited arrives.',
    '',
  ]);
  if (!signal.aborted) await once(signal, 'abort');
}

/** Minutes until the connection of one Client is cut. */
function readWords(words: readonly string[]): number {
  if (words.length === 0) return usualSilentAfterMinutes;
  const [option, value, ...others] = words;
  const minutes = Number(value);
  if (option === '--silent-after' && value !== undefined && minutes >= 0 && others.length === 0) return minutes;
  throw new Error(`demo:fleet takes --silent-after <minutes> and nothing else; got "${words.join(' ')}".`);
}

function configOf({ config }: OneRunOptions, folder: string, environment: Record<string, string>) {
  const { version } = config;
  const found = readConfig({
    environment,
    envFile: undefined,
    workingFolder: folder,
    defaultDataPath: folder,
    version,
  });
  if ('violations' in found) throw new Error(found.violations.join('\n'));
  return found.config;
}

/** The push token of each customer. Customers without one are created in the fleet, or get a new one. */
async function registerCustomers(address: string, file: string): Promise<ReadonlyMap<string, string>> {
  const kept: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const tokens = new Map(Object.entries(z.record(z.string(), z.string()).parse(kept)));
  const missing = customers.filter(({ code }) => !tokens.has(code));
  if (missing.length === 0) return tokens;
  const ask = await signInToFleet(address, shippedAdmin);
  for (const { code, name } of missing) tokens.set(code, await findToken(ask, { code, name, mayRotate: true }));
  await writeFile(file, JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 });
  return tokens;
}

async function makeDatabases(connectionString: string, names: readonly string[]): Promise<void> {
  const database = new Database(connectionString, { maxConnections: 1 });
  try {
    const { rows } = await database.query<{ name: string }>({ text: 'SELECT datname AS name FROM pg_database' });
    const there = new Set(rows.map(({ name }) => name));
    for (const name of names) if (!there.has(name)) await database.query({ text: `CREATE DATABASE ${name}` });
  } finally {
    await database.close();
  }
}

function databaseNamed(name: string, connectionString: string): string {
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  return address.href;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `  ${line}`.trimEnd()).join('\n') + '\n');
}

/** A connection between two portals of the demo that can be cut. */
export interface Line extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, which leads to the far end. */
  address: string;
  cut: () => Promise<void>;
}

export async function layLine(farAddress: string): Promise<Line> {
  const { hostname, port } = new URL(farAddress);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname.replaceAll(/[[\]]/g, ''));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const cut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cut,
    [Symbol.asyncDispose]: cut,
  };
}
