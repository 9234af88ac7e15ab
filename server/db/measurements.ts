import {
  type FixedUnits,
  fromFixedUnits,
  milli,
  millionth,
  milliOfKilo,
  tenthOfMilli,
  type UnitScale,
} from '../domain/fixed-units.ts';
import type { Database, Queryable } from './pool.ts';

/** Which measurements: instants are ISO 8601 in UTC, half-open; null devices are all devices. */
export interface MeasurementFilter {
  from: string;
  to: string;
  deviceIds: readonly string[] | null;
}

export interface MeasurementRow {
  time: string;
  deviceName: string;
  siteName: string;
  activePowerKw: number;
  reactivePowerKvar: number | null;
  apparentPowerKva: number | null;
  powerFactor: number | null;
  voltageV: number | null;
  frequencyHz: number | null;
  energyImportedKwh: number | null;
  energyExportedKwh: number | null;
}

interface StoredRow {
  time: string;
  deviceName: string;
  siteName: string;
  p: FixedUnits;
  q: FixedUnits | null;
  s: FixedUnits | null;
  pf: FixedUnits | null;
  v: FixedUnits | null;
  f: FixedUnits | null;
  ei: FixedUnits | null;
  ee: FixedUnits | null;
}

// Primary keys of devices; an unknown id simply matches nothing.
const FIND_NUMBERS = {
  text: `SELECT number FROM monitoring.devices WHERE $1::uuid[] IS NULL OR id = ANY($1::uuid[]) ORDER BY number`,
};
// Index measurements_device_time_key, an index-only scan where the pages are all visible.
const COUNT = {
  text: `SELECT count(*) AS count FROM monitoring.measurements
         WHERE device_number = ANY($1::integer[]) AND time >= $2 AND time < $3`,
};

// For each device its own newest (or oldest) rows from measurements_device_time_key, then those of all in order: no more
// than `depth` rows a device are read, whatever the range holds.
const page = (order: 'DESC' | 'ASC') => ({
  text: `SELECT page.time, d.name AS "deviceName", s.name AS "siteName",
                page.active_power_milliwatts AS p, page.reactive_power_millivars AS q,
                page.apparent_power_millivoltamperes AS s, page.power_factor_millionths AS pf,
                page.voltage_millivolts AS v, page.frequency_tenth_millihertz AS f,
                page.energy_imported_milliwatthours AS ei, page.energy_exported_milliwatthours AS ee
         FROM (
           SELECT m.* FROM unnest($1::integer[]) AS chosen (number)
           CROSS JOIN LATERAL (
             SELECT * FROM monitoring.measurements
             WHERE device_number = chosen.number AND time >= $2 AND time < $3
             ORDER BY time ${order} LIMIT $4
           ) m
           ORDER BY m.time ${order}, m.device_number ${order === 'DESC' ? 'ASC' : 'DESC'}
           LIMIT $5 OFFSET $6
         ) page
         JOIN monitoring.devices d ON d.number = page.device_number
         JOIN monitoring.sites s ON s.id = d.site_id
         ORDER BY page.time DESC, page.device_number`,
});
const NEWEST_FIRST = page('DESC');
const OLDEST_FIRST = page('ASC');

/**
 * One page of raw measurements, newest first and in a stable order, with the exact count of all that match. Count and page
 * see the same snapshot. The nearer end of the range is read, so that the last page costs what the first does.
 */
export async function listRawMeasurements(
  database: Database,
  filter: MeasurementFilter,
  limit: number,
  offset: number,
): Promise<{ totalCount: number; rows: MeasurementRow[] }> {
  return database.transaction(async (tx) => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
    const chosen = await tx.query<{ number: number }>(FIND_NUMBERS, [filter.deviceIds]);
    const numbers = chosen.rows.map((row) => row.number);
    const counted = await tx.query<{ count: number }>(COUNT, [numbers, filter.from, filter.to]);
    const totalCount = counted.rows[0]?.count ?? 0;
    const rowCount = Math.min(limit, totalCount - offset);
    if (rowCount <= 0) return { totalCount, rows: [] };
    const after = totalCount - offset - rowCount;
    const isNearEnd = after < offset;
    const skipped = isNearEnd ? after : offset;
    const values = [numbers, filter.from, filter.to, skipped + rowCount, rowCount, skipped];
    const { rows } = await tx.query<StoredRow>(isNearEnd ? OLDEST_FIRST : NEWEST_FIRST, values);
    return { totalCount, rows: rows.map(measurementFromStored) };
  });
}

