import type { Device, DeviceWithSite, unpushedOfDevice } from '../../shared/sites.ts';
import type { NamedTreeDevice } from '../energy/device-tree.rules.ts';
import {
  type EnergyLayout,
  energyStatement,
  columnsOf,
  execute,
  findRow,
  findValue,
  listRows,
  listValues,
  valuesOf,
} from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { energyRules } from '../energy/measurements.sql.ts';

/** The settings of a device. */
export type DeviceValues = Omit<Device, 'id' | 'lastMeasuredAt'>;

/** What a Client pushes of a device to its fleet. */
export type PushedDevice = Omit<DeviceValues, keyof typeof unpushedOfDevice>;

/** `number` identifies it in measurements. */
export type NumberedDevice = Device & { number: number };

// The newest reading is found in the quarter-hour rollup or the dirty ranges: two primary-key probes per device, instead of a
// search through years of partitions.
const deviceRows = `d.id, d.site_id AS "siteId", d.name, d.external_id AS "externalId", d.is_active AS "isActive",
                              d.parent_device_id AS "parentDeviceId", d.end_use AS "endUse", ${energyRules}, greatest(materialized.last_time, materialized.intervals_last, dirty.last_time) AS "lastMeasuredAt"
                       FROM monitoring.devices d
                       LEFT JOIN monitoring.energy_state materialized ON materialized.device_number = d.number
                       LEFT JOIN LATERAL (SELECT max(to_time) AS last_time FROM monitoring.energy_dirty_ranges
                                          WHERE device_number = d.number) dirty ON true`;
export const LIST_DEVICES_OF_SITE = `SELECT ${deviceRows} WHERE d.site_id = $1`;
const LIST_ALL = `SELECT ${deviceRows}`;
const FIND_DEVICE = `SELECT ${deviceRows} WHERE d.id = $1`;
const LIST_PUSHED_DEVICES = `SELECT d.id, d.site_id AS "siteId", d.name, d.external_id AS "externalId",
    d.is_active AS "isActive", d.parent_device_id AS "parentDeviceId", ${energyRules} FROM monitoring.devices d`;
const LIST_DEVICES = `SELECT d.number, ${deviceRows} WHERE d.id = ANY ($1::uuid[]) ORDER BY d.id`;
// Several devices are locked in one order, so that concurrent changes wait instead of deadlocking.
const LOCK_DEVICES = `SELECT FROM monitoring.devices WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`;
const LIST_NAMES = `SELECT id, name FROM monitoring.sites WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT id, name FROM monitoring.devices WHERE id = ANY ($1::uuid[])`;
// A device of the fleet counts once its site and the time zone of its site have arrived.
const selectWithSites = (t: EnergyLayout, where: string) =>
  `SELECT d.id, d.name, d.external_id AS "externalId", d.is_active AS "isActive", s.id AS "siteId",
          s.name AS "siteName", d.parent_device_id AS "parentDeviceId", d.expected_interval_seconds AS "expectedIntervalSeconds",
          ${t.clientText('d.end_use')} AS "endUse", d.number, s.number AS "siteNumber"
   FROM ${t.table('devices')} d JOIN ${t.table('sites')} s ON ${t.own('s')}s.id = d.site_id
   JOIN ${t.table('municipalities')} m ON ${t.own('m')}m.id = s.municipality_id
   WHERE ${t.own('d')}${t.current('d')}${where}`;
const LIST_DEVICES_WITH_SITES = energyStatement((t) => selectWithSites(t, 'true'));
// Index devices_external_id_key.
const FIND_OWNER_OF_EXTERNAL_ID = energyStatement((t) => selectWithSites(t, 'd.external_id = $1'));
/** The order of the parameters in the fleet's statements, after the id. */
export const pushedFields = [
  'siteId',
  'name',
  'externalId',
  'isActive',
  'energySource',
  'ratedPowerKw',
  'registerMaxKwh',
  'expectedIntervalSeconds',
  'parentDeviceId',
] as const;
export const deviceFields = [...pushedFields, 'endUse'] as const;
// Together with its energy_state row, which materializing locks.
const INSERT_DEVICE = `WITH made AS (
    INSERT INTO monitoring.devices (id, site_id, name, external_id, is_active, energy_source, rated_power_kw,
                                    register_max_kwh, expected_interval_seconds, parent_device_id, end_use)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING number)
  INSERT INTO monitoring.energy_state (device_number) SELECT number FROM made`;
// One statement, because a meter and its sub-meters can only move together.
const UPDATE_DEVICES = `UPDATE monitoring.devices d
  SET site_id = n.site_id, name = n.name, external_id = n.external_id, is_active = n.is_active, energy_source = n.energy_source,
      rated_power_kw = n.rated_power_kw, register_max_kwh = n.register_max_kwh,
      expected_interval_seconds = n.expected_interval_seconds, parent_device_id = n.parent_device_id,
      end_use = n.end_use
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::double precision[],
              $8::double precision[], $9::integer[], $10::uuid[], $11::text[])
    AS n (id, site_id, name, external_id, is_active, energy_source, rated_power_kw, register_max_kwh,
          expected_interval_seconds, parent_device_id, end_use)
  WHERE d.id = n.id`;
