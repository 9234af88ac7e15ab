import type { QuantityName } from '../../shared/quantities.ts';
import { fromFixedUnits, storedQuantities } from '../base/quantities.ts';
import type { Queryable } from '../database/pool.ts';
import { columnsOf, findValue, listRows } from '../database/rows.ts';
import type { PowerSum, RunningPower } from './alarm-kinds.rules.ts';

const millis = (instant: string) => `(extract(epoch FROM ${instant}) * 1000)::float8`;

// Finds the newest reading in the same way as sites/devices.sql.ts.
const LIST_DEVICES = `SELECT d.id, d.number, d.name, d.site_id AS "siteId", s.name AS "siteName",
    d.parent_device_id AS "parentDeviceId", d.end_use AS "endUse", m.time_zone AS "timeZone",
    d.expected_interval_seconds AS "expectedIntervalSeconds",
    ${millis('greatest(materialized.last_time, dirty.last_time)')} AS "lastMs"
  FROM monitoring.devices d JOIN monitoring.sites s ON s.id = d.site_id JOIN monitoring.municipalities m ON m.id = s.municipality_id
  LEFT JOIN monitoring.energy_state materialized ON materialized.device_number = d.number
  LEFT JOIN LATERAL (SELECT max(to_time) AS last_time FROM monitoring.energy_dirty_ranges
                     WHERE device_number = d.number) dirty ON true
  WHERE d.is_active ORDER BY d.number`;
/** The maximum number of readings of a device that are judged at once. If there are more, only the newest are judged. */
const maxValues = 1_000;
// Index measurements_device_time_key. $3 and $4 enclose all ranges: as plain values they keep other months out of the plan.
const listValuesOf = (column: string) => `SELECT asked.d AS number, ${millis('v.time')} AS "atMs", v.value
  FROM unnest($1::integer[], $2::float8[]) AS asked (d, f)
  CROSS JOIN LATERAL (
    SELECT m.time, m.${column} AS value FROM monitoring.measurements m
    WHERE m.device_number = asked.d AND m.time >= to_timestamp(asked.f / 1000.0) AND m.time >= $3 AND m.time <= $4
      AND m.${column} IS NOT NULL
    ORDER BY m.time DESC LIMIT ${maxValues}) v
  ORDER BY 1, 2`;
// Uses the same index. Finds the first reading of each device after an instant, and when the reading at that instant arrived.
const LIST_FIRST_AFTER = `SELECT asked.d AS number, ${millis('first.time')} AS "atMs"
  FROM unnest($1::integer[], $2::float8[]) AS asked (d, f)
  CROSS JOIN LATERAL (
    SELECT m.time FROM monitoring.measurements m
    WHERE m.device_number = asked.d AND m.time > to_timestamp(asked.f / 1000.0) AND m.time > $3 AND m.time <= $4
    ORDER BY m.time LIMIT 1) first`;
const LIST_RECEIVED = `SELECT m.device_number AS number, ${millis('m.received_at')} AS "atMs"
  FROM unnest($1::integer[], $2::float8[]) AS asked (d, f)
  JOIN monitoring.measurements m ON m.device_number = asked.d AND m.time >= $3 AND m.time <= $4
    AND m.time >= to_timestamp((asked.f - 1) / 1000.0) AND m.time <= to_timestamp((asked.f + 1) / 1000.0)`;

// Primary key of energy_days.
const COUNT_STORED = `SELECT coalesce(sum(samples), 0)::float8 AS count FROM monitoring.energy_days
  WHERE device_number = ANY ($1::integer[]) AND day >= ($2::timestamptz AT TIME ZONE 'UTC')::date
    AND day <= ($3::timestamptz AT TIME ZONE 'UTC')::date`;
