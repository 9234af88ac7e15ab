import { formatInstant, type MicrosRange } from '../base/instants.ts';
import type { Queryable } from '../database/pool.ts';
import { listRows } from '../database/rows.ts';

/** Counts of the rows received from a customer. */
export interface CustomerCounts {
  customerId: string;
  siteCount: number;
  deviceCount: number;
  newestMeasurementAt: string | null;
  /** Counted up to `limit` + 1. */
  dirtyRanges: number;
  hasGaps: boolean;
}

// Primary keys; every table has a few hundred rows per customer.
const LIST_COUNTS = `SELECT c.customer_id AS "customerId",
         (SELECT count(*) FROM fleet.sites s WHERE s.customer_id = c.customer_id AND s.removed_at IS NULL) AS "siteCount",
         (SELECT count(*) FROM fleet.devices d
          WHERE d.customer_id = c.customer_id AND d.removed_at IS NULL AND d.announced_at IS NOT NULL) AS "deviceCount",
         greatest((SELECT max(greatest(last_time, intervals_last)) FROM fleet.energy_state e WHERE e.customer_id = c.customer_id),
                  (SELECT max(to_time) FROM fleet.energy_dirty_ranges r WHERE r.customer_id = c.customer_id)) AS "newestMeasurementAt",
         (SELECT count(*) FROM (SELECT FROM fleet.energy_dirty_ranges r WHERE r.customer_id = c.customer_id LIMIT $4) r) AS "dirtyRanges",
         EXISTS (SELECT FROM fleet.energy_gaps g
                 WHERE g.customer_id = c.customer_id AND g.from_day < date '1970-01-01' + $3::integer
                   AND g.to_day > date '1970-01-01' + $2::integer) AS "hasGaps"
  FROM fleet.customer_state c WHERE c.customer_id = ANY ($1::uuid[])`;

/** The counts of some customers. Gaps count if they touch the days (since 1970, half-open). */
export const listCustomerCounts = (
  db: Queryable,
  customerIds: readonly string[],
  { fromDay, toDay }: { fromDay: number; toDay: number },
  maxDirtyRanges: number,
) => listRows<CustomerCounts>(db, LIST_COUNTS, customerIds, fromDay, toDay, maxDirtyRanges + 1);

/** Readings in a range whose devices have no slots that count: they have no site, or were removed. */
export interface UnplacedReadings {
  customerId: string;
  /** Readings of removed devices, and of devices whose site has not arrived. Counted up to the limit. */
  removed: number;
  waiting: number;
}

// Uses primary keys, and measurements_device_time_key for the few devices that remain. OFFSET 0 keeps the planner from joining
// first.
const COUNT_UNPLACED = `SELECT c.customer_id AS "customerId", r.removed, r.waiting
  FROM fleet.customer_state c
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE is_removed) AS removed, count(*) FILTER (WHERE NOT is_removed) AS waiting
    FROM (SELECT d.is_removed
          FROM (SELECT customer_id, number, removed_at IS NOT NULL AS is_removed FROM fleet.devices d
                WHERE customer_id = c.customer_id AND (removed_at IS NOT NULL OR NOT EXISTS (
                  SELECT FROM fleet.sites s JOIN fleet.municipalities m ON m.customer_id = s.customer_id AND m.id = s.municipality_id
                  WHERE s.customer_id = d.customer_id AND s.id = d.site_id))
                OFFSET 0) d
          CROSS JOIN LATERAL (SELECT FROM fleet.measurements m
                              WHERE m.customer_id = d.customer_id AND m.device_number = d.number
                                AND m.time >= $2::timestamptz AND m.time < $3::timestamptz LIMIT $4) r
          LIMIT $4) one) r
  WHERE c.customer_id = ANY ($1::uuid[]) AND r.removed + r.waiting > 0`;

/** The customers that have such readings. */
export const countUnplacedReadings = (
  db: Queryable,
  customerIds: readonly string[],
  { fromMicros, toMicros }: MicrosRange,
  limit: number,
) =>
  listRows<UnplacedReadings>(
    db,
    COUNT_UNPLACED,
    customerIds,
    formatInstant(fromMicros),
    formatInstant(toMicros),
    limit,
  );

// Reads only index ingest_events_received_at, for each customer from a different hour on.
const COUNT_BATCHES = `SELECT c.id AS "customerId", batches.hour, batches.count, batches.failed, batches.rejected
  FROM unnest($1::uuid[], $2::integer[]) AS c (id, hour)
  CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM received_at) / 3600)::integer AS hour, sum(batches) AS count,
                             coalesce(sum(batches) FILTER (WHERE error IS NOT NULL), 0) AS failed, sum(rows_rejected) AS rejected
                      FROM fleet.ingest_events e
                      WHERE e.customer_id = c.id AND e.received_at >= timestamptz 'epoch' + c.hour * interval '1 hour'
                      GROUP BY e.customer_id, 1) batches`;

export interface HourOfBatches {
  customerId: string;
  hour: number;
  count: number;
  /** The number of rejected batches and of batches with rejected records. */
  failed: number;
  /** The number of rejected records. */
  rejected: number;
}

/** The number of batches of each customer by UTC hour (counted from 1970), starting with an hour for each customer. */
export const countBatches = (db: Queryable, since: readonly { customerId: string; hour: number }[]) =>
  listRows<HourOfBatches>(
    db,
    COUNT_BATCHES,
    since.map(({ customerId }) => customerId),
    since.map(({ hour }) => hour),
  );

// Primary keys; every table has a few hundred rows per customer.
const LIST_METERED_SITES = `SELECT d.customer_id AS "customerId", d.site_id AS id, s.municipality_id AS "municipalityId",
         m.time_zone AS "timeZone", bool_or(d.is_active) AS "isActive", count(*) AS "deviceCount"
  FROM unnest($1::uuid[]) AS c (id)
  JOIN fleet.devices d ON d.customer_id = c.id AND d.removed_at IS NULL
  CROSS JOIN LATERAL (SELECT municipality_id FROM fleet.sites
                      WHERE customer_id = d.customer_id AND id = d.site_id LIMIT 1) s
  CROSS JOIN LATERAL (SELECT time_zone FROM fleet.municipalities
                      WHERE customer_id = d.customer_id AND id = s.municipality_id LIMIT 1) m
  GROUP BY 1, 2, 3, 4`;

/** A site with devices; whether any of them is active. */
export interface MeteredSite {
  customerId: string;
  id: string;
  municipalityId: string;
  timeZone: string;
  isActive: boolean;
  deviceCount: number;
}

/** The sites of some customers that have devices, in no order. */
export const listMeteredSites = (db: Queryable, customerIds: readonly string[]) =>
  listRows<MeteredSite>(db, LIST_METERED_SITES, customerIds);
