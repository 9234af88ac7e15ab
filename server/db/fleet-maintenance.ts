import type { Queryable, Transaction } from './pool.ts';
import { affectsRows, execute, findValue, listValues } from './rows.ts';

// One probe of energy_dirty_ranges_pkey a customer.
const LIST_DIRTY_CUSTOMERS = `SELECT c.id FROM fleet.customers c
         WHERE EXISTS (SELECT FROM fleet.energy_dirty_ranges r WHERE r.customer_id = c.id) ORDER BY c.id`;
// Index ingest_events_received_at, once a customer.
const DELETE_OLD_EVENTS = `DELETE FROM fleet.ingest_events e USING fleet.customers c
         WHERE e.customer_id = c.id AND e.received_at < $1::timestamptz`;

/** The customers that have dirty ranges. */
export const listDirtyCustomers = (db: Queryable) => listValues<string>(db, LIST_DIRTY_CUSTOMERS);

/** Takes away the events of batches before an instant. */
export const deleteEventsBefore = (db: Queryable, before: Date) => execute(db, DELETE_OLD_EVENTS, before);

const LIST_DELETED = `SELECT customer_id AS id FROM fleet.deleted_customers ORDER BY deleted_at`;
// Every numbered device has a row, which goes after all else of the device.
const LIST_LEFT_DEVICES = `SELECT device_number AS "deviceNumber" FROM fleet.energy_state
  WHERE customer_id = $1 ORDER BY 1 LIMIT $2`;
// Index measurements_device_time_key, of which no more entries are read than are asked for.
const COUNT_LEFT = `SELECT count(*)::integer AS count
  FROM (SELECT FROM fleet.measurements WHERE customer_id = $1 AND device_number = ANY ($2::integer[]) LIMIT $3) m`;
// A key each. Many devices at a time, because planning over all partitions or chunks costs more than the rows of one. A row of
// energy_state says that something is left, so these go last.
const DELETE_LEFT = [
  'measurements',
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

/** Customers that were deleted and have rows still to be taken away, the first deleted first. */
export const listDeletedCustomers = (db: Queryable) => listValues<string>(db, LIST_DELETED);

/** The numbers of a deleted customer's first devices of which something is left. */
export const listLeftDevices = (db: Queryable, customerId: string, most: number) =>
  listValues<number>(db, LIST_LEFT_DEVICES, customerId, most);

/** Whether devices of a customer have fewer readings together. */
export const haveFewerReadings = async (
  db: Queryable,
  customerId: string,
  { deviceNumbers, than }: { deviceNumbers: readonly number[]; than: number },
) => ((await findValue<number>(db, COUNT_LEFT, customerId, deviceNumbers, than)) ?? 0) < than;

/** Takes away all that is left of devices of a deleted customer. */
export async function deleteLeftDevices(
  tx: Transaction,
  customerId: string,
  deviceNumbers: readonly number[],
): Promise<void> {
  for (const statement of DELETE_LEFT) await execute(tx, statement, customerId, deviceNumbers);
}

/** Takes away at most so many events of a customer. False if there was none. */
export const deleteSomeEvents = (db: Queryable, customerId: string, most: number) =>
  affectsRows(db, DELETE_SOME_EVENTS, customerId, most);

/** Nothing of the customer is left. */
export const forgetDeletedCustomer = (db: Queryable, customerId: string) => execute(db, FORGET_DELETED, customerId);
