import { deleteOldestSums } from '../energy/energy-sums.sql.ts';
import {
  deleteEventsBefore,
  deleteLeftDevices,
  deleteSomeEvents,
  forgetDeletedCustomer,
  haveFewerReadings,
  listDeletedCustomers,
  listLeftDevices,
} from './fleet-maintenance.sql.ts';
import { keptBatchDays } from '../../shared/states.rules.ts';
import type { Database } from '../database/pool.ts';
import { dayMs } from '../base/instants.ts';
import { clearDeletedDevice, readingsAStep } from '../sites/deleted-devices.ts';

/** Deleting this many events takes some tenths of a second. */
const eventsAStep = 10_000;
/**
 * The number of devices that are deleted at once if they have few readings together. This takes a second or two with 1,500
 * chunks in TimescaleDB.
 */
const devicesAStep = 500;

/** Deletes the events of batches that are past their retention. */
export async function applyEventRetention(database: Database, nowMs: number): Promise<void> {
  await deleteEventsBefore(database, new Date(nowMs - keptBatchDays * dayMs));
}

/** Deletes the data of a deleted customer, in steps (docs/adr/0084); true once nothing of it is left. */
export async function clearDeletedCustomer(
  database: Database,
  customerId: string,
  { maxSteps = Infinity, signal }: { maxSteps?: number; signal?: AbortSignal | undefined },
): Promise<boolean> {
  let atOnce = devicesAStep;
  for (let steps = maxSteps; steps > 0;) {
    signal?.throwIfAborted();
    const left = await listLeftDevices(database, customerId, atOnce);
    const isFew = await haveFewerReadings(database, customerId, { deviceNumbers: left, than: readingsAStep });
    const [first] = left;
    if (first !== undefined && !isFew && left.length > 1) {
      atOnce = Math.ceil(left.length / 2);
      continue;
    }
    steps -= 1;
    if (first !== undefined) {
      if (isFew) await database.transaction((tx) => deleteLeftDevices(tx, customerId, left));
      else await clearDeletedDevice(database.forCustomer(customerId), first, { maxSteps: 1, signal });
      if (isFew) atOnce = Math.min(devicesAStep, 2 * atOnce);
    } else if (!(await deleteSomeEvents(database, customerId, eventsAStep))) {
      await deleteOldestSums(database.forCustomer(customerId), 0);
      await forgetDeletedCustomer(database, customerId);
      return true;
    }
  }
  return false;
}

/** Deletes the data of all deleted customers. */
export async function clearDeletedCustomers(database: Database, signal: AbortSignal): Promise<void> {
  for (const customerId of await listDeletedCustomers(database))
    await clearDeletedCustomer(database, customerId, { signal });
}
