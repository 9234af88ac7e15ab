import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareFleet, refreshOldHours } from '../../server/db/fleet-hypertable.ts';
import { Database } from '../../server/db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const tables = { measurements: 'fleet.measurements', hours: 'fleet.device_hours' };
const nowMs = Date.parse('2026-06-01T12:00:00Z');
const hourMs = 3_600_000;
const micros = (text: string) => Date.parse(text) * 1000;

let made: TestDatabase;
let database: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  database = new Database(made.connectionString);
  for (const text of [
    'CREATE SCHEMA fleet',
    `CREATE TABLE fleet.measurements (time timestamptz NOT NULL, customer_number integer NOT NULL,
       device_number integer NOT NULL, active_power_milliwatts bigint NOT NULL)`,
    // Rows that were there before the table became a hypertable.
    `INSERT INTO fleet.measurements SELECT timestamptz '2026-02-01Z' + n * interval '15 minutes', 1 + n % 2, 1 + n % 3, n
     FROM generate_series(0, 9999) n`,
  ]) {
    await database.query({ text });
  }
  await prepareFleet(database, tables);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const rowsOf = async <Row extends object>(text: string) => (await database.query<Row>({ text })).rows;
const store = (time: string, power: number) =>
  database.query({ text: 'INSERT INTO fleet.measurements VALUES ($1, 1, 1, $2)' }, [time, power]);
const hour = async (time: string) => {
  const [row] = (
    await database.query<{ samples: number; sum: number }>(
      {
        text: `SELECT samples, power_sum::bigint AS sum FROM fleet.device_hours
               WHERE customer_number = 1 AND device_number = 1 AND hour = $1`,
      },
      [time],
    )
  ).rows;
  return row;
};

describe('the fleet measurements on TimescaleDB (specification, Startup 3 and the table of defaults)', () => {
  it('have chunks of 7 days, are compressed by customer and device, newest first, after 7 days', async () => {
    expect(
      await rowsOf(`SELECT time_interval::text AS interval FROM timescaledb_information.dimensions
                    WHERE hypertable_name = 'measurements' AND hypertable_schema = 'fleet'`),
    ).toEqual([{ interval: '7 days' }]);
    expect(
      await rowsOf(`SELECT segmentby, orderby FROM timescaledb_information.hypertable_compression_settings
                    WHERE hypertable = 'fleet.measurements'::regclass`),
    ).toEqual([{ segmentby: 'customer_number,device_number', orderby: '"time" DESC' }]);
    expect(
      await rowsOf(`SELECT proc_name, config ->> 'compress_after' AS compress, config ->> 'start_offset' AS start
                    FROM timescaledb_information.jobs
                    WHERE proc_name LIKE 'policy%' AND (hypertable_schema = 'fleet' OR proc_name LIKE '%continuous%')
                    ORDER BY 1`),
    ).toEqual([
      { proc_name: 'policy_compression', compress: '7 days', start: null },
      { proc_name: 'policy_refresh_continuous_aggregate', compress: null, start: '30 days' },
    ]);
  });

  it('are prepared again without a change, and keep what was there', async () => {
    await prepareFleet(database, tables);
    expect(await rowsOf('SELECT count(*)::integer AS count FROM fleet.measurements')).toEqual([{ count: 10_000 }]);
  });

  it('the hours show what is not aggregated yet', async () => {
    await store('2026-06-01T11:10:00Z', 500);
    expect(await hour('2026-06-01T11:00:00Z')).toEqual({ samples: 1, sum: 500 });
  });

  it('a row older than the policy looks back on changes its hour, and exactly that, once it is refreshed', async () => {
    await database.query({
      text: `CALL refresh_continuous_aggregate('fleet.device_hours', NULL, '2026-06-01T11:00Z')`,
    });
    const [old, next] = ['2026-02-10T05:00:00Z', '2026-02-10T08:00:00Z'];
    const before = [await hour(old), await hour(next)];
    await store('2026-02-10T05:59:59Z', 1000);
    await store('2026-02-10T08:00:00Z', 1000);
    // Without a refresh nobody would ever see them: the policy looks back 30 days.
    expect([await hour(old), await hour(next)]).toEqual(before);
    await refreshOldHours(database, tables, { timesMicros: [micros('2026-02-10T05:59:59Z')], nowMicros: nowMs * 1000 });
    expect(await hour(old)).toEqual({
      samples: (before[0]?.samples ?? 0) + 1,
      sum: (before[0]?.sum ?? 0) + 1000,
    });
    expect(await hour(next)).toEqual(before[1]);
    await refreshOldHours(database, tables, { timesMicros: [micros(next)], nowMicros: nowMs * 1000 });
    expect(await hour(next)).not.toEqual(before[1]);
  });

  it('rows that the policy sees by itself are left to it', async () => {
    await refreshOldHours(
      database,
      { hours: 'fleet.nothing_of_that_name' },
      { timesMicros: [(nowMs - 29 * 24 * hourMs) * 1000], nowMicros: nowMs * 1000 },
    );
  });
});