// Index measurements_device_time_key, in its order.
const LIST_SILENCES = `SELECT ${millis('s.time')} AS "lastMs", ${millis('s.next')} AS "nextMs"
  FROM (SELECT m.time, lead(m.time) OVER (ORDER BY m.time) AS next FROM monitoring.measurements m
        WHERE m.device_number = $1 AND m.time >= $2 AND m.time < $3) s
  WHERE coalesce(s.next, $3) - s.time > $4::float8 * interval '1 millisecond' OR s.next IS NULL ORDER BY s.time`;
const listBetweenOf = (column: string) => `SELECT ${millis('m.time')} AS "atMs", m.${column} AS value
  FROM monitoring.measurements m
  WHERE m.device_number = $1 AND m.time >= $2 AND m.time < $3 AND m.${column} IS NOT NULL ORDER BY m.time`;

// Sums imported power. Uses index measurements_device_time_key, from the oldest current reading of each device on.
const powerSums = (where: string) =>
  `(coalesce(sum(greatest(m.active_power_milliwatts, 0)) FILTER (WHERE ${where}), 0))::float8`;
const LIST_POWER = `SELECT asked.d AS number, p.*
  FROM unnest($1::integer[], $2::float8[]) AS asked (d, f)
  CROSS JOIN LATERAL (
    SELECT ${powerSums('m.time >= $4')} AS "runningSum", (count(*) FILTER (WHERE m.time >= $4))::float8 AS "runningCount",
      ${powerSums('m.time >= $5')} AS "recentSum", (count(*) FILTER (WHERE m.time >= $5))::float8 AS "recentCount",
      ${millis('max(m.time)')} AS "lastMs"
    FROM monitoring.measurements m
    WHERE m.device_number = asked.d AND m.time >= to_timestamp(asked.f / 1000.0) AND m.time >= $3 AND m.time < $6) p
  WHERE p."lastMs" IS NOT NULL`;
const LIST_MINUTES = `SELECT m.device_number AS number, floor(extract(epoch FROM m.time) / 60)::float8 AS minute,
    ${powerSums('true')} AS sum, count(*)::float8 AS count, ${millis('max(m.time)')} AS "lastMs"
  FROM monitoring.measurements m WHERE m.device_number = ANY ($1::integer[]) AND m.time >= $2 AND m.time < $3
  GROUP BY 1, 2`;
// Primary key of delivery_hours.
const LIST_KEYS = `SELECT k.id, k.name, ${millis('k.last_used_at')} AS "lastMs", sums.accepted, sums.rejected
  FROM monitoring.api_keys k
  CROSS JOIN LATERAL (SELECT coalesce(sum(accepted), 0)::float8 AS accepted, coalesce(sum(rejected), 0)::float8 AS rejected
                      FROM monitoring.delivery_hours WHERE sender = k.id AND hour > $1) sums
  WHERE k.last_used_at IS NOT NULL ORDER BY k.id`;

/** An active device. Epoch milliseconds. */
export interface WatchedDevice {
  id: string;
  number: number;
  name: string;
  siteId: string;
  siteName: string;
  parentDeviceId: string | null;
  endUse: string | null;
  timeZone: string;
  expectedIntervalSeconds: number | null;
  /** The time of its newest reading; null before the first. */
  lastMs: number | null;
}

export const listWatchedDevices = (db: Queryable) => listRows<WatchedDevice>(db, LIST_DEVICES);

/** An instant of a device. */
export interface InstantOf {
  number: number;
  atMs: number;
}

const asked = (instants: readonly InstantOf[], untilMs?: number) => {
  const times = instants.map(({ atMs }) => atMs);
  return [
    instants.map(({ number }) => number),
    times,
    new Date(Math.floor(Math.min(...times)) - 1),
    new Date(Math.ceil(untilMs ?? Math.max(...times)) + (untilMs === undefined ? 1 : 0)),
  ];
};

const storedOf = (quantity: QuantityName) => storedQuantities.find(({ name }) => name === quantity);

export const unitOf = (quantity: QuantityName): string | null => storedOf(quantity)?.unit ?? null;

