import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/db/pool.ts';

const HAS_MARKS = { text: 'SELECT EXISTS (SELECT FROM monitoring.energy_marks) AS "hasMarks"' };
const patienceSeconds = 1_800;

/** Waits until everything that was stored is in the slots, and answers the seconds that it took. */
export async function untilAbsorbed(database: Database, lookEachMs = 10): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  while ((await database.query<{ hasMarks: boolean }>(HAS_MARKS)).rows[0]?.hasMarks !== false) {
    if (seconds() > patienceSeconds) throw new Error(`The marks were not absorbed within ${patienceSeconds} s.`);
    await sleep(lookEachMs);
  }
  return seconds();
}

/** Makes what PostgreSQL does by itself soon after a large load happen now, for the portal and for what it is compared with. */
export async function settle(database: Database): Promise<void> {
  await database.query({ text: 'VACUUM (ANALYZE)' });
  await database.query({ text: 'CHECKPOINT' });
}
