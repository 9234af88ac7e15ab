import { deleteReadingSpans } from '../energy/dirty-ranges.sql.ts';
import { deleteOldestReadings } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { forgetEnergy } from '../energy/materialize-energy.ts';
import { listDeletedDevices } from './devices.sql.ts';

/** Readings deleted in one transaction, which takes some tenths of a second; no ingest waits for it. */
export const readingsAStep = 10_000;

/**
 * Deletes the data of a deleted device, in at most `maxSteps` transactions. True once nothing is left. A snapshot from before it
 * was deleted still sees all of it.
 */
export async function clearDeletedDevice(
  database: Database,
  deviceNumber: number,
  { maxSteps = Infinity, signal }: { maxSteps?: number; signal?: AbortSignal | undefined },
): Promise<boolean> {
  for (let step = 0; step < maxSteps; step += 1) {
    signal?.throwIfAborted();
    const isCleared = await database.transaction(async (tx) => {
      if (await deleteOldestReadings(tx, deviceNumber, readingsAStep)) return false;
      await forgetEnergy(tx, deviceNumber, -Infinity);
      await deleteReadingSpans(tx, deviceNumber);
      return true;
    });
    if (isCleared) return true;
  }
  return false;
}

export async function clearDeletedDevices(database: Database, signal?: AbortSignal): Promise<void> {
  for (const deviceNumber of await listDeletedDevices(database)) {
    await clearDeletedDevice(database, deviceNumber, { signal });
  }
}
