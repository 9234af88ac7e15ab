import { createHours } from './fleet-hours.ts';
import { putBack, setAside } from './kept-measurements.ts';
import { limits } from './limits.ts';
import { clientMeasurements, type MeasurementTable } from './measurement-table.ts';
import type { Queryable, Transaction } from './pool.ts';
import { execute, findValue } from './rows.ts';
import { convertToHypertable } from './timescale-conversion.ts';
import type { EngineOptions, KeptReadings, TimeSeriesEngine } from './time-series-engine.ts';

interface HypertableOptions extends EngineOptions {
  /** The version of the extension. */
  version: string;
}

/** The statements for a table of measurements. */
const statementsFor = ({ schema }: MeasurementTable) => ({
  // Two instances that start at once queue here; the second one finds it done.
  lock: `SELECT pg_advisory_lock(hashtext('${schema}.measurements engine'))`,
  unlock: `SELECT pg_advisory_unlock(hashtext('${schema}.measurements engine'))`,
  findPolicy: `SELECT (config ->> 'compress_after')::interval = make_interval(days => $1) AS "isSo" FROM timescaledb_information.jobs
           WHERE hypertable_schema = '${schema}' AND hypertable_name = 'measurements' AND proc_name = 'policy_compression'`,
  removePolicy: `SELECT remove_compression_policy('${schema}.measurements', if_exists => true)`,
  addPolicy: `SELECT add_compression_policy('${schema}.measurements', compress_after => make_interval(days => $1))`,
});
type Statements = ReturnType<typeof statementsFor>;

const DROP_CHUNKS = `SELECT drop_chunks('monitoring.measurements',
                            older_than => timestamptz 'epoch' + $1::bigint * interval '1 microsecond')`;
/** A hypertable of TimescaleDB, its older chunks compressed by device. */
export function timescaleHypertable(options: HypertableOptions): TimeSeriesEngine {
  const { version, compressAfterDays, table = clientMeasurements } = options;
  const statements = statementsFor(table);
  const isClient = table.schema === 'monitoring';
  return {
    name: `TimescaleDB ${version}`,
    hasHours: !isClient,
    async prepare(database) {
      await database.session(async (session) => {
        await execute(session, statements.lock);
        try {
          await convertToHypertable(database.within(limits.background), { ...options, table });
          await keepPolicy(session, statements, compressAfterDays);
          if (!isClient) await createHours(session);
        } finally {
          await execute(session, statements.unlock).catch(() => undefined);
        }
      });
    },
    // Inserts create their chunks.
    lacksPartitions: () => false,
    ensurePartitions: async () => undefined,
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
  // Rows in chunks that were not dropped are still there.
  await putBack(tx);
}
