import { markMeasuredDaysDirty } from '../../server/energy/dirty-ranges.sql.ts';
import type { TestApp } from './app.ts';
import { post } from './sites.ts';

/** A customer of the registry. `headers` belong to a session of an administrator; without them a new session begins. */
export async function createCustomer(
  fleet: TestApp,
  code: string,
  { name = code, group = null, headers }: { name?: string; group?: string | null; headers?: { cookie: string } } = {},
): Promise<{ id: string; token: string }> {
  const answer = await post({ app: fleet.app, headers: headers ?? (await fleet.signIn()) }, '/api/admin/customers', {
    code,
    name,
    group,
  });
  const { customer, token } = answer.json<{ customer: { id: string }; token: string }>();
  return { id: customer.id, token };
}

const copied = ['municipalities', 'sites', 'devices', 'tariffs', 'tariff_periods', 'measurements'];

/** Copies all data of a Client to a customer of the fleet, as if it had been pushed and were not materialized yet. */
export async function copyToFleet(client: TestApp, fleet: TestApp, customerId: string, seenAt: string): Promise<void> {
  const { rows: times } = await client.database.query<{ micros: number }>({
    text: `SELECT DISTINCT (extract(epoch FROM date_trunc('day', time, 'UTC')) * 1000000)::bigint AS micros
           FROM monitoring.measurements`,
  });
  await fleet.engine.ensurePartitions(
    fleet.database,
    times.map(({ micros }) => micros),
  );
  for (const table of copied) {
    const { rows } = await client.database.query<{ row: object }>({
      text: `SELECT to_jsonb(t) AS row FROM monitoring.${table} t`,
    });
    const own = rows.map(({ row }) => ({ ...row, customer_id: customerId, announced_at: seenAt }));
    await fleet.database.query(
      { text: `INSERT INTO fleet.${table} SELECT * FROM jsonb_populate_recordset(NULL::fleet.${table}, $1)` },
      [JSON.stringify(own)],
    );
  }
  const { rows } = await fleet.database.query<{ number: number }>(
    { text: `SELECT number FROM fleet.devices WHERE customer_id = $1` },
    [customerId],
  );
  for (const { number } of rows) await markMeasuredDaysDirty(fleet.database.forCustomer(customerId), number);
  await fleet.database.query(
    {
      text: `UPDATE fleet.customer_state
             SET first_seen_at = $2, last_seen_at = $2, last_batch_at = $2, batch_count = batch_count + 1,
                 measurement_count = (SELECT count(*) FROM fleet.measurements WHERE customer_id = $1)
             WHERE customer_id = $1`,
    },
    [customerId, seenAt],
  );
}
