import type { DifferingDay } from '../energy/day-checksums.rules.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, findValue, listRows } from '../database/rows.ts';

/** A device, and an estimate of its measurements in a range. */
export interface CountedDevice {
  id: string;
  number: number;
  rows: number;
}

/** A day of a device that still differed after it was sent again. */
export interface KnownDifference {
  deviceId: string;
  deviceName: string;
  day: string;
  ownCount: number;
  fleetCount: number;
  ownChecksum: string;
  fleetChecksum: string;
}

const COUNT_DEVICES = `SELECT count(*) AS count FROM monitoring.devices`;
// Primary keys devices_pkey by number and energy_days_pkey, which includes samples.
const LIST_DEVICES = `SELECT d.id, d.number, coalesce((SELECT sum(e.samples) FROM monitoring.energy_days e
    WHERE e.device_number = d.number AND e.day >= $2::date AND e.day < $3::date), 0)::bigint AS rows
  FROM monitoring.devices d WHERE d.number > $1 ORDER BY d.number LIMIT $4`;
// Scans the outbox, which is short when days are compared.
const LIST_PENDING = `SELECT DISTINCT d.id AS "deviceId", to_char(timestamptz 'epoch' AT TIME ZONE 'UTC' + range.f * interval '1 microsecond', 'YYYY-MM-DD') AS day
  FROM monitoring.push_outbox, unnest(device_numbers, from_micros) AS range (n, f)
  JOIN monitoring.devices d ON d.number = range.n
  WHERE d.id = ANY ($1::uuid[])
  UNION SELECT d.id, to_char(i.from_time AT TIME ZONE 'UTC', 'YYYY-MM-DD')
  FROM monitoring.intervals i JOIN monitoring.devices d ON d.number = i.device_number
  WHERE d.id = ANY ($1::uuid[]) AND NOT i.is_pushed
  UNION SELECT d.id, to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD')
  FROM monitoring.push_removals r JOIN monitoring.devices d ON d.number = r.device_number,
    generate_series(date_trunc('day', r.from_time, 'UTC'), r.to_time - interval '1 microsecond', interval '1 day') day
  WHERE d.id = ANY ($1::uuid[])`;
// Intervals that are queued again look like intervals that were never pushed. Nothing is compared until the fleet has all of
// them.
const FIND_LOAD = `SELECT coalesce(sum(row_count), 0)::bigint AS rows,
    coalesce(bool_or(is_resend), false) OR EXISTS (SELECT FROM monitoring.intervals WHERE NOT is_pushed) AS "hasResends"
  FROM monitoring.push_outbox`;
// Each entry gets an instant of its own, because entries with the same instant are sorted together, again for each batch.
const RESEND = `INSERT INTO monitoring.push_outbox (received_at, row_count, device_numbers, from_micros, to_micros, is_resend)
  SELECT now() + asked.position * interval '1 microsecond', asked.count, ARRAY[d.number],
         ARRAY[(extract(epoch FROM asked.day) * 1000000)::bigint],
         ARRAY[(extract(epoch FROM asked.day + 1) * 1000000)::bigint - 1], true
  FROM unnest($1::uuid[], $2::date[], $3::integer[]) WITH ORDINALITY AS asked (device, day, count, position)
  JOIN monitoring.devices d ON d.id = asked.device`;
const LIST_KNOWN = `SELECT d.id AS "deviceId", d.name AS "deviceName", p.day::text AS day, p.own_count AS "ownCount", p.fleet_count AS "fleetCount",
    p.own_checksum AS "ownChecksum", p.fleet_checksum AS "fleetChecksum"
  FROM monitoring.push_differences p JOIN monitoring.devices d ON d.number = p.device_number`;
const LIST_KNOWN_OF_PAGE = `${LIST_KNOWN} WHERE d.id = ANY ($1::uuid[]) AND p.day >= $2::date AND p.day < $3::date`;
const LIST_NEWEST_KNOWN = `${LIST_KNOWN} ORDER BY p.day DESC, d.name, d.id LIMIT $1`;
const COUNT_KNOWN = `SELECT count(*) AS count FROM monitoring.push_differences p JOIN monitoring.devices d ON d.number = p.device_number`;
const DELETE_OF_PAGE = `DELETE FROM monitoring.push_differences p USING monitoring.devices d
  WHERE d.number = p.device_number AND d.id = ANY ($1::uuid[]) AND p.day >= $2::date AND p.day < $3::date`;