// Serializes changes of device trees, so that each sees the tree as earlier ones left it.
const LOCK_TREES = `SELECT pg_advisory_xact_lock(hashtext('monitoring.device_trees'))`;
// Index devices_site_id.
const LIST_TREE = `SELECT id, site_id AS "siteId", name, parent_device_id AS "parentDeviceId" FROM monitoring.devices WHERE site_id = $1`;
// Index devices_parent_device_id.
const LIST_SUB_METERS = `SELECT id, name, parent_device_id AS "parentDeviceId" FROM monitoring.devices
  WHERE parent_device_id = ANY ($1::uuid[]) ORDER BY lower(name), number`;
// Indexes measurements_device_time_key and intervals_pkey; the limits keep the count quick for a device with years of measurements.
const COUNT_MEASUREMENTS = `SELECT least(count(*), $2)::integer AS count
  FROM ((SELECT FROM monitoring.measurements WHERE device_number = $1 LIMIT $2)
        UNION ALL (SELECT FROM monitoring.intervals WHERE device_number = $1 LIMIT $2)) counted`;
const DELETE_DEVICE = `DELETE FROM monitoring.devices WHERE number = $1`;
// Numbers are never reused, so the data of a deleted device cannot become another one's.
const LIST_DELETED_DEVICES = `SELECT device_number AS number FROM monitoring.energy_state s
  WHERE NOT EXISTS (SELECT FROM monitoring.devices d WHERE d.number = s.device_number) ORDER BY 1`;

export const listDevicesOfSite = (db: Queryable, siteId: string) => listRows<Device>(db, LIST_DEVICES_OF_SITE, siteId);

/** Every device, in no order. */
export const listAllDevices = (db: Queryable) => listRows<Device>(db, LIST_ALL);

/** Every device with its site, in no order. */
export const listDevicesWithSites = (db: Queryable) => listRows<DeviceWithSite>(db, LIST_DEVICES_WITH_SITES);

export const listPushedDevices = (db: Queryable) => listRows<PushedDevice & { id: string }>(db, LIST_PUSHED_DEVICES);

export const findDevice = (db: Queryable, id: string) => findRow<Device>(db, FIND_DEVICE, id);

/** The devices with these ids, in the order of the ids. Ids without a device are left out. */
export const listDevices = (db: Queryable, ids: readonly string[]) => listRows<NumberedDevice>(db, LIST_DEVICES, ids);

export const lockDevices = (tx: Transaction, ids: readonly string[]) => execute(tx, LOCK_DEVICES, ids);

export const listNames = async (db: Queryable, ids: readonly string[]) =>
  new Map((await listRows<{ id: string; name: string }>(db, LIST_NAMES, ids)).map(({ id, name }) => [id, name]));

export const findOwnerOfExternalId = (db: Queryable, externalId: string) =>
  findRow<DeviceWithSite>(db, FIND_OWNER_OF_EXTERNAL_ID, externalId);

/**
 * Violates `devices_external_id_key` if the external id is taken, `devices_site_fkey` if the site does not exist, and
 * `devices_parent_fkey` if the site has no such device.
 */
export const insertDevice = (tx: Queryable, id: string, values: DeviceValues) =>
  execute(tx, INSERT_DEVICE, id, ...valuesOf(values, deviceFields));

/** Violates the constraints of `insertDevice`. */
export const updateDevices = (tx: Queryable, devices: readonly (DeviceValues & { id: string })[]) =>
  execute(tx, UPDATE_DEVICES, ...columnsOf(devices, ['id', ...deviceFields]));

/** Holds back other changes of device trees until the transaction ends. */
export const lockTrees = (tx: Transaction) => execute(tx, LOCK_TREES);

export const listTreeOfSite = (tx: Transaction, siteId: string) => listRows<NamedTreeDevice>(tx, LIST_TREE, siteId);

/** The sub-meters of one of these devices, by name. */
export const listSubMeters = (db: Queryable, ids: readonly string[]) =>
  listRows<Pick<NamedTreeDevice, 'id' | 'name' | 'parentDeviceId'>>(db, LIST_SUB_METERS, ids);

/** Readings and intervals, at most `limit`. */
export const countMeasurements = async (db: Queryable, deviceNumber: number, limit: number) =>
  (await findValue<number>(db, COUNT_MEASUREMENTS, deviceNumber, limit)) ?? 0;

/** The numbers of deleted devices that still have data. */
export const listDeletedDevices = (db: Queryable) => listValues<number>(db, LIST_DELETED_DEVICES);

/** Only under `lockIngestExclusively`. Its row of `energy_state` stays and shows that it still has data. */
export const deleteDevice = (tx: Transaction, deviceNumber: number) => execute(tx, DELETE_DEVICE, deviceNumber);