function measurementFromStored(row: StoredRow): MeasurementRow {
  return {
    time: row.time,
    deviceName: row.deviceName,
    siteName: row.siteName,
    activePowerKw: fromFixedUnits(row.p, milliOfKilo),
    reactivePowerKvar: quantity(row.q, milliOfKilo),
    apparentPowerKva: quantity(row.s, milliOfKilo),
    powerFactor: quantity(row.pf, millionth),
    voltageV: quantity(row.v, milli),
    frequencyHz: quantity(row.f, tenthOfMilli),
    energyImportedKwh: quantity(row.ei, milliOfKilo),
    energyExportedKwh: quantity(row.ee, milliOfKilo),
  };
}

const quantity = (units: FixedUnits | null, scale: UnitScale) => (units === null ? null : fromFixedUnits(units, scale));

/** The averages of one bucket of one device; powers in kW, kvar, kVA. */
export interface BucketAverages {
  /** Position of the bucket among the edges that were asked for. */
  bucket: number;
  samples: number;
  activePowerKw: number;
  activePowerKwMin: number;
  activePowerKwMax: number;
  reactivePowerKvar: number | null;
  apparentPowerKva: number | null;
  powerFactor: number | null;
  voltageV: number | null;
  frequencyHz: number | null;
}

// Q from P and the power factor where only those came (energy-and-cost.md 6).
const reactive = `COALESCE(reactive_power_millivars::float8,
  CASE WHEN power_factor_millionths <> 0 THEN
    abs(active_power_milliwatts::float8) * sqrt(greatest(0, 1e12 - power_factor_millionths::float8 ^ 2)) / abs(power_factor_millionths)
  END)`;
const sumOfActive = `sum(active_power_milliwatts::float8) FILTER (WHERE ${reactive} IS NOT NULL)`;
/** Power factor over time: by the sums of P and Q, never a mean of power factors. */
const averagePowerFactor = `${sumOfActive} / nullif(sqrt(${sumOfActive} ^ 2 + sum(${reactive}) ^ 2), 0)`;

// One division of an exact sum: two roundings would leave a noise digit.
const averages = `count(*) AS samples,
  sum(active_power_milliwatts)::float8 / (count(active_power_milliwatts) * 1e6::float8) AS "activePowerKw",
  min(active_power_milliwatts)::float8 / 1e6 AS "activePowerKwMin",
  max(active_power_milliwatts)::float8 / 1e6 AS "activePowerKwMax",
  sum(reactive_power_millivars)::float8 / (count(reactive_power_millivars) * 1e6::float8) AS "reactivePowerKvar",
  sum(apparent_power_millivoltamperes)::float8 / (count(apparent_power_millivoltamperes) * 1e6::float8) AS "apparentPowerKva",
  ${averagePowerFactor} AS "powerFactor",
  sum(voltage_millivolts)::float8 / (count(voltage_millivolts) * 1e3::float8) AS "voltageV",
  sum(frequency_tenth_millihertz)::float8 / (count(frequency_tenth_millihertz) * 1e4::float8) AS "frequencyHz"`;

// Index measurements_device_time_key; the starts are sorted, so that a row finds its bucket by bisection.
const BUCKETS = {
  text: `SELECT width_bucket(time, $4::timestamptz[]) - 1 AS bucket, ${averages}
         FROM monitoring.measurements
         WHERE device_number = $1 AND time >= $2 AND time < $3
         GROUP BY 1 ORDER BY 1`,
};

/** The averages of the part inside the range of the buckets that begin at `starts` (ISO 8601, ascending); empty ones are left out. */
export async function listBuckets(
  db: Queryable,
  deviceNumber: number,
  range: { from: string; to: string },
  starts: readonly string[],
): Promise<BucketAverages[]> {
  const { rows } = await db.query<BucketAverages>(BUCKETS, [deviceNumber, range.from, range.to, starts]);
  return rows;
}

