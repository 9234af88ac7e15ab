import type { EnergyRules } from '../energy/energy.rules.ts';
import { type PushedDevice, pushedFields } from '../sites/devices.sql.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findRow, findValue, listRows, listValues } from '../database/rows.ts';
import { type MunicipalityTariff, tariffColumns } from '../rates/tariffs.sql.ts';
import { energyRules } from '../energy/measurements.sql.ts';

/** The types of batches that are full sets; each is a table. */
export type SetType = 'municipalities' | 'sites' | 'devices' | 'tariffs';

/**
 * For the transaction that writes a set. The rows that it joins may be so new that statistics lack them. The planner would then
 * compare each of 20,000 records with every other one.
 */
export const joinByHash = (tx: Transaction) => execute(tx, `SET LOCAL enable_nestloop = off`);

/** If a set doubles the size of its customer and adds at least this many rows, the statistics of the planner are outdated. */
const manyRecords = 1_000;
const tablesOf = (type: SetType) => (type === 'devices' ? 'fleet.devices, fleet.energy_state' : `fleet.${type}`);

/**
 * Updates the statistics after a set that made its customer grow much. Autovacuum takes at least a minute. Until then
 * the planner treats a customer with 20,000 devices like the others, and each query about it takes 30 seconds or more.
 */
export async function analyzeGrown(
  tx: Transaction,
  type: SetType,
  { before, added }: { before: number; added: number },
): Promise<void> {
  if (added >= manyRecords && added >= before) await execute(tx, `ANALYZE ${tablesOf(type)}`);
}

// The first parameter of every statement in this file is the customer. Instants are parameters (decisions.md 9).
const LOCK_STATE = `SELECT last_device_number AS "lastDeviceNumber" FROM fleet.customer_state WHERE customer_id = $1 FOR NO KEY UPDATE`;
const SET_LAST_NUMBER = `UPDATE fleet.customer_state SET last_device_number = $2 WHERE customer_id = $1`;

const UPSERT_MUNICIPALITIES = `INSERT INTO fleet.municipalities AS m (customer_id, id, name, time_zone, created_at)
         SELECT $1::uuid, r.id, r.name, r.zone, $2::timestamptz
         FROM unnest($3::uuid[], $4::text[], $5::text[]) AS r (id, name, zone) ORDER BY r.id
         ON CONFLICT (customer_id, id) DO UPDATE
         SET name = excluded.name, time_zone = excluded.time_zone, removed_at = NULL
         WHERE (m.name, m.time_zone, m.removed_at) IS DISTINCT FROM (excluded.name, excluded.time_zone, NULL)`;
const UPSERT_SITES = `INSERT INTO fleet.sites AS s (customer_id, id, name, municipality_id, created_at, number)
         SELECT $1::uuid, r.id, r.name, r.municipality, $2::timestamptz, r.number
         FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::integer[]) AS r (id, name, municipality, number) ORDER BY r.id
         ON CONFLICT (customer_id, id) DO UPDATE
         SET name = excluded.name, municipality_id = excluded.municipality_id, removed_at = NULL
         WHERE (s.name, s.municipality_id, s.removed_at) IS DISTINCT FROM (excluded.name, excluded.municipality_id, NULL)`;
const FIND_LAST_SITE_NUMBER = `SELECT max(number) FROM fleet.sites WHERE customer_id = $1`;
// Primary key devices_pkey.
const LIST_DEVICES = `SELECT d.id, d.number, ${energyRules} FROM fleet.devices d WHERE d.customer_id = $1 AND d.id = ANY ($2::uuid[])`;
const INSERT_PLACEHOLDERS = `INSERT INTO fleet.devices (customer_id, id, number, created_at)
         SELECT $1::uuid, r.id, r.number, $2::timestamptz FROM unnest($3::uuid[], $4::integer[]) AS r (id, number)
         ORDER BY r.id`;
