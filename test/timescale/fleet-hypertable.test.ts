import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shares } from '../../server/base/budgets.ts';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { fleetMeasurements } from '../../server/database/engines/engine.ts';
import { migrate, readMigrations } from '../../server/database/migrator.ts';
import { Database } from '../../server/database/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const nowMs = Date.parse('2026-06-01T12:00:00Z');
const log = { info: () => undefined, warn: () => undefined };
const customers = ['018f4ad0-0000-7000-8000-000000000000', '018f4ad0-0000-7000-8000-000000000001'];

let made: TestDatabase;
let database: Database;
const prepare = async () => {
  const engine = await chooseEngine(database, {
    table: fleetMeasurements,
    compressAfterDays: 7,
    now: () => nowMs,
    log,
  });
  await engine.prepare(database.within(shares.background));
};

beforeAll(async () => {
  made = await createTestDatabase('empty');
  database = new Database(made.connectionString);
  await migrate(
    database,
    await readMigrations(join(import.meta.dirname, '../../migrations'), 'Admin'),
    () => undefined,
  );
  // Rows that were there before the table became a hypertable.
  await database.query({
    text: `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
           SELECT ('018f4ad0-0000-7000-8000-00000000000' || n % 2)::uuid, 1 + n % 3,
                  timestamptz '2026-02-01Z' + n * interval '15 minutes', now(), n FROM generate_series(0, 9999) n`,
  });
  await prepare();
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const rowsOf = async <Row extends object>(text: string) => (await database.query<Row>({ text })).rows;
const store = (time: string, power: number) =>
  database.query(
    {
      text: `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
             VALUES ($1, 1, $2, now(), $3)`,
    },
    [customers[0], time, power],
  );
const hour = async (time: string) => {
  const [row] = (
    await database.query<{ samples: number; sum: number }>(
      {
        text: `SELECT samples, power_sum::bigint AS sum FROM fleet.device_hours
               WHERE customer_id = $2 AND device_number = 1 AND hour = $1`,
      },
      [time, customers[0]],
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
    ).toEqual([{ segmentby: 'customer_id,device_number', orderby: '"time" DESC' }]);
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

  it('are prepared again without a change, and keep their rows', async () => {
    await prepare();
    expect(await rowsOf('SELECT count(*)::integer AS count FROM fleet.measurements')).toEqual([{ count: 10_000 }]);
  });

  it('the hourly aggregate includes rows that are not aggregated yet', async () => {
    await store('2026-06-01T11:10:00Z', 500);
    expect(await hour('2026-06-01T11:00:00Z')).toEqual({ samples: 1, sum: 500 });
  });
});
