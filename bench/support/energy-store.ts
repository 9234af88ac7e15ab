import { shares } from '../../server/base/budgets.ts';
import type { Database } from '../../server/database/pool.ts';
import { dayMs } from './history.ts';

/** Stored rows of a device by table, readings first. */
const tables = ['measurements', 'energy_days', 'energy_weeks', 'energy_gaps', 'energy_flags', 'energy_state'];

/**
 * Copies the rows and slots of the first `meters` devices to all others, as far as these have none. The first ones must be
 * materialized. Returns the seconds that it took.
 */
export async function copyMeters(database: Database, meters: number): Promise<number> {
  const started = performance.now();
  const patient = database.within(shares.background);
  await patient.query({
    text: `DELETE FROM monitoring.energy_state
           WHERE device_number > (SELECT min(number) FROM monitoring.devices) + ${meters - 1}`,
  });
  for (const table of tables) {
    const { rows } = await patient.query<{ name: string }>({
      text: `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = 'monitoring.${table}'::regclass
             AND attnum > 0 AND NOT attisdropped AND attname <> 'device_number'`,
    });
    const columns = rows.map(({ name }) => name).join(', ');
    await patient.query({
      text: `INSERT INTO monitoring.${table} (device_number, ${columns})
             SELECT d.number, ${rows.map(({ name }) => `meter.${name}`).join(', ')}
             FROM monitoring.${table} meter JOIN monitoring.devices d
               ON d.number > meter.device_number AND (d.number - meter.device_number) % ${meters} = 0
             ON CONFLICT DO NOTHING`,
    });
  }
  return (performance.now() - started) / 1000;
}

/**
 * Bytes on disk for each device and day between two instants (epoch milliseconds), measured on a copy that contains nothing
 * else.
 */
export async function measureSlots(database: Database, fromMs: number, toMs: number): Promise<number> {
  const patient = database.within(shares.background);
  const copy = 'monitoring.bench_energy_days';
  await patient.query({ text: `CREATE TABLE ${copy} (LIKE monitoring.energy_days INCLUDING ALL)` });
  await patient.query({ text: `ALTER TABLE ${copy} SET (toast_tuple_target = 256)` });
  await patient.query({
    text: `INSERT INTO ${copy} SELECT * FROM monitoring.energy_days
           WHERE day >= date '1970-01-01' + ${fromMs / dayMs} AND day < date '1970-01-01' + ${toMs / dayMs}`,
  });
  const { rows } = await patient.query<{ bytes: number }>({
    text: `SELECT pg_total_relation_size('${copy}')::float8 / count(*) AS bytes FROM ${copy}`,
  });
  await patient.query({ text: `DROP TABLE ${copy}` });
  return rows[0]?.bytes ?? Number.NaN;
}