const INSERT = `INSERT INTO monitoring.push_differences (device_number, day, own_count, fleet_count, own_checksum, fleet_checksum)
  SELECT d.number, day, own, fleet, own_checksum, fleet_checksum
  FROM unnest($1::uuid[], $2::date[], $3::integer[], $4::integer[], $5::text[], $6::text[])
    AS row (device, day, own, fleet, own_checksum, fleet_checksum)
  JOIN monitoring.devices d ON d.id = row.device
  ON CONFLICT DO NOTHING`;
// Deletes the differences of deleted devices, and of days whose measurements are no longer kept.
const DELETE_OUTDATED = `DELETE FROM monitoring.push_differences
  WHERE day < coalesce((SELECT kept_from AT TIME ZONE 'UTC' FROM monitoring.retention), '-infinity')::date
    OR device_number NOT IN (SELECT number FROM monitoring.devices)`;
const FORGET = `DELETE FROM monitoring.push_differences`;

const day = (micros: number) => formatInstant(micros).slice(0, 10);

const countOf = async (db: Queryable, statement: string) => (await findValue<number>(db, statement)) ?? 0;

export const countDevices = (db: Queryable) => countOf(db, COUNT_DEVICES);

/** The next devices after a number, at most `limit`. */
export const listNextDevices = (db: Queryable, number: number, { fromMicros, toMicros }: MicrosRange, limit: number) =>
  listRows<CountedDevice>(db, LIST_DEVICES, number, day(fromMicros), day(toMicros), limit);

/** Days of devices with rows that are recorded but not sent yet. */
export const listPendingDays = (db: Queryable, deviceIds: readonly string[]) =>
  listRows<{ deviceId: string; day: string }>(db, LIST_PENDING, deviceIds);

/** How much is recorded but not sent yet, and whether this includes days that are sent again. */
export const findOutboxLoad = async (db: Queryable) =>
  (await findRow<{ rows: number; hasResends: boolean }>(db, FIND_LOAD)) ?? { rows: 0, hasResends: false };

/** Queues days of devices to be sent again, with all their stored rows. */
export const insertResends = (tx: Transaction, days: readonly DifferingDay[]) =>
  execute(
    tx,
    RESEND,
    days.map(({ deviceId }) => deviceId),
    days.map((one) => one.day),
    days.map(({ own }) => own?.count ?? 0),
  );

/** The differences of some devices in a range of days. */
export const listKnownDifferences = (
  db: Queryable,
  deviceIds: readonly string[],
  { fromMicros, toMicros }: MicrosRange,
) => listRows<KnownDifference>(db, LIST_KNOWN_OF_PAGE, deviceIds, day(fromMicros), day(toMicros));

/** The newest days first. */
export const listNewestDifferences = (db: Queryable, limit: number) =>
  listRows<KnownDifference>(db, LIST_NEWEST_KNOWN, limit);
export const countDifferences = (db: Queryable) => countOf(db, COUNT_KNOWN);

/** Replaces the differences of some devices in a range of days. */
export async function replaceDifferences(
  tx: Transaction,
  deviceIds: readonly string[],
  { fromMicros, toMicros }: MicrosRange,
  differing: readonly DifferingDay[],
): Promise<void> {
  await execute(tx, DELETE_OF_PAGE, deviceIds, day(fromMicros), day(toMicros));
  if (differing.length === 0) return;
  await execute(
    tx,
    INSERT,
    differing.map(({ deviceId }) => deviceId),
    differing.map((one) => one.day),
    differing.map(({ own }) => own?.count ?? 0),
    differing.map(({ fleet }) => fleet?.count ?? 0),
    differing.map(({ own }) => own?.checksum ?? ''),
    differing.map(({ fleet }) => fleet?.checksum ?? ''),
  );
}

export const deleteOutdatedDifferences = (db: Queryable) => execute(db, DELETE_OUTDATED);
export const forgetDifferences = (db: Queryable) => execute(db, FORGET);
