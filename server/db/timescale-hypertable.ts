import { limits } from './limits.ts';
import type { Queryable, Transaction } from './pool.ts';
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

// Two instances that start at once do it one after the other; the second finds it done.
const LOCK = { text: `SELECT pg_advisory_lock(hashtext('monitoring.measurements engine'))` };
const UNLOCK = { text: `SELECT pg_advisory_unlock(hashtext('monitoring.measurements engine'))` };

const FIND_POLICY = {
  text: `SELECT config ->> 'compress_after' AS "compressAfter" FROM timescaledb_information.jobs
         WHERE hypertable_schema = 'monitoring' AND hypertable_name = 'measurements' AND proc_name = 'policy_compression'`,
};
const REMOVE_POLICY = { text: `SELECT remove_compression_policy('monitoring.measurements', if_exists => true)` };
const ADD_POLICY = {
  text: `SELECT add_compression_policy('monitoring.measurements', compress_after => make_interval(days => $1))`,
};

// Only of chunks that go whole: what the others have stays where it is.
const KEEP = {
  text: `CREATE TEMPORARY TABLE kept_measurements ON COMMIT DROP AS
         SELECT m.* FROM unnest($1::integer[], $2::bigint[]) AS kept (number, micros)
         JOIN monitoring.measurements m ON m.device_number = kept.number
          AND m.time >= timestamptz 'epoch' + kept.micros * interval '1 microsecond'
         WHERE m.time < timestamptz 'epoch' + $3::bigint * interval '1 microsecond'`,
};
const DROP_CHUNKS = {
  text: `SELECT drop_chunks('monitoring.measurements',
                            older_than => timestamptz 'epoch' + $1::bigint * interval '1 microsecond')`,
};
const PUT_BACK = {
  text: `INSERT INTO monitoring.measurements SELECT * FROM pg_temp.kept_measurements ON CONFLICT DO NOTHING`,
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
    // Chunks are made by the insert that needs them.
    ensureRoom: async () => undefined,
    dropBefore,
  };
}

async function keepPolicy(session: Queryable, compressAfterDays: number): Promise<void> {
  const { rows } = await session.query<{ compressAfter: string }>(FIND_POLICY);
  if (rows.length === 1 && rows[0]?.compressAfter === `${compressAfterDays} days`) return;
  await session.query(REMOVE_POLICY);
  await session.query(ADD_POLICY, [compressAfterDays]);
}

async function dropBefore(tx: Transaction, beforeMicros: number, kept: readonly KeptReadings[]): Promise<void> {
  const numbers = kept.map((one) => one.deviceNumber);
  await tx.query(KEEP, [numbers, kept.map((one) => one.fromMicros), beforeMicros]);
  await tx.query(DROP_CHUNKS, [beforeMicros]);
  await tx.query(PUT_BACK);
}