// Every device with a number has one, so that the data of a deleted customer can be found.
const INSERT_ENERGY_STATES = `INSERT INTO fleet.energy_state (customer_id, device_number) SELECT $1::uuid, unnest($2::integer[])`;
const UPDATE_DEVICES = `UPDATE fleet.devices d
         SET announced_at = coalesce(d.announced_at, $2::timestamptz), site_id = r.site, name = r.name,
             external_id = r.external_id, is_active = r.is_active, energy_source = r.source, rated_power_kw = r.rated,
             register_max_kwh = r.register_max, expected_interval_seconds = r.seconds, parent_device_id = r.parent, removed_at = NULL
         FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::double precision[],
                     $10::double precision[], $11::integer[], $12::uuid[])
           AS r (id, site, name, external_id, is_active, source, rated, register_max, seconds, parent)
         WHERE d.customer_id = $1::uuid AND d.id = r.id
           AND (d.announced_at IS NULL OR d.removed_at IS NOT NULL
                OR (d.site_id, d.name, d.external_id, d.is_active, d.energy_source, d.rated_power_kw, d.register_max_kwh,
                    d.expected_interval_seconds, d.parent_device_id)
                   IS DISTINCT FROM (r.site, r.name, r.external_id, r.is_active, r.source, r.rated, r.register_max, r.seconds,
                                       r.parent))`;
const UPSERT_TARIFFS = `INSERT INTO fleet.tariffs (customer_id, id, municipality_id, name, currency, is_active, effective_from, effective_to,
           default_rate_per_kwh, fixed_charge_per_month, vat_percent, export_rate_per_kwh, created_at)
         SELECT $1::uuid, r.id, r.municipality, r.name, r.currency, r.is_active, r.starts, r.ends, r.rate, r.fixed, r.vat, r.export,
                $2::timestamptz
         FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::date[], $9::date[], $10::numeric[],
                     $11::numeric[], $12::numeric[], $13::numeric[])
           AS r (id, municipality, name, currency, is_active, starts, ends, rate, fixed, vat, export)
         ORDER BY r.id
         ON CONFLICT (customer_id, id) DO UPDATE
         SET municipality_id = excluded.municipality_id, name = excluded.name, currency = excluded.currency,
             is_active = excluded.is_active, effective_from = excluded.effective_from, effective_to = excluded.effective_to,
             default_rate_per_kwh = excluded.default_rate_per_kwh, fixed_charge_per_month = excluded.fixed_charge_per_month,
             vat_percent = excluded.vat_percent, export_rate_per_kwh = excluded.export_rate_per_kwh, removed_at = NULL`;
const DELETE_PERIODS = {
  // Also removes a period that moved here from another tariff, which has not arrived yet.
  text: `DELETE FROM fleet.tariff_periods
         WHERE customer_id = $1 AND (tariff_id = ANY ($2::uuid[]) OR id = ANY ($3::uuid[]))`,
};
const INSERT_PERIODS = `INSERT INTO fleet.tariff_periods (customer_id, tariff_id, id, position, name, days_of_week, start_minute, end_minute, rate_per_kwh)
         SELECT $1::uuid, r.* FROM unnest($2::uuid[], $3::uuid[], $4::smallint[], $5::text[], $6::smallint[], $7::smallint[],
                                          $8::smallint[], $9::numeric[]) AS r`;
// Deletes other parts, including those of a set that was cut into parts in another way. A set in one body has no parts.
const FORGET_OTHER_PARTS = `DELETE FROM fleet.set_parts WHERE customer_id = $1 AND batch_type = $2 AND (parts <> $3 OR $3 = 1)`;
const FIND_CLOSED_PART = `UPDATE fleet.set_parts SET came_again = true
         WHERE customer_id = $1 AND batch_type = $2 AND part = $3 AND is_closed
           AND (cursor, record_ids, is_incomplete) = ($4, $5::uuid[], $6) RETURNING part`;
const FORGET_CLOSED_PARTS = `DELETE FROM fleet.set_parts
         WHERE customer_id = $1 AND batch_type = $2 AND is_closed AND (came_again AND cursor = $3) IS NOT TRUE`;
const OPEN_PARTS = `UPDATE fleet.set_parts SET is_closed = false, came_again = false
         WHERE customer_id = $1 AND batch_type = $2 AND is_closed`;
