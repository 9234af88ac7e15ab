import { putBack, setAside } from './kept-measurements.ts';
import type { Database, Transaction } from './pool.ts';
import { listRows } from './rows.ts';
import type { KeptReadings, TimeSeriesEngine } from './time-series-engine.ts';

const LIST_PARTITIONS = {
  text: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'monitoring.measurements'::regclass`,
};
// Two instances that need the same month queue here; the second one finds it created.
const LOCK_PARTITIONS = { text: `SELECT pg_advisory_xact_lock(hashtext('monitoring.measurements partitions'))` };

/**
 * PostgreSQL's own range partitions, one per UTC month, created with the first row of the month. CREATE TABLE + ATTACH takes
 * only SHARE UPDATE EXCLUSIVE on the parent, so ingests into other months continue; CREATE TABLE … PARTITION OF would stop them.
 */
export function nativePartitions(now: () => number): TimeSeriesEngine {
  const known = new Set<string>();

  const createMissing = async (database: Database, months: ReadonlySet<string>) => {
    await database.transaction(async (tx) => {
      await tx.query(LOCK_PARTITIONS);
      known.clear();
      for (const { name } of await listRows<{ name: string }>(tx, LIST_PARTITIONS)) known.add(name);
      for (const month of [...months].toSorted()) {
        const name = partitionName(month);
        if (known.has(name)) continue;
        await tx.query({
          text: `CREATE TABLE monitoring.${name} (LIKE monitoring.measurements INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
        });
        await tx.query({
          text: `ALTER TABLE monitoring.measurements ATTACH PARTITION monitoring.${name}
                 FOR VALUES FROM ('${month}-01Z') TO ('${nextMonth(month)}-01Z')`,
        });
      }
    });
    for (const month of months) known.add(partitionName(month));
  };

  const ensure = async (database: Database, months: Iterable<string>) => {
    const missing = new Set<string>();
    for (const month of months) if (!known.has(partitionName(month))) missing.add(month);
    if (missing.size > 0) await createMissing(database, missing);
  };

  const dropBefore = async (tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]) => {
    await tx.query(LOCK_PARTITIONS);
    const needed = new Set((await setAside(tx, beforeMicros, kept)).map(partitionName));
    const limit = partitionName(monthOf(beforeMicros));
    for (const { name } of await listRows<{ name: string }>(tx, LIST_PARTITIONS)) {
      if (name >= limit) continue;
      // Only what is empty then goes whole: it is locked with the table that it is a part of.
      await tx.query({ text: `${needed.has(name) ? 'TRUNCATE' : 'DROP TABLE'} monitoring.${name}` });
      if (!needed.has(name)) known.delete(name);
    }
    await putBack(tx);
  };

  return {
    name: 'native partitions',
    dropBefore,
    async prepare(database) {
      const current = monthOf(now() * 1000);
      await ensure(database, [current, nextMonth(current)]);
    },
    lacksPartitions(timesMicros) {
      for (const month of monthsOf(timesMicros)) if (!known.has(partitionName(month))) return true;
      return false;
    },
    ensurePartitions: (database, timesMicros) => ensure(database, monthsOf(timesMicros)),
  };
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
