import { hash, randomUUIDv7 } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Database } from '../../server/database/pool.ts';
import type { BenchRow } from './meter-rows.ts';

export interface BenchCustomer {
  id: string;
  token: string;
}

/** In the order of their numbers. The ids are the same for each customer, because they are only unique within one. */
export const fleetDeviceIds = Array.from({ length: 100 }, () => randomUUIDv7());

/** Thousands of customers with their devices take longer than a statement may. */
const seededAtOnce = 1_000;

const SEED = [
  `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at)
   SELECT id, code, initcap(code), true, decode(hash, 'hex'), now(), now()
   FROM unnest($1::uuid[], $2::text[], $3::text[]) AS made (id, code, hash)`,
  `INSERT INTO fleet.customer_state (customer_id, last_device_number)
   SELECT id, cardinality($2::uuid[]) FROM unnest($1::uuid[]) AS id`,
  `INSERT INTO fleet.municipalities (customer_id, id, name, time_zone, created_at)
   SELECT id, id, 'Bench', 'Europe/Berlin', now() FROM unnest($1::uuid[]) AS id`,
  `INSERT INTO fleet.sites (customer_id, id, name, municipality_id, created_at, number)
   SELECT id, id, 'Bench', id, now(), 1 FROM unnest($1::uuid[]) AS id`,
  `INSERT INTO fleet.devices (customer_id, id, number, announced_at, site_id, name, external_id, created_at)
   SELECT c, d, n, now(), c, 'Device ' || n, 'bench-' || n, now()
   FROM unnest($1::uuid[]) AS c, unnest($2::uuid[]) WITH ORDINALITY AS device (d, n)`,
];

/**
 * Customers whose sets have arrived, each with {@link fleetDeviceIds}. Written to the tables, because thousands take minutes
 * over HTTP.
 */
export async function seedFleet(database: Database, customers: number): Promise<BenchCustomer[]> {
  const made = Array.from({ length: customers }, (_, n) => ({
    id: randomUUIDv7(),
    token: hash('sha256', `bench ${n}`),
  }));
  for (let from = 0; from < customers; from += seededAtOnce) {
    const some = made.slice(from, from + seededAtOnce);
    const ids = some.map(({ id }) => id);
    const codes = some.map((_, at) => `bench-${from + at + 1}`);
    const hashes = some.map(({ token }) => hash('sha256', token));
    for (const [at, text] of SEED.entries()) {
      const second = at === 0 ? [codes, hashes] : [fleetDeviceIds];
      await database.query({ text }, text.includes('$2') ? [ids, ...second] : [ids]);
    }
  }
  await database.query({ text: 'ANALYZE fleet.customers, fleet.customer_state, fleet.devices' });
  return made;
}

/** A batch as a Client sends it. The times of its rows begin at an instant and follow minute by minute. */
export function pushedBody(rows: readonly BenchRow[], timeOf: (row: BenchRow, at: number) => number): Buffer {
  const pushed = rows.map(({ externalId, ...row }, at) => ({
    deviceId: fleetDeviceIds[Number(externalId.split('-')[1])],
    ...row,
    time: new Date(timeOf({ externalId, ...row }, at)).toISOString(),
  }));
  return gzipSync(JSON.stringify(pushed), { level: 1 });
}
