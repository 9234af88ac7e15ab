import {
  clientMeasurements,
  commentAs,
  type EngineOptions,
  type KeptReadings,
  type MeasurementTable,
  putBack,
  setAside,
  type TimeSeriesEngine,
  violatesUniqueIndex,
} from './engine.ts';
import { shares } from '../../base/budgets.ts';
import type { Database, Queryable, Transaction } from '../pool.ts';
import { execute, findRow, findValue, listRows, listValues } from '../rows.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { storedQuantities } from '../../base/quantities.ts';
import { lockIngestExclusively } from '../ingest-lock.ts';

interface HypertableOptions extends EngineOptions {
  /** The version of the extension. */
  version: string;
}

const DROP_CHUNKS = `SELECT drop_chunks('monitoring.measurements',
                            older_than => timestamptz 'epoch' + $1::bigint * interval '1 microsecond')`;

/**
 * The fleet's hourly aggregate by device. It shows new rows at once (specification, Startup 3); late rows older than 30 days
 * appear after somebody refreshes it. The portal itself reads slots, because hourly values lack the energy between hours.
 */
const CREATE_HOURS = `CREATE MATERIALIZED VIEW IF NOT EXISTS fleet.device_hours
           WITH (timescaledb.continuous, timescaledb.materialized_only = false) AS
         SELECT customer_id, device_number, time_bucket(INTERVAL '1 hour', time) AS hour, count(*) AS samples,
                sum(active_power_milliwatts) AS power_sum, min(active_power_milliwatts) AS power_min,
                max(active_power_milliwatts) AS power_max
         FROM fleet.measurements GROUP BY 1, 2, 3 WITH NO DATA`;
const ADD_HOURS_POLICY = `SELECT add_continuous_aggregate_policy('fleet.device_hours', start_offset => INTERVAL '30 days',
           end_offset => INTERVAL '1 hour', schedule_interval => INTERVAL '1 hour', if_not_exists => true)`;
const LACKS_COMMENTS = `SELECT obj_description('fleet.device_hours'::regclass) IS NULL AS "lacksComments"`;
const COMMENTS = [
  ['VIEW fleet.device_hours', 'Measurements of each device by hour (specification, Startup 3).'],
  ['COLUMN fleet.device_hours.customer_id', 'fleet.customers.id.'],
  ['COLUMN fleet.device_hours.device_number', 'fleet.devices.number, of the customer.'],
  ['COLUMN fleet.device_hours.hour', 'UTC instant at which the hour starts.'],
  ['COLUMN fleet.device_hours.samples', 'Number of measurements.'],
  ['COLUMN fleet.device_hours.power_sum', 'Sum of their active power, mW.'],
  ['COLUMN fleet.device_hours.power_min', 'Least active power, mW.'],
  ['COLUMN fleet.device_hours.power_max', 'Greatest active power, mW.'],
].map(([what, text]) => `COMMENT ON ${what} IS '${text}'`);

/** A hypertable of TimescaleDB, its older chunks compressed by device. */
export function timescaleHypertable(options: HypertableOptions): TimeSeriesEngine {
  const { version, compressAfterDays, table = clientMeasurements } = options;
  const statements = statementsFor(table);
  const isClient = table.schema === 'monitoring';
  return {
    name: `TimescaleDB ${version}`,
    async prepare(database) {
      await database.session(async (session) => {
        await execute(session, statements.lock);
        try {
          await convertToHypertable(database.within(shares.background), { ...options, table });
          await keepPolicy(session, statements, compressAfterDays);
          if (isClient) return;
          await execute(session, CREATE_HOURS);
          await execute(session, ADD_HOURS_POLICY);
          // Written only if they are missing, because writing a comment waits for a running refresh.
          if ((await findValue<boolean>(session, LACKS_COMMENTS)) !== true) return;
          for (const comment of COMMENTS) await execute(session, comment);
        } finally {
          await execute(session, statements.unlock).catch(() => undefined);
        }
      });
    },
    // Inserts create the chunks that they need.
    lacksPartitions: () => false,
    ensurePartitions: async () => undefined,
    isDuplicate: violatesUniqueIndex,
    dropBefore: isClient ? dropBefore : null,
  };
}

async function keepPolicy(session: Queryable, statements: Statements, compressAfterDays: number): Promise<void> {
  if ((await findValue<boolean>(session, statements.findPolicy, compressAfterDays)) === true) return;
  await execute(session, statements.removePolicy);
  await execute(session, statements.addPolicy, compressAfterDays);
}

