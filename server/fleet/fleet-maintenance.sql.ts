import { everyone, type Reach } from '../database/engines/reach.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findValue, listValues } from '../database/rows.ts';

// Probes energy_dirty_ranges_pkey once for each customer.
const LIST_DIRTY_CUSTOMERS = `SELECT c.customer_id AS id FROM fleet.customer_state c
         WHERE ($1::uuid[] IS NULL OR c.customer_id = ANY ($1::uuid[]))
           AND EXISTS (SELECT FROM fleet.energy_dirty_ranges r WHERE r.customer_id = c.customer_id) ORDER BY 1`;
// Reads index ingest_events_received_at once for each customer.
const DELETE_OLD_EVENTS = `DELETE FROM fleet.ingest_events e USING fleet.customers c
         WHERE e.customer_id = c.id AND e.received_at < $1::timestamptz`;

/** The customers within reach that have dirty ranges. */
export const listDirtyCustomers = (db: Queryable, { within }: Reach = everyone) =>
  listValues<string>(db, LIST_DIRTY_CUSTOMERS, within);

/** Deletes the events of batches before an instant. */
export const deleteEventsBefore = (db: Queryable, before: Date) => execute(db, DELETE_OLD_EVENTS, before);

const LIST_DELETED = `SELECT customer_id AS id FROM fleet.deleted_customers ORDER BY deleted_at`;
// Every device with a number has a row here. The row is deleted after all other data of the device.
const LIST_LEFT_DEVICES = `SELECT device_number AS "deviceNumber" FROM fleet.energy_state
  WHERE customer_id = $1 ORDER BY 1 LIMIT $2`;
// Index measurements_device_time_key; reads no more entries than requested.
const COUNT_LEFT = `SELECT count(*)::integer AS count
  FROM (SELECT FROM fleet.measurements WHERE customer_id = $1 AND device_number = ANY ($2::integer[]) LIMIT $3) m`;
// Each statement uses a primary key. It deletes many devices at a time, because planning over all partitions or chunks costs
// more than the rows of one device. The rows of energy_state go last, because they show that data is left.
const DELETE_LEFT = [
  'measurements',
  'intervals',
  'energy_dirty_ranges',
  'energy_days',
  'energy_weeks',
  'energy_gaps',
  'energy_flags',
  'energy_failures',
  'energy_state',
].map((table) => `DELETE FROM fleet.${table} WHERE customer_id = $1 AND device_number = ANY ($2::integer[])`);
// Index ingest_events_received_at.
const DELETE_SOME_EVENTS = `DELETE FROM fleet.ingest_events
         WHERE customer_id = $1
           AND id IN (SELECT id FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY received_at DESC LIMIT $2)`;
const FORGET_DELETED = `DELETE FROM fleet.deleted_customers WHERE customer_id = $1`;

/** Deleted customers that still have data, the first deleted first. */
export const listDeletedCustomers = (db: Queryable) => listValues<string>(db, LIST_DELETED);

/** The numbers of the first devices of a deleted customer that still have data. */
export const listLeftDevices = (db: Queryable, customerId: string, limit: number) =>
  listValues<number>(db, LIST_LEFT_DEVICES, customerId, limit);

/** Whether some devices of a customer have, all together, fewer readings than a limit. */
export const haveFewerReadings = async (
  db: Queryable,
  customerId: string,
  { deviceNumbers, than }: { deviceNumbers: readonly number[]; than: number },
) => ((await findValue<number>(db, COUNT_LEFT, customerId, deviceNumbers, than)) ?? 0) < than;

/** Deletes all data of devices of a deleted customer. */
export async function deleteLeftDevices(
  tx: Transaction,
  customerId: string,
  deviceNumbers: readonly number[],
): Promise<void> {
  for (const statement of DELETE_LEFT) await execute(tx, statement, customerId, deviceNumbers);
}

/** Deletes at most `limit` events of a customer. False if there was none. */
export const deleteSomeEvents = (db: Queryable, customerId: string, limit: number) =>
  affectsRows(db, DELETE_SOME_EVENTS, customerId, limit);

/** Call this once nothing of the customer is left. */
export const forgetDeletedCustomer = (db: Queryable, customerId: string) => execute(db, FORGET_DELETED, customerId);