// If a part arrives again, it replaces its previous content.
const PUT_PART = `INSERT INTO fleet.set_parts (customer_id, batch_type, part, parts, record_ids, is_incomplete, cursor)
         VALUES ($1, $2, $3, $4, $5::uuid[], $6, $7)
         ON CONFLICT (customer_id, batch_type, part) DO UPDATE
         SET record_ids = excluded.record_ids, is_incomplete = excluded.is_incomplete, cursor = excluded.cursor`;
const FIND_SET = `SELECT bool_or(is_incomplete) AS "isIncomplete", count(*) = $3 AS "isWhole", sum(cardinality(record_ids)) AS records
         FROM fleet.set_parts WHERE customer_id = $1 AND batch_type = $2`;
const markRemoved = (type: SetType) => ({
  text: `UPDATE fleet.${type} t SET removed_at = $3::timestamptz
         WHERE t.customer_id = $1 AND t.removed_at IS NULL ${type === 'devices' ? 'AND t.announced_at IS NOT NULL' : ''}
           AND t.id NOT IN (SELECT unnest(p.record_ids) FROM fleet.set_parts p
                            WHERE p.customer_id = $1 AND p.batch_type = $2)`,
});
const MARK_REMOVED = {
  municipalities: markRemoved('municipalities'),
  sites: markRemoved('sites'),
  devices: markRemoved('devices'),
  tariffs: markRemoved('tariffs'),
};
const CLOSE_PARTS = `UPDATE fleet.set_parts SET is_closed = true WHERE customer_id = $1 AND batch_type = $2`;

export interface CopiedMunicipality {
  id: string;
  name: string;
  timeZone: string;
}
export interface CopiedSite {
  id: string;
  name: string;
  municipalityId: string;
}
export interface CopiedDevice extends PushedDevice {
  id: string;
}
export interface NumberedDevice extends EnergyRules {
  id: string;
  number: number;
}

/** Locks the row that guards the sets and device numbers of a customer. Null if the customer no longer exists. */
export const lockCustomerState = (tx: Transaction, customerId: string) =>
  findRow<{ lastDeviceNumber: number }>(tx, LOCK_STATE, customerId);

export const upsertMunicipalities = (
  tx: Transaction,
  customerId: string,
  at: Date,
  all: readonly CopiedMunicipality[],
) => execute(tx, UPSERT_MUNICIPALITIES, customerId, at, ...columnsOf(all, ['id', 'name', 'timeZone']));

/**
 * Writes sites. New sites get the next numbers in the order of their ids; removed ones keep theirs. Only under
 * `lockCustomerState`.
 */
export async function upsertSites(
  tx: Transaction,
  customerId: string,
  at: Date,
  all: readonly CopiedSite[],
): Promise<void> {
  const ids = all.map(({ id }) => id).toSorted();
  const known = await listKnownIds(tx, 'sites', customerId, ids);
  const last = (await findValue<number>(tx, FIND_LAST_SITE_NUMBER, customerId)) ?? 0;
  const numbers = new Map(ids.filter((id) => !known.has(id)).map((id, position) => [id, last + 1 + position]));
  // A known site keeps its number.
  const numbered = all.map((site) => ({ ...site, number: numbers.get(site.id) ?? 0 }));
  await execute(tx, UPSERT_SITES, customerId, at, ...columnsOf(numbered, ['id', 'name', 'municipalityId', 'number']));
}

/** The devices among these that have a number, with their energy rules. */
export const listNumberedDevices = (db: Queryable, customerId: string, ids: readonly string[]) =>
  listRows<NumberedDevice>(db, LIST_DEVICES, customerId, ids);

/** Assigns the next numbers to devices; only under `lockCustomerState`. */
export async function numberDevices(
  tx: Transaction,
  customerId: string,
  at: Date,
  { ids, lastDeviceNumber }: { ids: readonly string[]; lastDeviceNumber: number },
): Promise<void> {
  if (ids.length === 0) return;
  const numbers = ids.map((_, position) => lastDeviceNumber + 1 + position);
  await execute(tx, INSERT_PLACEHOLDERS, customerId, at, ids, numbers);
  await execute(tx, INSERT_ENERGY_STATES, customerId, numbers);
  await execute(tx, SET_LAST_NUMBER, customerId, lastDeviceNumber + ids.length);
}

