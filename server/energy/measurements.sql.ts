import type { EnergyRules } from './energy.rules.ts';
import { placeInTree, type TreeDevice, type TreePlace } from './device-tree.rules.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../base/scopes.ts';
import {
  type EnergyLayout,
  energyStatement,
  execute,
  findRow,
  findValue,
  listRows,
  micros,
  listValues,
  energyStep,
  instantOf,
} from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import {
  type FixedUnits,
  namedColumns,
  type Quantities,
  quantitiesOf,
  type StoredQuantities,
} from '../base/quantities.ts';
import type { Step, TextRow } from '../database/exchange.ts';

// The table has at most one row, in the fleet too, because partitions are dropped for all customers at once.
const FIND_KEPT_FROM = energyStatement(
  (t) => `SELECT ${micros('kept_from')} AS "keptFrom" FROM ${t.table('retention')}`,
);
const SET_KEPT_FROM = energyStatement(
  (t) => `INSERT INTO ${t.table('retention')} (kept_from) VALUES (${instantOf('$1::bigint')})
         ON CONFLICT (only_row) DO UPDATE SET kept_from = excluded.kept_from`,
);
// The table of dirty ranges is nearly empty most of the time.
const LIST_DIRTY_BEFORE = energyStatement(
  (t) => `SELECT DISTINCT device_number AS number FROM ${t.table('energy_dirty_ranges')}
         WHERE ${t.own()}from_time < ${instantOf('$1::bigint')} ORDER BY 1`,
);

