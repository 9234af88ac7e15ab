import { putBack, setAside } from './kept-measurements.ts';
import { shares } from '../../base/budgets.ts';
import { clientMeasurements, type MeasurementTable } from './measurement-table.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { execute, findValue } from '../rows.ts';
import { convertToHypertable } from './timescale-conversion.ts';
import type { EngineOptions, KeptReadings, TimeSeriesEngine } from './engine.ts';

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

/**
 * The hourly aggregate by device of the fleet, which shows new rows at once (specification, Startup 3). The portal itself reads
 * slots, because hours lose the energy between them; rows older than 30 days appear once somebody refreshes the aggregate.
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
          // Only once, because a comment waits for a refresh.
          if ((await findValue<boolean>(session, LACKS_COMMENTS)) !== true) return;
          for (const comment of COMMENTS) await execute(session, comment);
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