/** Only for devices that have a number. */
export const updateDevices = (tx: Transaction, customerId: string, at: Date, all: readonly CopiedDevice[]) =>
  execute(tx, UPDATE_DEVICES, customerId, at, ...columnsOf(all, ['id', ...pushedFields]));

// Primary keys.
const listKnown = (type: SetType) => `SELECT id FROM fleet.${type} WHERE customer_id = $1 AND id = ANY ($2::uuid[])`;
const count = (type: SetType) => `SELECT count(*) AS count FROM fleet.${type} WHERE customer_id = $1`;

/** The ids among these that are records of the customer, including removed ones. */
export const listKnownIds = async (db: Queryable, type: SetType, customerId: string, ids: readonly string[]) =>
  new Set(await listValues<string>(db, listKnown(type), customerId, ids));

/** The number of records of the customer, including removed ones. */
export const countRecords = async (db: Queryable, type: SetType, customerId: string) =>
  (await findValue<number>(db, count(type), customerId)) ?? 0;

/**
 * Writes tariffs and replaces all their periods. Violates `tariffs_municipality_fkey` if the municipality does not
 * exist.
 */
export async function upsertTariffs(
  tx: Transaction,
  customerId: string,
  at: Date,
  all: readonly MunicipalityTariff[],
): Promise<void> {
  await execute(tx, UPSERT_TARIFFS, customerId, at, ...tariffColumns(all));
  const periods = all.flatMap(({ id: tariffId, periods: own }) =>
    own.map((period, at_) => ({ ...period, tariffId, position: at_ + 1, ratePerKwh: period.ratePerKwh.toFixed() })),
  );
  const [tariffIds, periodIds] = [all.map(({ id }) => id), periods.map(({ id }) => id)];
  await execute(tx, DELETE_PERIODS, customerId, tariffIds, periodIds);
  await execute(
    tx,
    INSERT_PERIODS,
    customerId,
    ...columnsOf(periods, [
      'tariffId',
      'id',
      'position',
      'name',
      'daysOfWeek',
      'startMinute',
      'endMinute',
      'ratePerKwh',
    ]),
  );
}

interface SetSoFar {
  isWhole: boolean;
  isIncomplete: boolean;
  records: number;
}

export interface SetPart {
  part: number;
  parts: number;
  /** The cursor that the Client gave to the batch. */
  cursor: string | null;
  recordIds: readonly string[];
  /** Whether a record had no readable id. */
  isIncomplete: boolean;
}

/**
 * Records a part of a full set. Once all parts have arrived, stored records that are in none of them are marked as removed. If
 * a part of the last complete set is repeated (same cursor, same records), no new set begins. Returns the number of records in
 * the set so far.
 */
export async function closePart(
  tx: Transaction,
  customerId: string,
  at: Date,
  type: SetType,
  { part, parts, cursor, recordIds, isIncomplete }: SetPart,
): Promise<number> {
  await execute(tx, FORGET_OTHER_PARTS, customerId, type, parts);
  if ((await findRow(tx, FIND_CLOSED_PART, customerId, type, part, cursor, recordIds, isIncomplete)) !== null) return 0;
  await execute(tx, FORGET_CLOSED_PARTS, customerId, type, cursor);
  await execute(tx, OPEN_PARTS, customerId, type);
  await execute(tx, PUT_PART, customerId, type, part, parts, recordIds, isIncomplete, cursor);
  const set = await findRow<SetSoFar>(tx, FIND_SET, customerId, type, parts);
  if (set === null || !set.isWhole) return set?.records ?? 0;
  if (!set.isIncomplete) await execute(tx, MARK_REMOVED[type], customerId, type, at);
  await execute(tx, CLOSE_PARTS, customerId, type);
  return set.records;
}
