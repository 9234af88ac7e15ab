import type { Queryable } from './pool.ts';
import { affectsRows, execute, listRows } from './rows.ts';

// One probe of energy_dirty_ranges_pkey a customer.
const LIST_DIRTY_CUSTOMERS = `SELECT c.id FROM fleet.customers c
         WHERE EXISTS (SELECT FROM fleet.energy_dirty_ranges r WHERE r.customer_id = c.id) ORDER BY c.id`;
// Index ingest_events_received_at, once a customer.
const DELETE_OLD_EVENTS = `DELETE FROM fleet.ingest_events e USING fleet.customers c
         WHERE e.customer_id = c.id AND e.received_at < $1::timestamptz`;

/** The customers that have dirty ranges. */
export const listDirtyCustomers = async (db: Queryable) =>
  (await listRows<{ id: string }>(db, LIST_DIRTY_CUSTOMERS)).map(({ id }) => id);

/** Takes away the events of batches before an instant. */
export const deleteEventsBefore = (db: Queryable, before: Date) => execute(db, DELETE_OLD_EVENTS, before);

const LIST_DELETED = `SELECT customer_id AS id FROM fleet.deleted_customers ORDER BY deleted_at`;
// Every numbered device has a row, which goes after all else of the device.
const LIST_LEFT_DEVICES = `SELECT device_number AS "deviceNumber" FROM fleet.energy_state WHERE customer_id = $1 ORDER BY 1`;
// Index ingest_events_received_at.
const DELETE_SOME_EVENTS = `DELETE FROM fleet.ingest_events
         WHERE customer_id = $1
           AND id IN (SELECT id FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY received_at DESC LIMIT $2)`;
const FORGET_DELETED = `DELETE FROM fleet.deleted_customers WHERE customer_id = $1`;

/** Customers that were deleted and have rows still to be taken away, the first deleted first. */
export const listDeletedCustomers = async (db: Queryable) =>
  (await listRows<{ id: string }>(db, LIST_DELETED)).map(({ id }) => id);

/** The numbers of a deleted customer's devices of which something is left. */
export const listLeftDevices = async (db: Queryable, customerId: string) =>
  (await listRows<{ deviceNumber: number }>(db, LIST_LEFT_DEVICES, customerId)).map(({ deviceNumber }) => deviceNumber);

/** Takes away at most so many events of a customer. False if there was none. */
export const deleteSomeEvents = (db: Queryable, customerId: string, most: number) =>
  affectsRows(db, DELETE_SOME_EVENTS, customerId, most);

/** Nothing of the customer is left. */
export const forgetDeletedCustomer = (db: Queryable, customerId: string) => execute(db, FORGET_DELETED, customerId);
