import { deleteOldestSums } from '../db/energy-sums.ts';
import {
  deleteEventsBefore,
  deleteSomeEvents,
  forgetDeletedCustomer,
  listDeletedCustomers,
  listLeftDevices,
} from '../db/fleet-upkeep.ts';
import type { Database } from '../db/pool.ts';
import { clearDeletedDevice } from './deleted-devices.ts';

/** Events of batches are kept for 30 days. */
const eventsKeptMs = 30 * 86_400_000;
/** Some tenths of a second. */
const eventsAStep = 10_000;

/** Takes away the events of batches that are older than they are kept. */
export async function applyEventRetention(database: Database, nowMs: number): Promise<void> {
  await deleteEventsBefore(database, new Date(nowMs - eventsKeptMs));
}

/** Takes away what a deleted customer has left behind, in steps (docs/adr/0025); true once nothing of it is left. */
export async function clearDeletedCustomer(
  database: Database,
  customerId: string,
  { maxSteps = Infinity, signal }: { maxSteps?: number; signal?: AbortSignal | undefined },
): Promise<boolean> {
  let steps = maxSteps;
  for (const deviceNumber of await listLeftDevices(database, customerId)) {
    if (steps <= 0) return false;
    const isCleared = await clearDeletedDevice(database.forCustomer(customerId), deviceNumber, {
      maxSteps: steps,
      signal,
    });
    if (!isCleared) return false;
    steps -= 1;
  }
  for (; steps > 0; steps -= 1) {
    signal?.throwIfAborted();
    if (!(await deleteSomeEvents(database, customerId, eventsAStep))) {
      await deleteOldestSums(database.forCustomer(customerId), 0);
      await forgetDeletedCustomer(database, customerId);
      return true;
    }
  }
  return false;
}

/** Takes away what all deleted customers have left behind. */
export async function clearDeletedCustomers(database: Database, signal: AbortSignal): Promise<void> {
  for (const customerId of await listDeletedCustomers(database))
    await clearDeletedCustomer(database, customerId, { signal });
}
