import { dayMs } from '../base/instants.ts';
import type { Device } from '../../shared/sites.ts';
import type { Municipality } from '../rates/tariffs.sql.ts';
import type { Queryable } from '../database/pool.ts';
import { columnsOf, listRows } from '../database/rows.ts';
import { energyRules } from '../energy/measurements.sql.ts';
import { namedColumns, quantitiesOf, type StoredQuantities } from '../base/quantities.ts';

/** A received batch. */
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
  /** As stored (`storedMessage`). */
  error: string | null;
}

// Uses primary keys to read all rows of a customer, which are joined in this process. The planner assumes that every customer
// is of average size, so a join would take minutes for a customer with twenty thousand sites and devices.
const LIST_MUNICIPALITIES = `SELECT id, name, time_zone AS "timeZone", removed_at IS NULL AS "isCurrent"
  FROM fleet.municipalities WHERE customer_id = $1`;
const LIST_SITES = `SELECT id, name, municipality_id AS "municipalityId", removed_at IS NULL AS "isCurrent"
  FROM fleet.sites WHERE customer_id = $1`;
const LIST_DEVICES = `SELECT d.id, d.number, d.site_id AS "siteId", d.name, d.external_id AS "externalId", d.is_active AS "isActive",
         d.parent_device_id AS "parentDeviceId", ${energyRules}, d.announced_at IS NOT NULL AS "isAnnounced"
  FROM fleet.devices d WHERE d.customer_id = $1 AND d.removed_at IS NULL`;
// Uses primary key tariffs_pkey. The periods are not read, because a tariff may have 200. In the order of the tariffs of a
// municipality.
const LIST_TARIFF_IDS = `SELECT id, municipality_id AS "municipalityId" FROM fleet.tariffs WHERE customer_id = $1 AND removed_at IS NULL
  ORDER BY effective_from DESC, is_active DESC, lower(name), id`;
// The newest reading according to the quarter-hour rollup or the dirty ranges.
const LIST_LAST_TIMES = `SELECT device_number AS number, max(at) AS at
  FROM (SELECT device_number, greatest(last_time, intervals_last) AS at FROM fleet.energy_state
        WHERE customer_id = $1 AND greatest(last_time, intervals_last) IS NOT NULL
        UNION ALL SELECT device_number, to_time FROM fleet.energy_dirty_ranges WHERE customer_id = $1) times
  GROUP BY device_number ORDER BY at DESC`;
// Index measurements_device_time_key, from the last reading of each device back.
const LIST_NEWEST = `SELECT m.time, m.device_number AS number,
         ${namedColumns('m')}
  FROM unnest($2::integer[], $3::timestamptz[]) AS d (number, last_time)
  CROSS JOIN LATERAL (SELECT * FROM fleet.measurements m
                      WHERE m.customer_id = $1 AND m.device_number = d.number AND m.time <= d.last_time AND m.time <= $5 AND m.time >= $6
                      ORDER BY m.time DESC LIMIT $4) m
  ORDER BY m.time DESC, m.device_number LIMIT $4`;
// Index ingest_events_received_at.
const LIST_EVENTS = `SELECT id, received_at AS "receivedAt", batch_type AS "batchType", rows_accepted AS "rowsAccepted",
         rows_rejected AS "rowsRejected", payload_bytes AS "payloadBytes", cursor, from_time AS "fromTime",
         to_time AS "toTime", error
  FROM fleet.ingest_events WHERE customer_id = $1 ORDER BY received_at DESC, id DESC LIMIT $2`;

/**
 * The current records of a customer, in no order, and its last measurements, newest first. References to a record that has not
 * arrived yet are null.
 */
export async function readCustomerRecords(db: Queryable, customerId: string, maxMeasurements: number) {
  const list = <Row extends object>(statement: string) => listRows<Row>(db, statement, customerId);
  const allMunicipalities = await list<Municipality & Current>(LIST_MUNICIPALITIES);
  const allSites = await list<{ id: string; name: string; municipalityId: string } & Current>(LIST_SITES);
  const allDevices = await list<Device & { number: number; isAnnounced: boolean }>(LIST_DEVICES);
  const lastTimes = new Map((await list<LastTime>(LIST_LAST_TIMES)).map(({ number, at }) => [number, at]));

  const municipalities = new Map(allMunicipalities.map((one) => [one.id, one]));
  const siteNames = new Map(allSites.map(({ id, name }) => [id, name]));
  const siteNameOf = ({ siteId }: { siteId: string }) => siteNames.get(siteId) ?? null;
  const devices = new Map(allDevices.map((device) => [device.number, device]));
  // Each of the newest readings belongs to one of the devices whose last readings are newest. So no more devices are needed
  // than readings.
  const last = [...lastTimes].flatMap(([number, at]) => (devices.has(number) ? [{ number, at }] : []));
  const newest = await listNewestMeasurements(db, customerId, last.slice(0, maxMeasurements), maxMeasurements);
  return {
    municipalities: allMunicipalities.flatMap(({ isCurrent, ...one }) => (isCurrent ? [one] : [])),
    sites: allSites.flatMap(({ isCurrent, ...site }) => {
      const { name = null, timeZone = null } = municipalities.get(site.municipalityId) ?? {};
      return isCurrent ? [{ ...site, municipalityName: name, timeZone }] : [];
    }),
    devices: allDevices.flatMap(({ isAnnounced, number, ...device }) =>
      isAnnounced ? [{ ...device, siteName: siteNameOf(device), lastMeasuredAt: lastTimes.get(number) ?? null }] : [],
    ),
    measurements: newest.flatMap(({ number, ...row }) => {
      const device = devices.get(number);
      if (device === undefined) return [];
      return [
        { ...row, ...quantitiesOf(row), deviceId: device.id, deviceName: device.name, siteName: siteNameOf(device) },
      ];
    }),
  };
}

interface Current {
  isCurrent: boolean;
}

interface LastTime {
  number: number;
  /** The time of the customer's newest reading. */
  at: string;
}

/** Measurements are searched in this time before the newest reading, so that other chunks are not even planned. */
const recentMs = 2 * dayMs;

/**
 * The last measurements of some devices, the newest first. The devices must be sorted by their newest readings in the same way.
 */
export async function listNewestMeasurements(
  db: Queryable,
  customerId: string,
  devices: readonly LastTime[],
  limit: number,
): Promise<(StoredQuantities & { time: string; number: number })[]> {
  const [newest] = devices;
  if (newest === undefined) return [];
  const columns = columnsOf(devices, ['number', 'at']);
  const from = (since: string) =>
    listRows<StoredQuantities & { time: string; number: number }>(
      db,
      LIST_NEWEST,
      customerId,
      ...columns,
      limit,
      newest.at,
      since,
    );
  const recent = await from(new Date(Date.parse(newest.at) - recentMs).toISOString());
  return recent.length === limit ? recent : from('-infinity');
}

/** The current tariffs of a customer, those of a municipality in their order. */
export const listTariffIds = (db: Queryable, customerId: string) =>
  listRows<{ id: string; municipalityId: string }>(db, LIST_TARIFF_IDS, customerId);

/** The last batches, newest first. */
export const listIngestEvents = (db: Queryable, customerId: string, limit: number) =>
  listRows<IngestEvent>(db, LIST_EVENTS, customerId, limit);
