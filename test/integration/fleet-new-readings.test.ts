import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFleetIngest, type FleetIngest } from '../../server/fleet/fleet-ingest.ts';
import { DomainError } from '../../server/base/errors.ts';
import { formatInstant } from '../../server/base/instants.ts';
import { Lease } from '../../server/database/connections.ts';
import { adminAppOfFile } from '../support/app-of-file.ts';
import { createCustomer } from '../support/fleet.ts';
import { watchStatements } from '../support/statements.ts';

const minute = 60_000_000;
const march = Date.UTC(2026, 2, 10) * 1000;

const fleet = adminAppOfFile();
let headers: { cookie: string };
/** Two portals on one database. */
let portals: FleetIngest[] = [];
let customers: string[] = [];
const devices = [randomUUIDv7(), randomUUIDv7()];
const start = () => createFleetIngest({ database: fleet.database, engine: fleet.engine, now: Date.now });

beforeAll(async () => {
  headers = await fleet.signIn();
});
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  portals = [start(), start()];
  customers = [await create(), await create()];
});

const create = async () => (await createCustomer(fleet, `c-${randomUUIDv7().slice(0, 30)}`, { headers })).id;

interface Row {
  device: number;
  timeMicros: number;
  kw: number;
}
const rowsFrom = (from: number, to: number, device = 0): Row[] =>
  Array.from({ length: to - from }, (_, at) => ({ device, timeMicros: march + (from + at) * minute, kw: 1 }));

async function send(rows: readonly Row[], { portal = 0, customer = 0 } = {}) {
  const customerId = customers[customer] ?? '';
  const batch = {
    id: randomUUIDv7(),
    customerId,
    type: 'measurements',
    cursor: 'a "cursor", {\\}',
    payloadBytes: 1,
    report: null,
  };
  const upload = portals[portal]?.begin(batch);
  upload?.judge(
    rows.map(({ device, timeMicros, kw }) => ({
      deviceId: devices[device],
      time: formatInstant(timeMicros),
      activePowerKw: kw,
    })),
  );
  return upload?.store();
}

const kinds = { straight: 'COPY fleet.measurements', insert: 'INSERT INTO fleet.measurements', back: 'ROLLBACK TO' };
const counted = (texts: readonly string[]) =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, words]) => [kind, texts.filter((text) => text.startsWith(words)).length]),
  );

const query = async <Found extends object>(text: string, values: unknown[] = []) =>
  (await fleet.database.query<Found>({ text }, values)).rows;
const countOf = async (customer: number) =>
  (
    await query<{ count: number }>(
      'SELECT measurement_count AS count FROM fleet.customer_state WHERE customer_id = $1',
      [customers[customer]],
    )
  )[0]?.count;

/** Stored rows without a dirty range. */
const unmarked = () =>
  query(
    `SELECT FROM fleet.measurements m WHERE customer_id = ANY ($1::uuid[]) AND NOT EXISTS (
       SELECT FROM fleet.energy_dirty_ranges d WHERE d.customer_id = m.customer_id AND d.device_number = m.device_number
         AND d.from_time <= m.time AND m.time <= d.to_time)`,
    [customers],
  );

