import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
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
  // Each at its own site, and each site in its own municipality.
  const idOf = (kind: string) => `md5('${kind}' || n)::uuid`;
  const fill = async (count: number) => {
    for (const table of ['sites', 'municipalities']) await run(`DELETE FROM fleet.${table}`);
    await run(`INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at)
               SELECT c, ${idOf('municipality')}, 'Town ' || n, 'Europe/Berlin', now() FROM (${numbers(count)}) AS row (c, n)`);
    await run(`INSERT INTO fleet.sites (customer_id, id, name, municipality_id, created_at, number)
               SELECT c, ${idOf('site')}, 'Site ' || n, ${idOf('municipality')}, now(), n FROM (${numbers(count)}) AS row (c, n)`);
    await run(`INSERT INTO fleet.devices (customer_id, id, number, created_at, announced_at, site_id, name, external_id)
               SELECT c, ${idOf('device')}, n, now(), now(), ${idOf('site')}, 'Meter ' || n, n::text
               FROM (${numbers(count)}) AS row (c, n)`);
    await run(`INSERT INTO fleet.energy_state (customer_id, device_number) ${numbers(count)}`);
    await run(`INSERT INTO fleet.energy_dirty_ranges (customer_id, device_number, id, from_time, to_time)
               SELECT c, n, n, '2026-03-02', '2026-03-02' FROM (${numbers(count)}) AS row (c, n)`);
  };
  // The planner still has the statistics of empty tables, as between two rounds of autovacuum.
  await fill(1_000);
  for (const table of ['devices', 'energy_state', 'energy_dirty_ranges']) {
    await run(`ALTER TABLE fleet.${table} SET (autovacuum_enabled = false)`);
    await run(`DELETE FROM fleet.${table}`);
    await run(`ANALYZE fleet.${table}`);
  }
  await fill(deviceCount);
  for (const table of ['sites', 'municipalities']) await run(`ANALYZE fleet.${table}`);
});

afterAll(() => fleet[Symbol.asyncDispose]());

describe('A customer whose readings of 50,000 devices have just arrived', () => {
  it('is materialized some devices at a time', async () => {
    const own = fleet.database.forCustomer(customerId);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await materializeSome(own, { within: null, skip: true })).toBe(64);
    }
  });

  it.each(['detail', 'sites', 'sites/devices'])('is shown: its %s', async (what) => {
    const answer = await fleet.app.inject({
      url: `/api/fleet/customers/${customerId}/${what}`,
      headers: await fleet.signIn(),
    });
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  });
});
