import type { Arrival, DeliveryHour, DeliveryTotals } from './arrivals.rules.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findRow, findValue, listRows, instantOf } from '../database/rows.ts';

// Only one portal of a database writes at a time, so that portals cannot deadlock on each other's rows.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('monitoring.arrivals'))`;
const ADD_HOURS = `INSERT INTO monitoring.delivery_hours AS h (sender, hour, deliveries, accepted, duplicates, rejected)
  SELECT sender, to_timestamp(ms / 1000.0), deliveries, accepted, duplicates, rejected
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS row (sender, ms, deliveries, accepted, duplicates, rejected)
  ON CONFLICT ON CONSTRAINT delivery_hours_pkey DO UPDATE
    SET deliveries = h.deliveries + excluded.deliveries, accepted = h.accepted + excluded.accepted,
        duplicates = h.duplicates + excluded.duplicates, rejected = h.rejected + excluded.rejected`;
const PUT_ARRIVALS = `INSERT INTO monitoring.arrivals AS a
    (sender, external_id, field, received_at, reason, is_known, measured_at, active_power_kw)
  SELECT sender, external_id, field, to_timestamp(ms / 1000.0), reason, is_known, ${instantOf('micros')}, power
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::bigint[], $8::float8[])
    AS row (sender, external_id, field, ms, reason, is_known, micros, power)
  ON CONFLICT ON CONSTRAINT arrivals_pkey DO UPDATE
    SET received_at = excluded.received_at, reason = excluded.reason, is_known = excluded.is_known,
        measured_at = excluded.measured_at, active_power_kw = excluded.active_power_kw
    WHERE a.received_at <= excluded.received_at`;
const DELETE_OLD_HOURS = `DELETE FROM monitoring.delivery_hours WHERE hour <= $1`;
/** The maximum number of rows that are kept for each sender (accepted and rejected rows counted separately), and in total. */
const [maxOfSender, maxOfAll] = [200, 5_000];
const DELETE_SURPLUS = `DELETE FROM monitoring.arrivals a
  USING (SELECT sender, external_id, field, received_at, row_number() OVER newest_of_all AS place,
                row_number() OVER newest_of_sender AS place_of_sender
         FROM monitoring.arrivals
         WINDOW newest_of_all AS (ORDER BY received_at DESC),
                newest_of_sender AS (PARTITION BY sender, field = '' ORDER BY received_at DESC)) o
  WHERE a.sender = o.sender AND a.external_id = o.external_id AND a.field = o.field
    AND (o.received_at <= $1 OR o.place > ${maxOfAll} OR o.place_of_sender > ${maxOfSender})`;
// Written only if the watch would end soon: each viewer asks again every two seconds.
const WATCH = `INSERT INTO monitoring.arrivals_watched AS w (until_time) VALUES ($1)
  ON CONFLICT (only_row) DO UPDATE SET until_time = excluded.until_time WHERE w.until_time < $2`;
const IS_WATCHED = `SELECT until_time > $1 AS "isWatched" FROM monitoring.arrivals_watched`;
const SUM_HOURS = `SELECT coalesce(sum(deliveries), 0)::float8 AS deliveries, coalesce(sum(accepted), 0)::float8 AS accepted,
    coalesce(sum(duplicates), 0)::float8 AS duplicates, coalesce(sum(rejected), 0)::float8 AS rejected
  FROM monitoring.delivery_hours WHERE sender = $1 AND hour > $2`;
// Rejected rows of a whole request come first, even above the limit. Uses index devices_external_id_key and the primary keys.
const selectArrivals = (
  where: string,
) => `SELECT nullif(a.external_id, '') AS "externalId", nullif(a.field, '') AS field,
    a.received_at AS "receivedAt", a.reason, a.is_known AS "isKnown", a.measured_at AS "measuredAt",
    a.active_power_kw AS "activePowerKw", k.id AS "apiKeyId", k.name AS "apiKeyName",
    d.id AS "deviceId", d.name AS "deviceName", s.id AS "siteId", s.name AS "siteName", m.time_zone AS "timeZone"
  FROM monitoring.arrivals a
  LEFT JOIN monitoring.api_keys k ON k.id = a.sender
  LEFT JOIN monitoring.devices d ON d.external_id = a.external_id
  LEFT JOIN monitoring.sites s ON s.id = d.site_id
  LEFT JOIN monitoring.municipalities m ON m.id = s.municipality_id
  WHERE ${where} ORDER BY a.received_at DESC, a.field = '', a.external_id, a.field LIMIT ${maxOfSender}`;
const LIST_REJECTED = selectArrivals(`a.sender = $1 AND a.field <> '' AND a.received_at > $2`);
const LIST_LATEST = selectArrivals(`a.received_at > $1`);

/** An arrival, with its sender and the device that has its external id now. */
export interface StoredArrival {
  externalId: string | null;
  field: string | null;
  receivedAt: string;
  reason: string | null;
  isKnown: boolean | null;
  measuredAt: string | null;
  activePowerKw: number | null;
  apiKeyId: string | null;
  apiKeyName: string | null;
  deviceId: string | null;
  deviceName: string | null;
  siteId: string | null;
  siteName: string | null;
  timeZone: string | null;
}

/** Holds back other portals until the end of the transaction. */
export const lockArrivals = (tx: Transaction) => execute(tx, LOCK);

/** Adds to the counts of the hours. */
export const addDeliveryHours = (tx: Transaction, hours: readonly DeliveryHour[]) =>
  execute(tx, ADD_HOURS, ...columnsOf(hours, ['sender', 'hourMs', 'deliveries', 'accepted', 'duplicates', 'rejected']));

/** Each external id and field once. */
export const putArrivals = (tx: Transaction, arrivals: readonly Arrival[]) =>
  execute(
    tx,
    PUT_ARRIVALS,
    ...columnsOf(arrivals, [
      'sender',
      'externalId',
      'field',
      'receivedMs',
      'reason',
      'isKnown',
      'timeMicros',
      'activePowerKw',
    ]),
  );

/** Deletes arrivals as old as `before`, and those beyond the limits. */
export async function pruneArrivals(tx: Transaction, before: Date): Promise<void> {
  await execute(tx, DELETE_OLD_HOURS, before);
  await execute(tx, DELETE_SURPLUS, before);
}

/** Makes portals write accepted rows until `until`. Changes nothing if they do so until `atLeast` anyway. */
export const watchArrivals = (db: Queryable, until: Date, atLeast: Date) => execute(db, WATCH, until, atLeast);

export const areArrivalsWatched = async (db: Queryable, now: Date) =>
  (await findValue<boolean>(db, IS_WATCHED, now)) ?? false;

export async function sumDeliveries(db: Queryable, sender: string, after: Date): Promise<DeliveryTotals> {
  const totals = await findRow<DeliveryTotals>(db, SUM_HOURS, sender, after);
  return totals ?? { deliveries: 0, accepted: 0, duplicates: 0, rejected: 0 };
}

/** The rejected rows of a sender, the latest first. */
export const listRejectedArrivals = (db: Queryable, sender: string, after: Date) =>
  listRows<StoredArrival>(db, LIST_REJECTED, sender, after);

/** The latest rows of all senders, the latest first. */
export const listLatestArrivals = (db: Queryable, after: Date) => listRows<StoredArrival>(db, LIST_LATEST, after);
