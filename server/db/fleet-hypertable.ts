import { microsPerHour } from '../domain/energy.ts';
import { dayMicros } from '../domain/energy-day.ts';
import type { Database } from './pool.ts';

/** The measurements of all customers, and the hourly aggregate beside them. Names come from the code, never from a request. */
export interface FleetTables {
  /** With columns `customer_number`, `device_number`, `time` and `active_power_milliwatts`. */
  measurements: string;
  hours: string;
}

/** How far back the policy of the aggregate looks; `refreshOldHours` handles older rows. */
const refreshedDays = 30;
const policyDays = 7;

/**
 * Makes the fleet's measurements a hypertable with chunks of 7 days, compressed by customer and device after 7 days, and its
 * hourly aggregate by device, which shows rows at once (specification, Startup 3). Doing it again changes nothing.
 */
export async function prepareFleet(database: Database, { measurements, hours }: FleetTables): Promise<void> {
  const statements = [
    `SELECT create_hypertable('${measurements}', by_range('time', INTERVAL '7 days'), create_default_indexes => false,
                              if_not_exists => true, migrate_data => true)`,
    `ALTER TABLE ${measurements} SET (timescaledb.compress, timescaledb.compress_orderby = 'time DESC',
                                      timescaledb.compress_segmentby = 'customer_number, device_number')`,
    `SELECT add_compression_policy('${measurements}', compress_after => INTERVAL '${policyDays} days', if_not_exists => true)`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${hours} WITH (timescaledb.continuous, timescaledb.materialized_only = false) AS
     SELECT customer_number, device_number, time_bucket(INTERVAL '1 hour', time) AS hour, count(*) AS samples,
            sum(active_power_milliwatts) AS power_sum, min(active_power_milliwatts) AS power_min,
            max(active_power_milliwatts) AS power_max
     FROM ${measurements} GROUP BY 1, 2, 3 WITH NO DATA`,
    `SELECT add_continuous_aggregate_policy('${hours}', start_offset => INTERVAL '${refreshedDays} days',
              end_offset => INTERVAL '1 hour', schedule_interval => INTERVAL '1 hour', if_not_exists => true)`,
  ];
  for (const text of statements) await database.query({ text });
}

/**
 * Refreshes the hours of rows that are older than the policy looks back: exactly the hours that they touch, adjacent ones
 * together. Call it after the commit of the rows; instants in epoch microseconds.
 */
export async function refreshOldHours(
  database: Database,
  { hours }: Pick<FleetTables, 'hours'>,
  rows: { timesMicros: Iterable<number>; nowMicros: number },
): Promise<void> {
  const oldest = rows.nowMicros - refreshedDays * dayMicros;
  const touched = new Set<number>();
  // The policy may skip an hour that the edge of its window cuts.
  for (const time of rows.timesMicros) if (time < oldest + microsPerHour) touched.add(Math.floor(time / microsPerHour));
  for (const { first, end } of runsOf(touched)) {
    // Not in a transaction: a refresh commits by itself.
    await database.query(
      {
        text: `CALL refresh_continuous_aggregate('${hours}', timestamptz 'epoch' + $1::integer * interval '1 hour',
                                                 timestamptz 'epoch' + $2::integer * interval '1 hour')`,
      },
      [first, end],
    );
  }
}

/** Consecutive numbers, half-open. */
function runsOf(numbers: Iterable<number>): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = [];
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === number) last.end += 1;
    else runs.push({ first: number, end: number + 1 });
  }
  return runs;
}
