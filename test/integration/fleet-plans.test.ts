import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, it } from 'vitest';
import { findCustomersByTokens } from '../../server/fleet/customers.sql.ts';
import { listNewestMeasurements } from '../../server/fleet/customer-detail.sql.ts';
import { listDayChecksums } from '../../server/energy/day-checksums.sql.ts';
import { listDaysOfGroups } from '../../server/energy/energy-days.sql.ts';
import { countBatches } from '../../server/fleet/fleet-activity.sql.ts';
import { shares } from '../../server/base/budgets.ts';
import { countReadings, listCurrentPower, listReadingsPage } from '../../server/energy/measurements.sql.ts';
import type { Database, Transaction } from '../../server/database/pool.ts';
import { readReadingColumns } from '../../server/energy/reading-columns.sql.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { plansOf } from '../support/plans.ts';

const day = 86_400_000_000;
const start = Date.parse('2025-01-01T00:00:00Z') * 1000;
const months = 8;
const idOf = (at: number) => `018f4ad0-0000-7000-8000-0000000000${String(at).padStart(2, '0')}`;
const customers = Array.from({ length: 10 }, (_, at) => idOf(at));
const [customer = ''] = customers;

const fleet = adminAppOfFile({ now: () => start / 1000 });
let database: Database;

/** Ten customers with two devices each, months of readings, and years of slots and events. */
beforeAll(async () => {
  database = fleet.database.within(shares.background);
  await fleet.engine.ensurePartitions(
    database,
    Array.from({ length: months * 31 }, (_, at) => start + at * day),
  );
  const id = `('018f4ad0-0000-7000-8000-0000000000' || lpad(c::text, 2, '0'))::uuid`;
  for (const text of [
    `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
     SELECT ${id}, 'customer-' || c, 'Customer', true, decode(lpad(c::text, 64, '0'), 'hex'), now(), now() FROM generate_series(0, 9) c`,
    `INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at)
     SELECT ${id}, ${id}, 'Town', 'UTC', now() FROM generate_series(0, 9) c`,
    `INSERT INTO fleet.sites (customer_id, id, name, municipality_id, created_at, number)
     SELECT ${id}, ${id}, 'Site', ${id}, now(), 1 FROM generate_series(0, 9) c`,
    `INSERT INTO fleet.devices (customer_id, id, number, announced_at, site_id, name, external_id, created_at)
     SELECT ${id}, ('018f4ad0-0000-7000-8000-0000000001' || lpad(d::text, 2, '0'))::uuid, d, now(), ${id}, 'Device', 'device', now()
     FROM generate_series(0, 9) c, generate_series(1, 2) d`,
    `INSERT INTO fleet.energy_state (customer_id, device_number, first_time, last_time)
     SELECT ${id}, d, '2025-01-01Z', '2025-08-20Z' FROM generate_series(0, 9) c, generate_series(1, 2) d`,
    `INSERT INTO fleet.measurements (customer_id, device_number, time, received_at, active_power_milliwatts)
     SELECT ${id}, d, timestamptz '2025-01-01Z' + n * interval '30 minutes', now(), n
     FROM generate_series(0, ${months * 30 * 48}) n, generate_series(0, 9) c, generate_series(1, 2) d`,
    `INSERT INTO fleet.energy_days (customer_id, device_number, day, samples, power_sum, factor_active_sum, factor_reactive_sum, imported)
     SELECT ${id}, d, date '2021-01-01' + n, 48, 0, 0, 0, decode(repeat('3f', 768), 'hex')
     FROM generate_series(0, 1699) n, generate_series(0, 9) c, generate_series(1, 2) d`,
    `INSERT INTO fleet.ingest_events (customer_id, id, received_at, batch_type, rows_accepted, rows_rejected, payload_bytes)
     SELECT ${id}, gen_random_uuid(), timestamptz '2025-01-01Z' + n * interval '1 hour', 'measurements', 1, 0, 1
     FROM generate_series(0, 5000) n, generate_series(0, 9) c`,
  ])
    await database.query({ text });
  if (inject('postgres').engine === 'timescale') {
    await database.query({
      text: `SELECT compress_chunk(c) FROM show_chunks('fleet.measurements', older_than => timestamptz '2025-07-01Z') c`,
    });
  }
  await database.query({ text: 'VACUUM (ANALYZE)' });
}, 120_000);

