import type { Transaction } from './pool.ts';
import { execute } from './rows.ts';

// Measurements have no foreign key to their device. Instead every ingest holds this lock shared, from before it looks up its
// devices until its commit, and deleting a device takes it exclusively. So a device that an ingest has found stays, and a
// deletion sees the measurements of every earlier ingest.
export const ingestLock = `hashtext('monitoring.devices')`;
export const LOCK_INGEST_SHARED = {
  name: 'lock_ingest_shared',
  text: `SELECT pg_advisory_xact_lock_shared(${ingestLock})`,
};
const LOCK_INGEST_EXCLUSIVE = `SELECT pg_advisory_xact_lock(${ingestLock})`;
const EXCLUSIVE_LOCK_TIMEOUT = `SET LOCAL lock_timeout = 1000`;

/**
 * Waits for running ingests and holds back new ones until the transaction ends. From now on the transaction waits at most a second
 * for any lock, and throws `unavailable` if one takes longer.
 */
export async function lockIngestExclusively(tx: Transaction): Promise<void> {
  await execute(tx, EXCLUSIVE_LOCK_TIMEOUT);
  await execute(tx, LOCK_INGEST_EXCLUSIVE);
}
