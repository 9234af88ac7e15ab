import { setTimeout as sleep } from 'node:timers/promises';
import { shares } from '../../server/base/budgets.ts';
import type { Database } from '../../server/database/pool.ts';
import { timed } from './measuring.ts';
import type { BenchPortal } from './portal.ts';

const HAS_DIRTY_RANGES = { text: 'SELECT EXISTS (SELECT FROM monitoring.energy_dirty_ranges) AS "hasMarks"' };
const patienceSeconds = 1_800;

/** Sends bodies over two connections, and returns the seconds that it took. */
export const store = (portal: BenchPortal, bodies: Iterator<{ body: string }>): Promise<number> =>
  timed(bodies, 2, ({ body }) => portal.deliver(body));

/** The same, until the portal has no work left for them. */
export async function fill(portal: BenchPortal, bodies: Iterator<{ body: string }>): Promise<void> {
  await store(portal, bodies);
  await untilMaterialized(portal.database);
  await settle(portal.database);
}

/** Waits until the slots contain everything that was stored, and returns the seconds that it took. */
export async function untilMaterialized(database: Database, lookEachMs = 10): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  while ((await database.query<{ hasMarks: boolean }>(HAS_DIRTY_RANGES)).rows[0]?.hasMarks !== false) {
    if (seconds() > patienceSeconds)
      throw new Error(`The dirtyRanges were not materialized within ${patienceSeconds} s.`);
    await sleep(lookEachMs);
  }
  return seconds();
}

const HAS_TIMESCALE = { text: `SELECT FROM pg_extension WHERE extname = 'timescaledb'` };
// The policy of the engine does this within half a day.
const COMPRESS = {
  text: `SELECT compress_chunk(chunk, if_not_compressed => true)
         FROM show_chunks('monitoring.measurements', older_than => INTERVAL '7 days') chunk`,
};

/** PostgreSQL does this by itself soon after a large load; here it runs now, for the portal and for the compared database. */
export async function settle(database: Database): Promise<void> {
  const patient = database.within(shares.background);
  if ((await patient.query(HAS_TIMESCALE)).rowCount > 0) await patient.query(COMPRESS);
  await patient.query({ text: 'VACUUM (ANALYZE)' });
  await database.query({ text: 'CHECKPOINT' });
}