const at = (days: number) => start + days * day;

it.each<[string, number, (db: Transaction) => Promise<unknown>]>([
  [
    'the last measurements of a customer',
    3,
    (db) =>
      listNewestMeasurements(
        db,
        customer,
        [1, 2].map((number) => ({ number, at: '2025-08-20T00:00:00Z' })),
        50,
      ),
  ],
  [
    'a page of the readings of a customer',
    3,
    (db) => listReadingsPage(db, [1, 2], { fromMicros: at(100), toMicros: at(100.1) }, { limit: 200, offset: 0 }),
  ],
  [
    'what a range cuts of a quarter-hour, counted',
    3,
    (db) => countReadings(db, [1, 2], { fromMicros: at(100), toMicros: at(100.01) }),
  ],
  [
    'a part of an export',
    3,
    (db) => readReadingColumns(db, [1, 2], { fromMicros: at(100), toMicros: at(100.1) }, 2000),
  ],
  [
    'the checksum of a day',
    3,
    (db) => listDayChecksums(db, ['018f4ad0-0000-7000-8000-000000000101'], { fromMicros: at(100), toMicros: at(101) }),
  ],
  [
    'the current power of a customer',
    3,
    (db) =>
      listCurrentPower(
        db,
        [1, 2].map((number) => ({ number, afterMicros: at(229.9) })),
        at(229.99),
      ),
  ],
])('%s is read by customer, device and time', async (_, maxPieces, work) => {
  const plans = await plansOf(database.forCustomer(customer), work);
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on (measurements|_hyper)/);
    const pieces = new Set(plan.match(/\b(measurements_\d{4}_\d\d|_hyper_\d+_\d+_chunk)\b(?!_)/g));
    expect(pieces.size, plan).toBeGreaterThan(0);
    expect(pieces.size, plan).toBeLessThanOrEqual(maxPieces);
  }
});

it("today's slots of many customers are probed by device and day, however many days are stored", async () => {
  const filter = { fromDay: 20_300, toDay: 20_302, statistics: { depth: 'power', days: [20_300] } } as const;
  const whole = customers.map((customerId) => ({ customerId }));
  for (const groups of [whole, whole.map((group) => ({ ...group, siteId: randomUUID() }))]) {
    const [plan] = await plansOf(database, (tx) => listDaysOfGroups(tx, groups, filter));
    expect(plan).toMatch(/Index Scan using energy_days_pkey/);
    expect(plan).not.toMatch(/Seq Scan on energy_days/);
  }
});

it('batches are counted from an index, for each customer from its own hour on', async () => {
  const since = customers.map((customerId) => ({ customerId, hour: Math.floor(at(200) / 3_600_000_000) }));
  const [plan] = await plansOf(database, (db) => countBatches(db, since));
  expect(plan).toMatch(/Index (Only )?Scan (using|on) ingest_events_received_at/);
});

it('Rule 2: the customer of a token is found by indexes on its SHA-256 and on that of the previous token', async () => {
  await database.query({
    text: `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, previous_token_hash, previous_token_expires_at, token_issued_at, created_at)
           SELECT gen_random_uuid(), 'more-' || n, 'More', true, sha256(n::text::bytea), sha256(('before ' || n)::bytea), now(), now(), now()
           FROM generate_series(1, 5000) n`,
  });
  await database.query({ text: 'ANALYZE fleet.customers' });
  const [plan] = await plansOf(database, (db) => findCustomersByTokens(db, ['0'.repeat(64)], new Date(start / 1000)));
  expect(plan).toMatch(/Index Scan using customers_token_hash_key/);
  expect(plan).toMatch(/Index Scan using customers_previous_token_hash/);
  expect(plan).not.toMatch(/Seq Scan on customers/);
});