// The same for several devices, and only what a load curve needs.
const LOAD_CURVE = {
  text: `SELECT device_number AS "deviceNumber", width_bucket(time, $4::timestamptz[]) - 1 AS bucket,
                sum(active_power_milliwatts)::float8 / (count(active_power_milliwatts) * 1e6::float8) AS "averagePowerKw"
         FROM monitoring.measurements
         WHERE device_number = ANY($1::integer[]) AND time >= $2 AND time < $3
         GROUP BY 1, 2`,
};

export interface LoadCurvePoint {
  deviceNumber: number;
  bucket: number;
  averagePowerKw: number;
}

export async function listLoadCurve(
  db: Queryable,
  deviceNumbers: readonly number[],
  range: { from: string; to: string },
  starts: readonly string[],
): Promise<LoadCurvePoint[]> {
  const { rows } = await db.query<LoadCurvePoint>(LOAD_CURVE, [deviceNumbers, range.from, range.to, starts]);
  return rows;
}

/** What one device measured in a range, and last of all. */
export interface DeviceSummary {
  deviceId: string;
  deviceName: string;
  siteId: string;
  siteName: string;
  isActive: boolean;
  averagePowerKw: number | null;
  /** Sums over the range that the average power factor is made of; null without reactive power. */
  activeSum: number | null;
  reactiveSum: number | null;
  lastMeasuredAt: string | null;
  /** The latest reading of the time that counts as now, or null; milliwatts, so that a sum of several is exact. */
  currentPower: FixedUnits | null;
}

// Three look-ups a device on measurements_device_time_key: its rows of the range, its newest of all, and its newest of now.
const SUMMARIZE_DEVICES = {
  text: `SELECT d.id AS "deviceId", d.name AS "deviceName", s.id AS "siteId", s.name AS "siteName", d.is_active AS "isActive",
                ranged."averagePowerKw", ranged."activeSum", ranged."reactiveSum",
                latest.time AS "lastMeasuredAt", current.active_power_milliwatts AS "currentPower"
         FROM monitoring.devices d
         JOIN monitoring.sites s ON s.id = d.site_id
         CROSS JOIN LATERAL (
           SELECT sum(active_power_milliwatts)::float8 / (count(active_power_milliwatts) * 1e6::float8) AS "averagePowerKw",
                  ${sumOfActive} AS "activeSum", sum(${reactive}) AS "reactiveSum"
           FROM monitoring.measurements WHERE device_number = d.number AND time >= $2 AND time < $3
         ) ranged
         LEFT JOIN LATERAL (
           SELECT time FROM monitoring.measurements WHERE device_number = d.number ORDER BY time DESC LIMIT 1
         ) latest ON true
         LEFT JOIN LATERAL (
           SELECT active_power_milliwatts FROM monitoring.measurements
           WHERE device_number = d.number AND time > $4 AND time <= $5 ORDER BY time DESC LIMIT 1
         ) current ON true
         WHERE $1::uuid[] IS NULL OR d.id = ANY($1::uuid[])
         ORDER BY lower(s.name), lower(d.name), d.number`,
};

export async function summarizeDevices(
  db: Queryable,
  filter: MeasurementFilter,
  current: { after: string; upTo: string },
): Promise<DeviceSummary[]> {
  const values = [filter.deviceIds, filter.from, filter.to, current.after, current.upTo];
  const { rows } = await db.query<DeviceSummary>(SUMMARIZE_DEVICES, values);
  return rows;
}

/** A device as the questions about measurements need it. */
export interface ChosenDevice {
  number: number;
  id: string;
  name: string;
  siteId: string;
  siteName: string;
  timeZone: string;
}

const LIST_CHOSEN = {
  text: `SELECT d.number, d.id, d.name, s.id AS "siteId", s.name AS "siteName", m.time_zone AS "timeZone"
         FROM monitoring.devices d
         JOIN monitoring.sites s ON s.id = d.site_id
         JOIN monitoring.municipalities m ON m.id = s.municipality_id
         WHERE $1::uuid[] IS NULL OR d.id = ANY($1::uuid[])
         ORDER BY lower(s.name), lower(d.name), d.number`,
};

/** The devices with these ids, or all; sorted by site and name. Unknown ids match nothing. */
export async function listChosenDevices(db: Queryable, deviceIds: readonly string[] | null): Promise<ChosenDevice[]> {
  const { rows } = await db.query<ChosenDevice>(LIST_CHOSEN, [deviceIds]);
  return rows;
}
