import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { Database } from '../../server/database/pool.ts';
import { type EndedPortal, runPortalToItsEnd } from './portal.ts';
import type { TestDatabase } from './postgres.ts';

export type Environment = Readonly<Record<string, string>>;

/** `npm run backup`, to its end. */
export const backUp = (to: string, environment: Environment, folder?: string): Promise<EndedPortal> =>
  runPortalToItsEnd({ environment, words: ['backup', '--to', to], ...(folder === undefined ? {} : { folder }) });

/** `npm run restore`, to its end. */
export const restoreFrom = (from: string, environment: Environment, folder?: string): Promise<EndedPortal> =>
  runPortalToItsEnd({ environment, words: ['restore', '--from', from], ...(folder === undefined ? {} : { folder }) });

/** The settings of a portal on that database that keeps its files in that folder. */
export const settingsOf = (connectionString: string, folder: string): Environment => ({
  Database__ConnectionString: connectionString,
  Storage__KeysPath: join(folder, 'keys'),
  Storage__UploadsPath: join(folder, 'uploads'),
});

// Nothing is left out but what belongs to PostgreSQL and its extensions; a partition is part of its parent.
const LIST_ALL_TABLES = {
  text: `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema'
           AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT LIKE '\\_timescaledb\\_%' ORDER BY 1`,
};

/** How many rows each table of a database has, and a digest of them all: the same where every row is. */
export async function digestTables(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string }>(LIST_ALL_TABLES);
  const digests: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await database.query<{ digest: string }>({
      text: `SELECT count(*) || ' ' || md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS digest
             FROM ${name} t`,
    });
    digests[name] = found.rows[0]?.digest ?? '';
  }
  return digests;
}

/** Starts a command of the real program, and gives it the signal as soon as a COPY of measurements is under way. */
export async function interruptCopy(
  words: readonly string[],
  environment: Environment,
  signal: NodeJS.Signals,
): Promise<number | NodeJS.Signals> {
  const program = join(import.meta.dirname, '../../server/main.mjs');
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const database = new Database(environment['Database__ConnectionString'] ?? '', { maxConnections: 1 });
  try {
    while (isRunning(child) && !(await isCopying(database))) await sleep(5);
    if (!isRunning(child)) throw new Error('It ended before it copied the measurements.');
    child.kill(signal);
    await ended;
    return child.signalCode ?? child.exitCode ?? 0;
  } finally {
    await database.close();
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

async function isCopying(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ isCopying: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_stat_activity
                          WHERE datname = current_database() AND query ~ '^COPY .*monitoring[.]measurements' AND state = 'active'
                            AND clock_timestamp() - query_start > interval '0.3 s') AS "isCopying"`,
  });
  return rows[0]?.isCopying === true;
}

export const INSERT_MUNICIPALITY = `INSERT INTO monitoring.municipalities (id, name, time_zone) VALUES (gen_random_uuid(), 'Here', 'Europe/Berlin')`;
const INSERT_METER = [
  INSERT_MUNICIPALITY,
  `INSERT INTO monitoring.sites (id, name, municipality_id) SELECT gen_random_uuid(), 'Site', id FROM monitoring.municipalities`,
  `INSERT INTO monitoring.devices (id, site_id, name, external_id) SELECT gen_random_uuid(), id, 'Meter', 'meter' FROM monitoring.sites`,
];
const insertMeasurements = (count: number) =>
  `INSERT INTO monitoring.measurements (time, device_number, active_power_milliwatts, energy_imported_milliwatthours)
   SELECT timestamptz '2026-03-01Z' + at * interval '5 s', 1, at::bigint * 7919 % 1000003, at::bigint * 1000 FROM generate_series(1, ${count}) at`;
const silent = { info: () => undefined, warn: () => undefined };

/** A meter with this many readings, in a database that may be of an older version. */
export const fillWithMeasurements = (made: TestDatabase, count: number) =>
  onDatabase(made, async (database) => {
    const engine = await chooseEngine(database, { compressAfterDays: 7, now: Date.now, log: silent });
    await engine.prepare(database);
    await engine.ensurePartitions(database, [Date.UTC(2026, 2, 1) * 1000]);
    for (const text of [...INSERT_METER, insertMeasurements(count)]) await database.query({ text });
  });

export async function onDatabase<T>(
  { connectionString }: TestDatabase,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = new Database(connectionString, { maxConnections: 3 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
