import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { forgetEnergy, materializeSome, rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import {
  deleteReadingSpans,
  allOf,
  listDirtyDevices,
  listDirtyRanges,
  listReadingSpans,
  markMeasuredDaysDirty,
  markStoredDaysDirty,
} from '../../server/energy/dirty-ranges.sql.ts';
import { listFailures, upsertFailure } from '../../server/energy/energy-flags.sql.ts';
import type { Database } from '../../server/database/pool.ts';
import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { createAdminApp, createTestApp, type TestApp } from '../support/app.ts';
import { daysAround, materializeAll, readSlots } from '../support/energy-rollup.ts';
import { hostileReadingsFrom } from '../support/hostile-readings.ts';
import { openMeters, usualRules } from '../support/meters.ts';
import { dayMicros } from '../../server/base/instants.ts';

// Two customers of a fleet with the same device numbers: the first has what the Client has, the second the same with the
// numbers of the two devices exchanged.
const stored = ['energy_days', 'energy_gaps', 'energy_flags', 'energy_failures', 'energy_dirty_ranges', 'energy_state'];
const same = '018f4ad0-0000-7000-8000-00000000000a';
const exchanged = '018f4ad0-0000-7000-8000-00000000000b';
const start = Date.parse('2026-03-10T00:00:00Z') * 1000;

let portal: TestApp;
let fleet: TestApp;
let first: Database;
let second: Database;
let meters: { id: string; number: number; readings: readonly { timeMicros: number }[] }[];
const numbers = () => meters.map((meter) => meter.number);

beforeAll(async () => {
  [portal, fleet] = await Promise.all([createTestApp(), createAdminApp()]);
  first = fleet.database.forCustomer(same);
  second = fleet.database.forCustomer(exchanged);
  const client = await openMeters(portal);
  meters = [];
  for (const [at, rules] of [usualRules, { ...usualRules, ratedPowerKw: 5, registerMaxKwh: 100_000 }].entries()) {
    const { id, externalId } = await client.create(rules);
    const silence = { timeMicros: start + 60 * dayMicros, activePowerKw: 1, importedKwh: 120_000, exportedKwh: null };
    const readings = [...fc.sample(hostileReadingsFrom(start), { numRuns: 8, seed: 7 + at }).flat(), silence];
    await client.deliver(externalId, readings);
    const { rows } = await portal.database.query<{ number: number }>(
      { text: 'SELECT number FROM monitoring.devices WHERE id = $1' },
      [id],
    );
    meters.push({ id, number: rows[0]?.number ?? 0, readings });
  }
  const [a = 0, b = 0] = numbers();
  for (const [at, customer] of [same, exchanged].entries()) {
    await fleet.database.query({
      text: `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
             VALUES ('${customer}', 'customer-${at}', 'Customer', true, '\\x0${at}', now(), now())`,
    });
    await fleet.database.query({ text: 'INSERT INTO fleet.customer_state (customer_id) VALUES ($1)' }, [customer]);
  }
  await fleet.engine.ensurePartitions(
    fleet.database,
    meters.flatMap(({ readings }) => readings.map(timeOf)),
  );
  for (const table of ['municipalities', 'sites', 'devices', 'measurements']) {
    const { rows } = await portal.database.query<{ row: Record<string, unknown> }>({
      text: `SELECT to_jsonb(t) AS row FROM monitoring.${table} t`,
    });
    for (const customer of [same, exchanged]) {
      const swapped = (number: unknown) => (customer === same ? number : number === a ? b : a);
      const copies = rows.map(({ row }) => ({
        ...row,
        customer_id: customer,
        ...(table === 'devices' ? { number: swapped(row['number']) } : {}),
        ...(table === 'measurements' ? { device_number: swapped(row['device_number']) } : {}),
      }));
      await fleet.database.query(
        { text: `INSERT INTO fleet.${table} SELECT * FROM jsonb_populate_recordset(NULL::fleet.${table}, $1)` },
        [JSON.stringify(copies)],
      );
    }
  }
}, 120_000);
const timeOf = ({ timeMicros }: { timeMicros: number }) => timeMicros;
afterAll(() => Promise.all([portal.close(), fleet.close()]));

/** All rows of the store, without the customer and the ids of dirty ranges. */
async function storeOf(schema: string, customer: string | null): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const table of stored) {
    const { rows } = await (customer === null ? portal : fleet).database.query<{ row: object }>({
      text: `SELECT to_jsonb(r) - 'customer_id' - 'id' AS row FROM ${schema}.${table} r
             ${customer === null ? '' : `WHERE customer_id = '${customer}'`} ORDER BY 1`,
    });
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const numberOfRows = (store: Record<string, object[]>) => Object.values(store).flat().length;

async function changesOnlyFirst(work: () => Promise<unknown>): Promise<void> {
  const [own, other] = [await storeOf('fleet', same), await storeOf('fleet', exchanged)];
  await work();
  expect(await storeOf('fleet', same)).not.toEqual(own);
  expect(await storeOf('fleet', exchanged)).toEqual(other);
}

it('customers that share device numbers have the slots of the same readings in the Client, and never see or change each other', async () => {
  await materializeAll(portal.database, numbers());
  const client = await storeOf('monitoring', null);
  for (const table of ['energy_days', 'energy_gaps', 'energy_flags', 'energy_state'])
    expect(client[table]).not.toEqual([]);
  const slotsOf = (database: Database) =>
    Promise.all(meters.map(({ id, readings }) => readSlots(database, id, daysAround(readings))));
  const slots = await slotsOf(portal.database);

  // The first customer's dirty ranges belong to the first customer only.
  await changesOnlyFirst(async () => {
    for (const number of numbers()) await markMeasuredDaysDirty(first, number);
  });
  expect((await listDirtyDevices(first, null, 10, start)).toSorted()).toEqual(numbers().toSorted());
  expect(await listDirtyDevices(second, null, 10, start)).toEqual([]);
  expect(await listDirtyRanges(second, allOf(numbers()), 10)).toEqual([]);
  expect(await materializeSome(second, { within: null, skip: true })).toBe(0);

  // Answers before and after materialization.
  expect(await slotsOf(first)).toEqual(slots);
  await materializeAll(first, numbers());
  expect(await storeOf('fleet', same)).toEqual(client);
  expect(await slotsOf(first)).toEqual(slots);
  for (const number of numbers()) await rebuildEnergy(first, number);
  expect(await storeOf('fleet', same)).toEqual(client);
  expect(numberOfRows(await storeOf('fleet', exchanged))).toBe(0);
  expect((await listReadingSpans(second, numbers())).size).toBe(0);

  for (const number of numbers()) await markMeasuredDaysDirty(second, number);
  await materializeAll(second, numbers());
  expect(await storeOf('fleet', same)).toEqual(client);
  expect(await slotsOf(second)).toEqual(slots);
  expect(await slotsOf(first)).toEqual(slots);
  expect(await storeOf('fleet', exchanged)).not.toEqual(client);

  // Everything that removes or adds single rows.
  const [number = 0] = numbers();
  const failure = { deviceNumber: number, attempts: 1, sinceMicros: start, retryMicros: start };
  await changesOnlyFirst(() => upsertFailure(first, failure, 'broken'));
  expect(await listFailures(first, null)).toHaveLength(1);
  expect(await listFailures(second, null)).toEqual([]);
  await changesOnlyFirst(() => markStoredDaysDirty(first, number));
  await changesOnlyFirst(() => first.transaction((tx) => forgetEnergy(tx, number, start + dayMicros)));
  await changesOnlyFirst(() => first.transaction((tx) => forgetEnergy(tx, number, -Infinity)));
  await changesOnlyFirst(() => first.transaction((tx) => deleteReadingSpans(tx, number)));
  expect(await slotsOf(second)).toEqual(slots);
  // None of it has touched the Client's own rows.
  expect(await storeOf('monitoring', null)).toEqual(client);
}, 120_000);

it('a customer with many dirty ranges does not delay the others: each turn does some of every customer', async () => {
  const [number = 0] = numbers();
  await materializeAll(first, numbers());
  await materializeAll(second, numbers());
  const dirty = async (customer: string) => {
    const { rows } = await fleet.database.query<{ count: number }>(
      { text: 'SELECT count(*)::integer AS count FROM fleet.energy_dirty_ranges WHERE customer_id = $1' },
      [customer],
    );
    return rows[0]?.count ?? 0;
  };
  // The first in every turn, with more than one transaction takes.
  await fleet.database.query(
    {
      text: `INSERT INTO fleet.energy_dirty_ranges (customer_id, id, device_number, from_time, to_time)
             SELECT $1, n, $2, timestamptz '2026-03-10Z' + n % 2 * interval '1 day',
                    timestamptz '2026-03-10T01:00Z' + n % 2 * interval '1 day' FROM generate_series(1, 9000) n`,
    },
    [same, number],
  );
  await markMeasuredDaysDirty(second, number);
  const problems: unknown[] = [];
  const materialize = createFleetMaterializer(fleet.database, (error) => problems.push(error));
  const round = () => materialize(new AbortController().signal);
  while ((await dirty(exchanged)) > 0) expect(await round()).toBeGreaterThan(0);
  expect(await dirty(same)).toBeGreaterThan(0);
  while ((await round()) > 0);
  expect(await dirty(same)).toBe(0);
  expect(problems).toEqual([]);
}, 120_000);

it('a customer is identified only by a GUID', () => {
  expect(() => portal.database.forCustomer("x'; DROP TABLE fleet.sites --")).toThrow('GUID');
});

it('work about a customer that takes long asks which nodes answer, but only where there are several', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await first.snapshot(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
    vi.useRealTimers();
    // The first and the last statement of the transaction.
    if (fleet.engine.isSharded !== true) expect(sent.mock.calls).toHaveLength(2);
    else await vi.waitFor(() => expect(sent.mock.calls.length).toBeGreaterThan(2));
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});