async function dropBefore(tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]): Promise<void> {
  await setAside(tx, beforeMicros, kept);
  await execute(tx, DROP_CHUNKS, beforeMicros);
  // The rows of chunks that were not dropped are still in the table.
  await putBack(tx);
}

/** Helper objects of a conversion; they can be dropped without loss. */
export const conversionTables = ['monitoring', 'fleet'].flatMap((schema) => [
  `${schema}.measurements_next`,
  `${schema}.measurements_copied`,
]);

/** The statements for a table of measurements. */
function statementsFor({ schema, key, chunkDays }: MeasurementTable) {
  const table = `${schema}.measurements`;
  const columns = `${key}, time, received_at, ${storedQuantities.map(({ column }) => column).join(', ')}`;
  const isHypertable = `SELECT FROM timescaledb_information.hypertables
                        WHERE hypertable_schema = '${schema}' AND hypertable_name = 'measurements'`;
  return {
    // Two instances that start at once queue here; the second one finds it done.
    lock: `SELECT pg_advisory_lock(hashtext('${schema}.measurements engine'))`,
    unlock: `SELECT pg_advisory_unlock(hashtext('${schema}.measurements engine'))`,
    findPolicy: `SELECT (config ->> 'compress_after')::interval = make_interval(days => $1) AS "isSo" FROM timescaledb_information.jobs
           WHERE hypertable_schema = '${schema}' AND hypertable_name = 'measurements' AND proc_name = 'policy_compression'`,
    removePolicy: `SELECT remove_compression_policy('${schema}.measurements', if_exists => true)`,
    addPolicy: `SELECT add_compression_policy('${schema}.measurements', compress_after => make_interval(days => $1))`,
    findShape: `SELECT EXISTS (${isHypertable}) AS "isHypertable",
                    to_regclass('${table}_next') IS NOT NULL AS "isCopying"`,
    /** Builds the hypertable beside the existing table, which stays in use until all rows are copied. */
    makeNext: [
      `CREATE TABLE ${table}_next (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)`,
      commentAs(`${table}_next`, table),
      `CREATE UNIQUE INDEX measurements_next_device_time_key ON ${table}_next (${key}, time)`,
      `CREATE INDEX measurements_next_received_at ON ${table}_next USING brin (received_at)`,
      `SELECT create_hypertable('${table}_next', by_range('time', INTERVAL '${chunkDays} days'),
                                create_default_indexes => false)`,
      `ALTER TABLE ${table}_next SET (timescaledb.compress, timescaledb.compress_segmentby = '${key}',
                                      timescaledb.compress_orderby = 'time DESC')`,
      // Records which intervals are copied, so that an interrupted conversion can continue.
      `CREATE TABLE ${table}_copied (starts_at timestamptz PRIMARY KEY, copied_at timestamptz NOT NULL)`,
    ],
    swap: [
      `DROP TABLE ${table}`,
      `DROP TABLE ${table}_copied`,
      `ALTER TABLE ${table}_next RENAME TO measurements`,
      `ALTER INDEX ${schema}.measurements_next_device_time_key RENAME TO measurements_device_time_key`,
      `ALTER INDEX ${schema}.measurements_next_received_at RENAME TO measurements_received_at`,
    ],
    listIntervals: `SELECT starts_at::text AS "startsAt", starts_at IN (SELECT starts_at FROM ${table}_copied) AS "isCopied"
             FROM (SELECT DISTINCT time_bucket(INTERVAL '${chunkDays} days', time, timestamptz 'epoch') AS starts_at
                   FROM ${table}) intervals
             ORDER BY 1`,
    // Skips rows that an earlier start had copied before it was killed.
    copyInterval: `INSERT INTO ${table}_next (${columns})
             SELECT ${columns} FROM ${table}
             WHERE time >= $1::timestamptz AND time < $1::timestamptz + INTERVAL '${chunkDays} days' ON CONFLICT DO NOTHING`,
    noteInterval: `INSERT INTO ${table}_copied VALUES ($1, now())`,
    compressOld: `SELECT compress_chunk(chunk, if_not_compressed => true)
             FROM show_chunks('${table}_next', older_than => make_interval(days => $1)) chunk
             JOIN timescaledb_information.chunks c ON format('%I.%I', c.chunk_schema, c.chunk_name)::regclass = chunk
             WHERE NOT c.is_compressed`,
    lockBoth: `LOCK TABLE ${table}, ${table}_next IN ACCESS EXCLUSIVE MODE`,
    // Rows that another portal stored in the meantime, without those already copied. Index measurements_received_at.
    copyRest: `INSERT INTO ${table}_next (${columns})
             SELECT ${columns} FROM ${table} WHERE received_at >= $1::timestamptz ON CONFLICT DO NOTHING`,
    // received_at is the start of the transaction, and an ingest may take minutes: rows that a copy could not see yet were received
    // at most this long before it.
    findStart: `SELECT coalesce((SELECT min(copied_at) FROM ${table}_copied) - INTERVAL '15 minutes', '-infinity')::text AS since,
                    (now() - INTERVAL '15 minutes')::text AS next`,
    copyRights: `SELECT format('GRANT %s ON TABLE ${table}_next TO %s%s', granted.privilege_type,
                           coalesce(quote_ident(r.rolname), 'PUBLIC'), CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS text
             FROM pg_class c CROSS JOIN aclexplode(c.relacl) granted LEFT JOIN pg_roles r ON r.oid = granted.grantee
             WHERE c.oid = '${table}'::regclass
             UNION ALL
             SELECT format('ALTER TABLE ${table}_next OWNER TO %I', r.rolname)
             FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
             WHERE c.oid = '${table}'::regclass AND r.rolname <> current_user`,
    listDependents: `SELECT DISTINCT w.ev_class::regclass::text AS name FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
             WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = to_regclass('${table}')
               AND w.ev_class <> d.refobjid
               AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'timescaledb' AND EXISTS (${isHypertable}))
             ORDER BY 1`,
  };
}
type Statements = ReturnType<typeof statementsFor>;

