import { putBack, setAside } from './kept-measurements.ts';
import { limits } from './limits.ts';
import type { Queryable, Transaction } from './pool.ts';
import { execute, findRow } from './rows.ts';
import { convertToHypertable } from './timescale-conversion.ts';
import type { EngineLog, KeptReadings, TimeSeriesEngine } from './time-series-engine.ts';

export interface HypertableOptions {
  /** Of the extension. */
  version: string;
  /** Chunks older than this are compressed. */
  compressAfterDays: number;
  /** Epoch milliseconds. */
  now: () => number;
  log: EngineLog;
}

// Two instances that start at once queue here; the second one finds it done.
const LOCK = { text: `SELECT pg_advisory_lock(hashtext('monitoring.measurements engine'))` };
const UNLOCK = { text: `SELECT pg_advisory_unlock(hashtext('monitoring.measurements engine'))` };

const FIND_POLICY = {
  text: `SELECT (config ->> 'compress_after')::interval = make_interval(days => $1) AS "isSo" FROM timescaledb_information.jobs
         WHERE hypertable_schema = 'monitoring' AND hypertable_name = 'measurements' AND proc_name = 'policy_compression'`,
};
const REMOVE_POLICY = { text: `SELECT remove_compression_policy('monitoring.measurements', if_exists => true)` };
const ADD_POLICY = {
  text: `SELECT add_compression_policy('monitoring.measurements', compress_after => make_interval(days => $1))`,
};

const DROP_CHUNKS = {
  text: `SELECT drop_chunks('monitoring.measurements',
                            older_than => timestamptz 'epoch' + $1::bigint * interval '1 microsecond')`,
};
/** A hypertable of TimescaleDB, its older chunks compressed by device. */
export function timescaleHypertable(options: HypertableOptions): TimeSeriesEngine {
  const { version, compressAfterDays } = options;
  return {
    name: `TimescaleDB ${version}`,
    async prepare(database) {
      await database.session(async (session) => {
        await session.query(LOCK);
        try {
          await convertToHypertable(database.within(limits.background), options);
          await keepPolicy(session, compressAfterDays);
        } finally {
          await session.query(UNLOCK).catch(() => undefined);
        }
      });
    },
    // Inserts create their chunks.
    lacksPartitions: () => false,
    ensurePartitions: async () => undefined,
    dropBefore,
  };
}

async function keepPolicy(session: Queryable, compressAfterDays: number): Promise<void> {
  if ((await findRow<{ isSo: boolean }>(session, FIND_POLICY, compressAfterDays))?.isSo === true) return;
  await execute(session, REMOVE_POLICY);
  await execute(session, ADD_POLICY, compressAfterDays);
}

async function dropBefore(tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]): Promise<void> {
  await setAside(tx, beforeMicros, kept);
  await execute(tx, DROP_CHUNKS, beforeMicros);
  // What lay in chunks that stayed is there still.
  await putBack(tx);
}
