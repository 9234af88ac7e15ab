import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';
import { lockIngestExclusively } from './devices.ts';
import type { Database } from './pool.ts';
import { execute, findRow, listRows } from './rows.ts';
import type { EngineLog } from './time-series-engine.ts';

/** A month, as with native partitions: 4.3 million rows for a hundred meters that send every minute. */
const chunkDays = 30;

const FIND_SHAPE = {
  text: `SELECT EXISTS (SELECT FROM timescaledb_information.hypertables
                        WHERE hypertable_schema = 'monitoring' AND hypertable_name = 'measurements') AS "isHypertable",
                to_regclass('monitoring.measurements_next') IS NOT NULL AS "isCopying"`,
};

/** Helper objects of a conversion; they can be dropped without loss. */
export const conversionTables = ['monitoring.measurements_next', 'monitoring.measurements_copied'];

/** The hypertable is built beside the table that it replaces, which stays in use until all rows are copied. */
const MAKE_NEXT = [
  `CREATE TABLE monitoring.measurements_next (LIKE monitoring.measurements INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
  `CREATE UNIQUE INDEX measurements_next_device_time_key ON monitoring.measurements_next (device_number, time)`,
  `CREATE INDEX measurements_next_received_at ON monitoring.measurements_next USING brin (received_at)`,
  `SELECT create_hypertable('monitoring.measurements_next', by_range('time', INTERVAL '${chunkDays} days'),
                            create_default_indexes => false)`,
  `ALTER TABLE monitoring.measurements_next SET (timescaledb.compress, timescaledb.compress_segmentby = 'device_number',
                                                 timescaledb.compress_orderby = 'time DESC')`,
  // Which intervals are copied, so that an interrupted conversion continues.
  `CREATE TABLE monitoring.measurements_copied (starts_at timestamptz PRIMARY KEY, copied_at timestamptz NOT NULL)`,
];
const SWAP = [
  `DROP TABLE monitoring.measurements`,
  `DROP TABLE monitoring.measurements_copied`,
  `ALTER TABLE monitoring.measurements_next RENAME TO measurements`,
  `ALTER INDEX monitoring.measurements_next_device_time_key RENAME TO measurements_device_time_key`,
  `ALTER INDEX monitoring.measurements_next_received_at RENAME TO measurements_received_at`,
];

const columns = `time, received_at, active_power_milliwatts, reactive_power_millivars, apparent_power_millivoltamperes,
  energy_imported_milliwatthours, energy_exported_milliwatthours, device_number, power_factor_millionths,
  voltage_millivolts, frequency_tenth_millihertz`;
const LIST_INTERVALS = {
  text: `SELECT starts_at::text AS "startsAt", starts_at IN (SELECT starts_at FROM monitoring.measurements_copied) AS "isCopied"
         FROM (SELECT DISTINCT time_bucket(INTERVAL '${chunkDays} days', time, timestamptz 'epoch') AS starts_at
               FROM monitoring.measurements) intervals
         ORDER BY 1`,
};
// What the last start had copied of it before it was killed is left out.
const COPY_INTERVAL = {
  text: `INSERT INTO monitoring.measurements_next (${columns})
         SELECT ${columns} FROM monitoring.measurements
         WHERE time >= $1::timestamptz AND time < $1::timestamptz + INTERVAL '${chunkDays} days' ON CONFLICT DO NOTHING`,
};
const NOTE_INTERVAL = { text: `INSERT INTO monitoring.measurements_copied VALUES ($1, now())` };
const COMPRESS_OLD = {
  text: `SELECT compress_chunk(chunk, if_not_compressed => true)
         FROM show_chunks('monitoring.measurements_next', older_than => make_interval(days => $1)) chunk
         JOIN timescaledb_information.chunks c ON format('%I.%I', c.chunk_schema, c.chunk_name)::regclass = chunk
         WHERE NOT c.is_compressed`,
};
const LOCK_BOTH = {
  text: `LOCK TABLE monitoring.measurements, monitoring.measurements_next IN ACCESS EXCLUSIVE MODE`,
};
// Rows that another portal stored in the meantime, without those already copied. Index measurements_received_at.
const COPY_REST = {
  text: `INSERT INTO monitoring.measurements_next (${columns})
         SELECT ${columns} FROM monitoring.measurements WHERE received_at >= $1::timestamptz ON CONFLICT DO NOTHING`,
};
// received_at is the start of the transaction, and an ingest may take minutes: rows that a copy could not see yet were received
// at most this long before it.
const FIND_START = {
  text: `SELECT coalesce((SELECT min(copied_at) FROM monitoring.measurements_copied) - INTERVAL '15 minutes', '-infinity')::text AS since,
                (now() - INTERVAL '15 minutes')::text AS next`,
};
const COPY_RIGHTS = {
  text: `SELECT format('GRANT %s ON TABLE monitoring.measurements_next TO %s%s', granted.privilege_type,
                       coalesce(quote_ident(r.rolname), 'PUBLIC'), CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS text
         FROM pg_class c CROSS JOIN aclexplode(c.relacl) granted LEFT JOIN pg_roles r ON r.oid = granted.grantee
         WHERE c.oid = 'monitoring.measurements'::regclass
         UNION ALL
         SELECT format('ALTER TABLE monitoring.measurements_next OWNER TO %I', r.rolname)
         FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
         WHERE c.oid = 'monitoring.measurements'::regclass AND r.rolname <> current_user`,
};
const LIST_DEPENDENTS = {
  text: `SELECT DISTINCT w.ev_class::regclass::text AS name FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
         WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = to_regclass('monitoring.measurements')
           AND w.ev_class <> d.refobjid
           AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'timescaledb'
                           AND EXISTS (SELECT FROM timescaledb_information.hypertables
                                       WHERE hypertable_schema = 'monitoring' AND hypertable_name = 'measurements'))
         ORDER BY 1`,
};

/** Long readers are waited for in short attempts, which do not block others. */
const swapLockMs = 1_000;
const swapPauseMs = 5_000;

/** Views of the measurement table, which would prevent its replacement; empty once it is a hypertable. */
export const listDependents = async (database: Database) =>
  (await listRows<{ name: string }>(database, LIST_DEPENDENTS)).map(({ name }) => name);

/**
 * Converts the measurement table, plain or in native partitions, to a hypertable. Each transaction copies one interval, older
 * ones are compressed at once, and the last transaction swaps the tables. Until then the old table is read and written as
 * before; a start after a crash continues. `database` must not limit statements.
 */
export async function convertToHypertable(
  database: Database,
  { compressAfterDays, log }: { compressAfterDays: number; log: EngineLog },
): Promise<void> {
  const shape = await findRow<{ isHypertable: boolean; isCopying: boolean }>(database, FIND_SHAPE);
  if (shape?.isHypertable === true) return;
  if (shape?.isCopying !== true) {
    await database.transaction(async (tx) => {
      for (const text of MAKE_NEXT) await tx.query({ text });
    });
  }
  await copyIntervals(database, compressAfterDays, log);
  // Copy most late rows now, so that little is left for the swap, while everybody waits.
  const start = await findRow<{ since: string; next: string }>(database, FIND_START);
  await database.transaction((tx) => execute(tx, COPY_REST, start?.since ?? '-infinity'));
  while (!(await swap(database, start?.next ?? '-infinity'))) {
    log.info({}, 'waiting for somebody who reads the measurements, to put TimescaleDB in their place');
    await sleep(swapPauseMs);
  }
}

/** False if the table could not be locked at once. */
async function swap(database: Database, since: string): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL lock_timeout = ${swapLockMs}` });
      await tx.query(LOCK_BOTH);
      await lockIngestExclusively(tx);
      await tx.query(COPY_REST, [since]);
      const rights = await listRows<{ text: string }>(tx, COPY_RIGHTS);
      for (const text of [...rights.map((right) => right.text), ...SWAP]) await tx.query({ text });
    });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return false;
    throw error;
  }
}

async function copyIntervals(database: Database, compressAfterDays: number, log: EngineLog): Promise<void> {
  const intervals = await database.transaction((tx) =>
    listRows<{ startsAt: string; isCopied: boolean }>(tx, LIST_INTERVALS),
  );
  let rows = 0;
  for (const [at, { startsAt, isCopied }] of intervals.entries()) {
    if (isCopied) continue;
    rows += await database.transaction(async (tx) => {
      const { rowCount } = await tx.query(COPY_INTERVAL, [startsAt]);
      await tx.query(NOTE_INTERVAL, [startsAt]);
      return rowCount;
    });
    await database.transaction((tx) => tx.query(COMPRESS_OLD, [compressAfterDays]));
    log.info({ rows, months: at + 1, of: intervals.length }, 'copying the measurements into TimescaleDB');
  }
}
