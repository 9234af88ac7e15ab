import { lockReadingSpans } from '../db/dirty-ranges.ts';
import { listExactDays, listPlainDays, openDay, writeEnergyDays } from '../db/energy-days.ts';
import type { Database } from '../db/pool.ts';

/** Some tenths of a second and some megabytes. */
const daysAtOnce = 500;

/**
 * Rewrites days that an earlier version stored in the plain form, in several transactions: the same slots in fewer bytes
 * (docs/adr/0038). Devices that are being materialized are left for the next time.
 */
export async function packPlainDays(database: Database, signal?: AbortSignal): Promise<void> {
  for (let packed = -1; packed !== 0;) {
    signal?.throwIfAborted();
    packed = await database.transaction(async (tx) => {
      const plain = await listPlainDays(tx, daysAtOnce);
      const numbers = [...new Set(plain.map((day) => day.deviceNumber))];
      const locked = await lockReadingSpans(tx, numbers, { skip: true });
      const days = await listExactDays(
        tx,
        plain.filter((day) => locked.has(day.deviceNumber)),
      );
      await writeEnergyDays(tx, days.map(openDay));
      return days.length;
    });
  }
}
