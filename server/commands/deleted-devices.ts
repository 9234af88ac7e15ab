import { listDeletedDevices } from '../db/devices.ts';
import { deleteReadingSpans } from '../db/dirty-ranges.ts';
import { deleteOldestReadings } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { forgetEnergy } from './materialize-energy.ts';

/** So many readings are taken away in one transaction: some tenths of a second, and no ingest waits for it. */
export const readingsAStep = 10_000;

/**
 * Takes away what a deleted device has left behind, in at most so many transactions. True once nothing of it is left. Whoever
 * reads from before it was deleted still sees all of it.
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

/** Takes away what all deleted devices have left behind. */
export async function clearDeletedDevices(database: Database, signal?: AbortSignal): Promise<void> {
  for (const deviceNumber of await listDeletedDevices(database)) {
    await clearDeletedDevice(database, deviceNumber, { signal });
  }
}
