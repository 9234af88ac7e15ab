import {
  clientMeasurements,
  commentAs,
  type KeptReadings,
  type MeasurementTable,
  putBack,
  setAside,
  type TimeSeriesEngine,
  violatesUniqueIndex,
} from './engine.ts';
import type { Database, Transaction } from '../pool.ts';
import { execute, findValue, listRows } from '../rows.ts';

/** The statements for a table of measurements. */
function statementsFor({ schema, key }: MeasurementTable) {
  const table = `${schema}.measurements`;
  return {
    // Two instances that need the same month queue here; the second one finds it created.
    lock: `SELECT pg_advisory_xact_lock(hashtext('${table} partitions'))`,
    listPartitions: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
             WHERE i.inhparent = '${table}'::regclass`,
    isPlain: `SELECT relkind = 'r' AS "isPlain" FROM pg_class WHERE oid = '${table}'::regclass`,
    /** Renames a plain table, so that its rows are kept. A table that migrations have just created is empty. */
    setPlainAside: [
      `ALTER TABLE ${table} RENAME TO measurements_plain`,
      `ALTER INDEX ${schema}.measurements_device_time_key RENAME TO measurements_plain_device_time_key`,
      `ALTER INDEX ${schema}.measurements_received_at RENAME TO measurements_plain_received_at`,
      `CREATE TABLE ${table} (LIKE ${schema}.measurements_plain INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)
       PARTITION BY RANGE (time)`,
      commentAs(table, `${schema}.measurements_plain`),
      `CREATE UNIQUE INDEX measurements_device_time_key ON ${table} (${key}, time)`,
      `CREATE INDEX measurements_received_at ON ${table} USING brin (received_at)`,
    ],
    listPlainMonths: `SELECT DISTINCT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM ${schema}.measurements_plain ORDER BY 1`,
    takePlain: [
      `INSERT INTO ${table} SELECT * FROM ${schema}.measurements_plain`,
      `DROP TABLE ${schema}.measurements_plain`,
    ],
    create: (month: string) => [
      `CREATE TABLE ${schema}.${partitionName(month)} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
      `ALTER TABLE ${table} ATTACH PARTITION ${schema}.${partitionName(month)}
       FOR VALUES FROM ('${month}-01Z') TO ('${nextMonth(month)}-01Z')`,
    ],
  };
}

/**
 * PostgreSQL's own range partitions, one per UTC month, created with the first row of the month. CREATE TABLE + ATTACH takes
 * only SHARE UPDATE EXCLUSIVE on the parent, so ingests into other months continue; CREATE TABLE … PARTITION OF would stop them.
 */
export function nativePartitions(now: () => number, table: MeasurementTable = clientMeasurements): TimeSeriesEngine {
  const known = new Set<string>();
  const statements = statementsFor(table);

  const createMissing = async (database: Database, months: ReadonlySet<string>) => {
    await database.transaction(async (tx) => {
      await execute(tx, statements.lock);
      known.clear();
      for (const { name } of await listRows<{ name: string }>(tx, statements.listPartitions)) known.add(name);
      for (const month of [...months].toSorted()) {
        if (!known.has(partitionName(month))) await runAll(tx, statements.create(month));
      }
    });
    for (const month of months) known.add(partitionName(month));
  };

  const ensure = async (database: Database, months: Iterable<string>) => {
    const missing = new Set<string>();
    for (const month of months) if (!known.has(partitionName(month))) missing.add(month);
    if (missing.size > 0) await createMissing(database, missing);
  };

  /** Migrations create the table of the fleet as a plain table (decisions.md 9). */
  const partitionPlain = async (database: Database) => {
    await database.transaction(async (tx) => {
      await execute(tx, statements.lock);
      if ((await findValue<boolean>(tx, statements.isPlain)) !== true) return;
      await runAll(tx, statements.setPlainAside);
      const months = await listRows<{ month: string }>(tx, statements.listPlainMonths);
      for (const { month } of months) await runAll(tx, statements.create(month));
      await runAll(tx, statements.takePlain);
    });
  };

  const dropBefore = async (tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]) => {
    await execute(tx, statements.lock);
    const needed = new Set((await setAside(tx, beforeMicros, kept)).map(partitionName));
    const limit = partitionName(monthOf(beforeMicros));
    for (const { name } of await listRows<{ name: string }>(tx, statements.listPartitions)) {
      if (name >= limit) continue;
      // Partitions with readings to keep are emptied. All others are dropped, which also locks the parent table.
      await execute(tx, `${needed.has(name) ? 'TRUNCATE' : 'DROP TABLE'} monitoring.${name}`);
      if (!needed.has(name)) known.delete(name);
    }
    await putBack(tx);
  };

  return {
    name: 'native partitions',
    dropBefore: table.schema === 'monitoring' ? dropBefore : null,
    async prepare(database) {
      await partitionPlain(database);
      const current = monthOf(now() * 1000);
      await ensure(database, [current, nextMonth(current)]);
    },
    lacksPartitions(timesMicros) {
      for (const month of monthsOf(timesMicros)) if (!known.has(partitionName(month))) return true;
      return false;
    },
    ensurePartitions: (database, timesMicros) => ensure(database, monthsOf(timesMicros)),
    isDuplicate: violatesUniqueIndex,
  };
}

async function runAll(tx: Transaction, texts: readonly string[]): Promise<void> {
  for (const text of texts) await execute(tx, text);
}

const partitionName = (month: string) => `measurements_${month.replace('-', '_')}`;

/** `2026-03` of an instant in epoch microseconds, UTC. */
function monthOf(micros: number): string {
  return new Date(Math.floor(micros / 1000)).toISOString().slice(0, 7);
}

const startOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`) * 1000;

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

function monthsOf(timesMicros: Iterable<number>): Set<string> {
  const months = new Set<string>();
  let from = 0;
  let to = 0;
  for (const micros of timesMicros) {
    if (micros >= from && micros < to) continue;
    const month = monthOf(micros);
    months.add(month);
    from = startOf(month);
    to = startOf(nextMonth(month));
  }
  return months;
}