/** The swap tries briefly and repeatedly to get the lock while someone reads for long. So it does not block others. */
const swapLockMs = 1_000;
const swapPauseMs = 5_000;

/** Views of the measurement table, which would prevent its replacement; empty once it is a hypertable. */
export const listDependents = (database: Database, table: MeasurementTable) =>
  listValues<string>(database, statementsFor(table).listDependents);

/**
 * Converts the measurement table, plain or in native partitions, to a hypertable. Each transaction copies one interval, older
 * ones are compressed at once, and the last transaction swaps the tables. Until then the old table is read and written as
 * before; a start after a crash continues. `database` must not limit statements.
 */
async function convertToHypertable(
  database: Database,
  { table, compressAfterDays, log }: { table: MeasurementTable; compressAfterDays: number; log: Log },
): Promise<void> {
  const statements = statementsFor(table);
  const shape = await findRow<{ isHypertable: boolean; isCopying: boolean }>(database, statements.findShape);
  if (shape?.isHypertable === true) return;
  if (shape?.isCopying !== true) {
    await database.transaction(async (tx) => {
      for (const text of statements.makeNext) await execute(tx, text);
    });
  }
  await copyIntervals(database, statements, compressAfterDays, log);
  // Copy most late rows now, so that little is left for the swap, while everybody waits.
  const start = await findRow<{ since: string; next: string }>(database, statements.findStart);
  await database.transaction((tx) => execute(tx, statements.copyRest, start?.since ?? '-infinity'));
  while (!(await swap(database, statements, start?.next ?? '-infinity'))) {
    log.info({}, 'waiting for readers of the measurements before replacing their table with the TimescaleDB one');
    await sleep(swapPauseMs);
  }
}

/** False if the table could not be locked at once. */
async function swap(database: Database, statements: Statements, since: string): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await execute(tx, `SET LOCAL lock_timeout = ${swapLockMs}`);
      await execute(tx, statements.lockBoth);
      await lockIngestExclusively(tx);
      await execute(tx, statements.copyRest, since);
      const rights = await listRows<{ text: string }>(tx, statements.copyRights);
      for (const text of [...rights.map((right) => right.text), ...statements.swap]) await execute(tx, text);
    });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unavailable') return false;
    throw error;
  }
}

async function copyIntervals(
  database: Database,
  statements: Statements,
  compressAfterDays: number,
  log: Log,
): Promise<void> {
  const intervals = await database.transaction((tx) =>
    listRows<{ startsAt: string; isCopied: boolean }>(tx, statements.listIntervals),
  );
  let rows = 0;
  for (const [at, { startsAt, isCopied }] of intervals.entries()) {
    if (isCopied) continue;
    rows += await database.transaction(async (tx) => {
      const { rowCount } = await tx.query({ text: statements.copyInterval }, [startsAt]);
      await execute(tx, statements.noteInterval, startsAt);
      return rowCount;
    });
    await database.transaction((tx) => execute(tx, statements.compressOld, compressAfterDays));
    log.info({ rows, months: at + 1, of: intervals.length }, 'copying the measurements into TimescaleDB');
  }
}