// Dropped partitions vanish even from older snapshots. LOCK takes no snapshot, so a reader that holds it sees a drop entirely
// or not at all.
const LOCK_READS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS SHARE MODE`);
const LOCK_DROPS = energyStatement((t) => `LOCK TABLE ${t.table('retention')} IN ACCESS EXCLUSIVE MODE`);

/** Keeps measurements from being removed until the end of the transaction; must be its first statement. */
export const lockKeptMeasurements = (tx: Transaction) => execute(tx, LOCK_READS);

/** Takes the same lock as the first step of a transaction. */
export const lockKeptStep = (db: Queryable): Step => energyStep(db, LOCK_READS, []);

/** Takes the same lock in a transaction that reads many customers of the fleet. */
export const lockKeptMeasurementsOfFleet = (tx: Transaction) => tx.query(LOCK_READS.fleet);

/** Waits for all readers of measurements and holds back new ones until the end of the transaction. */
export const lockOutReaders = (tx: Transaction) => execute(tx, LOCK_DROPS);

/** Measurements before this instant (epoch microseconds) were removed; -Infinity if none were. */
export const findKeptFrom = async (db: Queryable) => (await findValue<number>(db, FIND_KEPT_FROM)) ?? -Infinity;

/** Reads the same instant as a step of an exchange. The function below takes the value from the answer. */
export const findKeptFromStep = (db: Queryable): Step => energyStep(db, FIND_KEPT_FROM, []);
export const keptFromOf = (rows: readonly TextRow[]) => Number(rows[0]?.[0] ?? -Infinity);

export const setKeptFrom = (tx: Queryable, keptFromMicros: number) => execute(tx, SET_KEPT_FROM, keptFromMicros);

/** The devices with readings before the instant (epoch microseconds) that are not materialized yet. */
export const listDirtyBefore = (db: Queryable, beforeMicros: number) =>
  listValues<number>(db, LIST_DIRTY_BEFORE, beforeMicros);

/** The columns of a device `d` that determine how its energy is computed. */
export const energyRules = `d.energy_source AS "energySource", d.rated_power_kw AS "ratedPowerKw",
  d.register_max_kwh AS "registerMaxKwh", d.expected_interval_seconds AS "expectedIntervalSeconds"`;

const LIST_ENERGY_RULES = energyStatement(
  (t) =>
    `SELECT d.number, ${energyRules} FROM ${t.table('devices')} d WHERE ${t.own('d')}d.number = ANY ($1::integer[])`,
);
const LIST_DEVICE_NUMBERS = `SELECT number FROM monitoring.devices ORDER BY number`;

/** The energy settings of devices, by number. */
export async function listEnergyRules(
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, EnergyRules>> {
  const rows = await listRows<EnergyRules & { number: number }>(db, LIST_ENERGY_RULES, deviceNumbers);
  return new Map(rows.map(({ number, ...rules }) => [number, rules]));
}

export const listDeviceNumbers = (db: Queryable) => listValues<number>(db, LIST_DEVICE_NUMBERS);

export interface MeasurementRow extends Quantities {
  time: string;
  deviceName: string;
  siteName: string;
}

type StoredRow = Omit<MeasurementRow, keyof Quantities> & StoredQuantities;

const readingsIn = (t: EnergyLayout) =>
  `${t.table('measurements')} m
   WHERE ${t.own('m')}m.device_number = ANY ($1::integer[]) AND m.time >= $2 AND m.time < $3`;
// Index measurements_device_time_key.
const COUNT_READINGS = energyStatement((t) => `SELECT count(*) AS count FROM ${readingsIn(t)}`);
// Uses index measurements_device_time_key. A page covers only some quarter-hours.
const LIST_PAGE = energyStatement(
  (t) => `SELECT page.time, d.name AS "deviceName", s.name AS "siteName",
         ${namedColumns('page')}
  FROM (SELECT * FROM ${readingsIn(t)}
        ORDER BY m.time DESC, m.device_number LIMIT $4 OFFSET $5) page
  JOIN ${t.table('devices')} d ON ${t.own('d')}d.number = page.device_number
  JOIN ${t.table('sites')} s ON ${t.own('s')}s.id = d.site_id
  ORDER BY page.time DESC, page.device_number`,
);

// Index measurements_device_time_key.
const FIND_OLDEST = energyStatement(
  (t) => `SELECT time::text AS time FROM ${t.table('measurements')} WHERE ${t.own()}device_number = $1
         ORDER BY time LIMIT 1 OFFSET $2`,
);
// The instant is a parameter, so that later partitions and chunks stay out of the plan.
const DELETE_OLDEST = energyStatement(
  (t) => `DELETE FROM ${t.table('measurements')} WHERE ${t.own()}device_number = $1 AND time <= $2::timestamptz`,
);

/** Deletes the oldest readings of a device, at most `limit`. True if some are left. */
export async function deleteOldestReadings(tx: Transaction, deviceNumber: number, limit: number): Promise<boolean> {
  const last = await findRow<{ time: string }>(tx, FIND_OLDEST, deviceNumber, limit - 1);
  await execute(tx, DELETE_OLDEST, deviceNumber, last?.time ?? 'infinity');
  return last !== null;
}

/** Counts the readings of devices between two instants (epoch microseconds, half-open) that are close together. */
export const countReadings = async (db: Queryable, deviceNumbers: readonly number[], part: MicrosRange) =>
  (await findValue<number>(db, COUNT_READINGS, deviceNumbers, ...instantsOf(part))) ?? 0;

/** Readings between two instants that are close together, newest first, then by device number. */
export async function listReadingsPage(
  db: Queryable,
  deviceNumbers: readonly number[],
  part: MicrosRange,
  { limit, offset }: { limit: number; offset: number },
): Promise<MeasurementRow[]> {
  const rows = await listRows<StoredRow>(db, LIST_PAGE, deviceNumbers, ...instantsOf(part), limit, offset);
  return rows.map((row) => ({ ...row, ...quantitiesOf(row) }));
}

const instantsOf = ({ fromMicros, toMicros }: MicrosRange) => [formatInstant(fromMicros), formatInstant(toMicros)];

// The newest reading of each device since an instant of its own, two days ago at most: one look-up each on
// measurements_device_time_key; the earliest of all keeps older partitions out of the plan.
const LIST_CURRENT = energyStatement(
  (t) => `SELECT d.number AS "deviceNumber", current.active_power_milliwatts AS power
  FROM unnest($1::integer[], $2::timestamptz[]) AS d (number, after)
  CROSS JOIN LATERAL (
    SELECT active_power_milliwatts FROM ${t.table('measurements')}
    WHERE ${t.own()}device_number = d.number AND time > d.after AND time > $4 AND time <= $3 ORDER BY time DESC LIMIT 1
  ) current`,
);

/** The power of each device's latest reading after its own instant and up to a common one, milliwatts, so that sums are exact. */
export async function listCurrentPower(
  db: Queryable,
  devices: readonly { number: number; afterMicros: number }[],
  upToMicros: number,
): Promise<Map<number, FixedUnits>> {
  const after = devices.map(({ afterMicros }) => formatInstant(afterMicros));
  const least = devices.reduce((all, { afterMicros }) => Math.min(all, afterMicros), upToMicros);
  const values = [devices.map(({ number }) => number), after, formatInstant(upToMicros), formatInstant(least)];
  const rows = await listRows<{ deviceNumber: number; power: FixedUnits }>(db, LIST_CURRENT, ...values);
  return new Map(rows.map((row) => [row.deviceNumber, row.power]));
}

/** A device with the fields that queries of measurements need. */
export interface ChosenDevice extends EnergyRules, TreeDevice, TreePlace {
  number: number;
  siteNumber: number;
  name: string;
  externalId: string;
  isActive: boolean;
  siteName: string;
  municipalityId: string;
  timeZone: string;
  endUse: string | null;
  createdMicros: number;
}

const LIST_CHOSEN = energyStatement(
  (
    t,
  ) => `SELECT d.number, d.id, d.name, d.external_id AS "externalId", d.is_active AS "isActive", ${energyRules}, s.id AS "siteId",
                s.name AS "siteName", s.municipality_id AS "municipalityId", m.time_zone AS "timeZone",
                d.parent_device_id AS "parentDeviceId", ${t.clientText('d.end_use')} AS "endUse", s.number AS "siteNumber",
                ${micros('d.created_at')} AS "createdMicros"
         FROM ${t.table('devices')} d
         JOIN ${t.table('sites')} s ON ${t.own('s')}s.id = d.site_id
         JOIN ${t.table('municipalities')} m ON ${t.own('m')}m.id = s.municipality_id
         WHERE ${t.own('d')}${t.current('d')}($1::uuid[] IS NULL OR d.id = ANY($1::uuid[]) OR s.id = ANY($2::uuid[]))
         ORDER BY lower(s.name), lower(d.name), d.number`,
  'measurements_list_chosen',
);

// Index devices_parent_device_id.
const LIST_SUB_METERS = energyStatement(
  (t) => `SELECT d.id, d.site_id AS "siteId", d.parent_device_id AS "parentDeviceId" FROM ${t.table('devices')} d
         WHERE ${t.own('d')}${t.current('d')}d.parent_device_id IS NOT NULL`,
);

// Primary keys of both tables.
const LIST_LAST_TIMES = energyStatement(
  (t) => `SELECT device_number AS "deviceNumber", max(at) AS at
    FROM (SELECT device_number, greatest(last_time, intervals_last) AS at FROM ${t.table('energy_state')}
          WHERE ${t.own()}device_number = ANY ($1::integer[])
          UNION ALL SELECT device_number, to_time FROM ${t.table('energy_dirty_ranges')}
          WHERE ${t.own()}device_number = ANY ($1::integer[])) times
    GROUP BY device_number`,
);

/** The newest reading of each device by its number, materialized or not; null, or no entry, without one. */
export async function listLastTimes(
  db: Queryable,
  deviceNumbers: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await listRows<{ deviceNumber: number; at: string | null }>(db, LIST_LAST_TIMES, deviceNumbers);
  return new Map(rows.map(({ deviceNumber, at }) => [deviceNumber, at]));
}

/** The devices of a scope, sorted by site and name, with their places in the trees of their sites. Unknown ids match nothing. */
export async function listChosenDevices(db: Queryable, scope: DeviceScope): Promise<ChosenDevice[]> {
  const devices = await listRows<Omit<ChosenDevice, keyof TreePlace>>(
    db,
    LIST_CHOSEN,
    chosenIds(scope),
    chosenSites(scope),
  );
  return placeInTree(devices, scope.devices === 'all' ? devices : await listRows<TreeDevice>(db, LIST_SUB_METERS));
}
