import { type Device, energyRules } from './devices.ts';
import { type Quantities, quantitiesOf, type StoredQuantities } from './measurements.ts';
import type { Municipality } from './municipalities.ts';
import type { Queryable } from './pool.ts';
import { readingQuantities } from './reading-columns.ts';
import { listRows } from './rows.ts';

/** What refers to a record that has not come yet has null in its place. */
export interface CustomerSite {
  id: string;
  name: string;
  municipalityId: string;
  municipalityName: string | null;
  timeZone: string | null;
}
export type CustomerDevice = Device & { siteName: string | null };
interface MeasuredDevice {
  time: string;
  deviceId: string;
  /** Null while only measurements of the device have come. */
  deviceName: string | null;
  siteName: string | null;
}
export type CustomerMeasurement = MeasuredDevice & Quantities;

/** A batch that came. */
export interface IngestEvent {
  id: string;
  receivedAt: string;
  batchType: string;
  rowsAccepted: number;
  rowsRejected: number;
  payloadBytes: number;
  cursor: string | null;
  fromTime: string | null;
  toTime: string | null;
  error: string | null;
}

// Primary keys, all of the customer.
const LIST_SITES = `SELECT s.id, s.name, s.municipality_id AS "municipalityId", m.name AS "municipalityName",
         m.time_zone AS "timeZone"
  FROM fleet.sites s
  LEFT JOIN fleet.municipalities m ON m.customer_id = s.customer_id AND m.id = s.municipality_id
  WHERE s.customer_id = $1 AND s.removed_at IS NULL`;
const LIST_MUNICIPALITIES = `SELECT id, name, time_zone AS "timeZone" FROM fleet.municipalities
  WHERE customer_id = $1 AND removed_at IS NULL`;
// The newest reading is that of the quarter-hour rollup or of what is not materialized yet.
const fromDevices = `FROM fleet.devices d
  LEFT JOIN fleet.sites s ON s.customer_id = $1 AND s.id = d.site_id
  LEFT JOIN (SELECT device_number, max(last_time) AS last_time
             FROM (SELECT device_number, last_time FROM fleet.energy_state WHERE customer_id = $1
                   UNION ALL
                   SELECT device_number, to_time FROM fleet.energy_dirty_ranges WHERE customer_id = $1) times
             GROUP BY device_number) newest ON newest.device_number = d.number
  WHERE d.customer_id = $1 AND d.removed_at IS NULL`;
const LIST_DEVICES = `SELECT d.id, d.site_id AS "siteId", s.name AS "siteName", d.name, d.external_id AS "externalId",
         d.is_active AS "isActive", ${energyRules}, newest.last_time AS "lastMeasuredAt"
  ${fromDevices} AND d.announced_at IS NOT NULL`;
// Of the last so many readings none is of a device whose own last one comes behind that of as many others. Index
// measurements_device_time_key, from the last reading of each back.
const LIST_NEWEST = `SELECT m.time, d.id AS "deviceId", d.name AS "deviceName", d.site_name AS "siteName",
         ${readingQuantities.map(({ name, column }) => `m.${column} AS "${name}"`).join(', ')}
  FROM (SELECT d.id, d.number, d.name, s.name AS site_name, newest.last_time
        ${fromDevices} AND newest.last_time IS NOT NULL ORDER BY last_time DESC LIMIT $2) d
  CROSS JOIN LATERAL (SELECT * FROM fleet.measurements m
                      WHERE m.customer_id = $1 AND m.device_number = d.number AND m.time <= d.last_time
                      ORDER BY m.time DESC LIMIT $2) m
  ORDER BY m.time DESC, d.number LIMIT $2`;
// Index ingest_events_received_at.
const LIST_EVENTS = `SELECT id, received_at AS "receivedAt", batch_type AS "batchType", rows_accepted AS "rowsAccepted",
         rows_rejected AS "rowsRejected", payload_bytes AS "payloadBytes", cursor, from_time AS "fromTime",
         to_time AS "toTime", error
  FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY received_at DESC, id DESC LIMIT $2`;

/** The current sites of a customer, in no order; the lists below are of current records too. */
export const listCustomerSites = (db: Queryable, customerId: string) =>
  listRows<CustomerSite>(db, LIST_SITES, customerId);

export const listCustomerMunicipalities = (db: Queryable, customerId: string) =>
  listRows<Municipality>(db, LIST_MUNICIPALITIES, customerId);

export const listCustomerDevices = (db: Queryable, customerId: string) =>
  listRows<CustomerDevice>(db, LIST_DEVICES, customerId);

/** The last readings of all devices that were not removed, newest first. */
export async function listNewestMeasurements(
  db: Queryable,
  customerId: string,
  limit: number,
): Promise<CustomerMeasurement[]> {
  const rows = await listRows<MeasuredDevice & StoredQuantities>(db, LIST_NEWEST, customerId, limit);
  return rows.map((row) => ({ ...row, ...quantitiesOf(row) }));
}

/** The last batches, newest first. */
export const listIngestEvents = (db: Queryable, customerId: string, limit: number) =>
  listRows<IngestEvent>(db, LIST_EVENTS, customerId, limit);
