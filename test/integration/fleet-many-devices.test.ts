import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materializeSome } from '../../server/commands/materialize-energy.ts';
import { createAdminApp, type TestApp } from '../support/app.ts';
import { createCustomer } from '../support/fleet.ts';

const deviceCount = 50_000;
const now = Date.parse('2026-03-02T12:00:00Z');

let fleet: TestApp;
let customerId: string;

beforeAll(async () => {
  fleet = await createAdminApp({ now: () => now });
  customerId = (await createCustomer(fleet, 'many')).id;
  const run = (text: string) => fleet.database.query({ text });
  const numbers = (count: number) => `SELECT '${customerId}'::uuid, number FROM generate_series(1, ${count}) AS number`;
  const fill = async (count: number) => {
    await run(`INSERT INTO fleet.devices (customer_id, id, number, created_at)
               SELECT c, gen_random_uuid(), n, now() FROM (${numbers(count)}) AS row (c, n)`);
    await run(`INSERT INTO fleet.energy_state (customer_id, device_number) ${numbers(count)}`);
    await run(`INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
               SELECT c, n, n, '2026-03-02', '2026-03-02' FROM (${numbers(count)}) AS row (c, n)`);
  };
  // The planner is left with the statistics of tables that had just been emptied, as they are between two rounds of autovacuum.
  await fill(1_000);
  for (const table of ['devices', 'energy_state', 'energy_dirty_ranges']) {
    await run(`ALTER TABLE fleet.${table} SET (autovacuum_enabled = false)`);
    await run(`DELETE FROM fleet.${table}`);
    await run(`ANALYZE fleet.${table}`);
  }
  await fill(deviceCount);
});

afterAll(() => fleet[Symbol.asyncDispose]());

describe('A customer whose readings of 50,000 devices have just come', () => {
  it('is materialized some devices at a time', async () => {
    const own = fleet.database.forCustomer(customerId);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await materializeSome(own, { deviceNumbers: null, skip: true })).toBe(64);
    }
  });

  it('is shown', async () => {
    const answer = await fleet.app.inject({
      url: `/api/fleet/customers/${customerId}/detail`,
      headers: await fleet.signIn(),
    });
    expect(answer.statusCode).toBe(200);
  });
});