describe('pushed rows above the newest of their device are copied straight to their place', () => {
  it('once the portal has stored some of it, with the instant at which they arrived', async () => {
    const texts = watchStatements();
    await send(rowsFrom(0, 5));
    expect(counted(texts)).toEqual({ straight: 0, insert: 1, back: 0 });
    await send(rowsFrom(5, 10));
    expect(counted(texts)).toEqual({ straight: 1, insert: 1, back: 0 });
    expect(await countOf(0)).toBe(10);
    expect(await unmarked()).toEqual([]);
    const received = await query(
      `SELECT e.cursor, count(*) AS count FROM fleet.ingest_events e
       JOIN fleet.measurements m ON m.customer_id = e.customer_id AND m.received_at = e.received_at
         AND m.time >= e.from_time AND m.time <= e.to_time
       WHERE e.customer_id = $1 GROUP BY e.id, e.cursor`,
      [customers[0]],
    );
    expect(received).toEqual(Array.from({ length: 2 }, () => ({ cursor: 'a "cursor", {\\}', count: 5 })));
  });

  it('under the number that their device has, though the portal remembers another, and not for a deleted customer', async () => {
    await send([...rowsFrom(0, 2), ...rowsFrom(0, 2, 1)]);
    const trips = vi.spyOn(Lease.prototype, 'send');
    await send(rowsFrom(2, 3));
    expect(trips).toHaveBeenCalledTimes(1);
    // As after a failover to a copy that is a moment behind.
    await query('UPDATE fleet.devices SET number = number + 2 WHERE customer_id = $1', [customers[0]]);
    expect(await send(rowsFrom(3, 6))).toMatchObject({ accepted: 3, rejected: 0 });
    const strays = await query(
      `SELECT FROM fleet.measurements m JOIN fleet.devices d ON (d.customer_id, d.number) = (m.customer_id, m.device_number)
       WHERE m.customer_id = $1 AND d.id = $2`,
      [customers[0], devices[0]],
    );
    expect(strays).toHaveLength(3);
    await query('DELETE FROM fleet.customers WHERE id = $1', [customers[0]]);
    await expect(send(rowsFrom(6, 7))).rejects.toThrow(DomainError);
  });

  it('repeated rows do not fail each batch first, and change neither values nor counts', async () => {
    for (let batch = 0; batch < 6; batch += 1) await send(rowsFrom(batch * 500, (batch + 1) * 500));
    const texts = watchStatements();
    for (let batch = 0; batch < 6; batch += 1) {
      const again = rowsFrom(batch * 500, (batch + 1) * 500).map((row) => ({ ...row, kw: 2 }));
      expect(await send(again)).toEqual({ accepted: 500, rejected: 0, errors: [] });
    }
    expect(counted(texts)).toEqual({ straight: 0, insert: 6, back: 0 });
    expect(await countOf(0)).toBe(3_000);
    const values = await query(
      'SELECT DISTINCT active_power_milliwatts AS p FROM fleet.measurements WHERE customer_id = $1',
      [customers[0]],
    );
    expect(values).toEqual([{ p: 1_000_000 }]);
  });

  it('a wrong guess fails one batch, and casts doubt on no other customer', async () => {
    await send(rowsFrom(0, 1));
    await send(rowsFrom(0, 1), { customer: 1 });
    for (let batch = 0; batch < 4; batch += 1) await send(rowsFrom(1 + batch * 9, 10 + batch * 9), { portal: 1 });
    const texts = watchStatements();
    for (let batch = 0; batch < 4; batch += 1) await send(rowsFrom(1 + batch * 9, 10 + batch * 9));
    expect(counted(texts)).toMatchObject({ back: 1 });
    await send(rowsFrom(1, 9), { customer: 1 });
    expect(counted(texts)).toMatchObject({ straight: 2, back: 1 });
    expect([await countOf(0), await countOf(1)]).toEqual([37, 9]);
    expect(await unmarked()).toEqual([]);
  });

  it('counts and first values are those of a list that stores each row once, in whatever order batches arrive', async () => {
    const part = fc.record({
      portal: fc.nat(1),
      customer: fc.nat(1),
      device: fc.nat(1),
      at: fc.nat(40),
      length: fc.integer({ min: 1, max: 12 }),
    });
    // Requests of one list are sent at the same time, so that they share a transaction.
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (moments) => {
        portals = [start(), start()];
        customers = [await create(), await create()];
        const known: Set<string>[] = [new Set(), new Set()];
        let batches = 0;
        for (const parts of moments) {
          const sent = parts.map(({ portal, customer, device, at, length }) => {
            for (let row = at; row < at + length; row += 1) known[customer]?.add(`${device} ${row}`);
            return send(rowsFrom(at, at + length, device), { portal, customer });
          });
          for (const [n, answer] of (await Promise.all(sent)).entries()) {
            expect(answer).toEqual({ accepted: parts[n]?.length, rejected: 0, errors: [] });
          }
          batches += parts.length;
        }
        const sizes = known.map(({ size }) => size);
        expect([await countOf(0), await countOf(1)]).toEqual(sizes);
        const [stored] = await query<{ rows: number; events: number }>(
          `SELECT (SELECT count(*) FROM fleet.measurements WHERE customer_id = ANY ($1::uuid[])) AS rows,
                  (SELECT count(*) FROM fleet.ingest_events WHERE customer_id = ANY ($1::uuid[])) AS events`,
          [customers],
        );
        expect(stored).toEqual({ rows: sizes.reduce((sum, size) => sum + size, 0), events: batches });
        expect(await unmarked()).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
