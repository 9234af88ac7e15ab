import { setTimeout as sleep } from 'node:timers/promises';
import { microsPerHour } from '../domain/energy.ts';
import { dayMicros } from '../domain/energy-day.ts';
import { runsOf } from '../domain/runs.ts';
import type { Queryable } from './pool.ts';
import { execute } from './rows.ts';

/** How far back the policy of the aggregate looks; `refreshOldHours` handles older rows. */
const refreshedDays = 30;

const CREATE_HOURS = `CREATE MATERIALIZED VIEW IF NOT EXISTS fleet.device_hours
           WITH (timescaledb.continuous, timescaledb.materialized_only = false) AS
         SELECT customer_id, device_number, time_bucket(INTERVAL '1 hour', time) AS hour, count(*) AS samples,
                sum(active_power_milliwatts) AS power_sum, min(active_power_milliwatts) AS power_min,
                max(active_power_milliwatts) AS power_max
         FROM fleet.measurements GROUP BY 1, 2, 3 WITH NO DATA`;
const ADD_POLICY = `SELECT add_continuous_aggregate_policy('fleet.device_hours', start_offset => INTERVAL '${refreshedDays} days',
           end_offset => INTERVAL '1 hour', schedule_interval => INTERVAL '1 hour', if_not_exists => true)`;
// Not in a transaction: a refresh commits by itself.
const REFRESH = `CALL refresh_continuous_aggregate('fleet.device_hours', timestamptz 'epoch' + $1::integer * interval '1 hour',
                                           timestamptz 'epoch' + $2::integer * interval '1 hour')`;

/**
 * Creates the hourly aggregate by device over the hypertable of the fleet, unless it exists; it shows new rows at once
 * (specification, Startup 3).
 */
export async function createHours(session: Queryable): Promise<void> {
  await execute(session, CREATE_HOURS);
  await execute(session, ADD_POLICY);
}

const REFRESH_ALL_BEFORE = {
  text: `CALL refresh_continuous_aggregate('fleet.device_hours', NULL, timestamptz 'epoch' + $1::integer * interval '1 hour')`,
};

/**
 * Refreshes whatever has changed in hours older than the policy looks back. TimescaleDB itself keeps track of the changes, so
 * nothing is lost if a portal ends before `refreshOldHours`, and little is done if nothing has changed.
 */
export async function refreshHoursBefore(database: Queryable, nowMicros: number): Promise<void> {
  await database.query(REFRESH_ALL_BEFORE, [Math.floor((nowMicros - refreshedDays * dayMicros) / microsPerHour) + 1]);
}

/**
 * Refreshes the hours of rows that are older than the policy looks back: exactly the hours that they touch, adjacent ones
 * together. Call it after the commit of the rows; instants in epoch microseconds.
 */
export async function refreshOldHours(
  database: Queryable,
  rows: { timesMicros: Iterable<number>; nowMicros: number },
): Promise<void> {
  const oldest = rows.nowMicros - refreshedDays * dayMicros;
  const touched = new Set<number>();
  // The policy may skip an hour that the edge of its window cuts.
  for (const time of rows.timesMicros) if (time < oldest + microsPerHour) touched.add(Math.floor(time / microsPerHour));
  for (const { first, end } of runsOf(touched)) await execute(database, REFRESH, first, end);
}

/** Old rows that arrive within this time are refreshed together: refreshing an hour once costs as much as ten thousand rows. */
const gatherMs = 2_000;
/** After a refresh it rests this many times as long as that took, for the sake of ingest. */
const restFactor = 4;

/** Refreshes the old hours of ingested rows in the background, one refresh at a time. */
export function createHourRefresher(parts: {
  database: Queryable;
  now: () => number;
  onProblem: (error: unknown) => void;
}): (timesMicros: Iterable<number>) => void {
  const { database, now, onProblem } = parts;
  /** The hours that wait for their refresh, each named by an instant in it. */
  let waiting = new Set<number>();
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (waiting.size > 0) {
      await sleep(gatherMs, undefined, { ref: false });
      const timesMicros = waiting;
      waiting = new Set();
      const started = performance.now();
      await refreshOldHours(database, { timesMicros, nowMicros: now() * 1000 }).catch(onProblem);
      await sleep((performance.now() - started) * restFactor, undefined, { ref: false });
    }
    isRunning = false;
  };
  return (timesMicros) => {
    const from = now() * 1000 - refreshedDays * dayMicros + microsPerHour;
    for (const time of timesMicros) if (time < from) waiting.add(time - (time % microsPerHour));
    if (waiting.size > 0 && !isRunning) void run();
  };
}