/** How many materialized readings devices have on the days of a range. */
export const countStoredReadings = async (db: Queryable, numbers: readonly number[], fromMs: number, toMs: number) =>
  (await findValue<number>(db, COUNT_STORED, numbers, new Date(fromMs), new Date(toMs))) ?? 0;

/** The times in a range after which a device had no reading for longer than `afterMs`, each with its last reading. */
export const listSilences = (db: Queryable, number: number, fromMs: number, toMs: number, afterMs: number) =>
  listRows<{ lastMs: number; nextMs: number | null }>(
    db,
    LIST_SILENCES,
    number,
    new Date(fromMs),
    new Date(toMs),
    afterMs,
  );

/** The values of a quantity of a device in a range, ascending. */
export async function listValuesBetween(
  db: Queryable,
  quantity: QuantityName,
  number: number,
  fromMs: number,
  toMs: number,
) {
  const stored = storedOf(quantity);
  if (stored === undefined) return [];
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const rows = await listRows<{ atMs: number; value: number | bigint }>(
    db,
    listBetweenOf(stored.column),
    number,
    from,
    to,
  );
  return rows.map(({ atMs, value }) => ({ atMs, value: fromFixedUnits(value, stored.scale) }));
}

/** The values of a quantity: of each device from its own start up to a common end, ascending, at most the newest 1,000. */
export async function listNewValues(
  db: Queryable,
  quantity: QuantityName,
  from: readonly InstantOf[],
  untilMs: number,
) {
  const stored = storedOf(quantity);
  if (stored === undefined || from.length === 0) return [];
  const rows = await listRows<InstantOf & { value: number | bigint }>(
    db,
    listValuesOf(stored.column),
    ...asked(from, untilMs),
  );
  return rows.map(({ value, ...row }) => ({ ...row, value: fromFixedUnits(value, stored.scale) }));
}

/** The first reading of each device after its own start, up to a common end. */
export const listFirstAfter = async (db: Queryable, after: readonly InstantOf[], untilMs: number) =>
  after.length === 0 ? [] : listRows<InstantOf>(db, LIST_FIRST_AFTER, ...asked(after, untilMs));

/** When the readings at these instants were received. */
export const listReceived = async (db: Queryable, readings: readonly InstantOf[]) =>
  readings.length === 0 ? [] : listRows<InstantOf>(db, LIST_RECEIVED, ...asked(readings));

/**
 * The power of devices in the running quarter-hour and in the last minutes before an instant. Only devices with a reading
 * between their own start and this instant are included.
 */
export async function listRunningPower(
  db: Queryable,
  from: readonly InstantOf[],
  { slotMs, recentMs, atMs }: { slotMs: number; recentMs: number; atMs: number },
): Promise<(RunningPower & { number: number })[]> {
  if (from.length === 0) return [];
  const firstMs = from.reduce((first, one) => Math.min(first, one.atMs), slotMs);
  const rows = await listRows<
    Record<'number' | 'runningSum' | 'runningCount' | 'recentSum' | 'recentCount' | 'lastMs', number>
  >(
    db,
    LIST_POWER,
    ...columnsOf(from, ['number', 'atMs']),
    ...[firstMs, slotMs, recentMs, atMs].map((ms) => new Date(ms)),
  );
  return rows.map(({ number, lastMs, ...own }) => ({
    number,
    lastMs,
    running: { sum: own.runningSum, count: own.runningCount },
    recent: { sum: own.recentSum, count: own.recentCount },
  }));
}

/** The power of devices by minute, in no order. Minutes are counted from 1970. */
export const listPowerMinutes = (db: Queryable, numbers: readonly number[], fromMs: number, toMs: number) =>
  listRows<PowerSum & { number: number; minute: number; lastMs: number }>(
    db,
    LIST_MINUTES,
    numbers,
    new Date(fromMs),
    new Date(toMs),
  );

/** The API keys in use, with the number of their rows since an instant. */
export const listUsedKeys = (db: Queryable, after: Date) =>
  listRows<{ id: string; name: string; lastMs: number; accepted: number; rejected: number }>(db, LIST_KEYS, after);
