import { createHash, type Hash } from 'node:crypto';
import {
  emptyEnergy,
  type EnergyDay,
  energyColumns,
  type PowerSums,
  slotsPerDay,
  type StoredDay,
} from './energy.rules.ts';
import { emptyStatistics, type StatisticsDepth } from './statistics.rules.ts';
import {
  type BinaryRows,
  columnsOf,
  type EnergyLayout,
  energyStatement,
  execute,
  type Field,
  layoutOf,
  listRows,
  readBinaryRows,
} from '../database/rows.ts';
import type { DeviceDays } from './energy-flags.sql.ts';
import {
  decodeNumbers,
  decodeStatistics,
  encodeNumbers,
  encodeStatistics,
  packedNumbers,
  packedStatistics,
} from './energy-codec.sql.ts';
import { isSame, isZero } from './packed-days.sql.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

export interface DaysFilter {
  deviceNumbers: readonly number[];
  /** Days since 1970-01-01, half-open. */
  fromDay: number;
  toDay: number;
  /** The days whose statistics are read; by default none. */
  statistics?: { depth: StatisticsDepth; days: 'all' | readonly number[] };
}

const epochDay = `(day - date '1970-01-01')`;

type Days = Omit<DaysFilter, 'deviceNumbers'>;

function dayFields({ statistics }: Days): string {
  const when = (field: string, isRead: boolean) => {
    if (statistics === undefined || !isRead) return 'NULL::bytea';
    if (statistics.days === 'all') return field;
    return `CASE WHEN ${epochDay} = ANY ('{${statistics.days.join(',')}}'::integer[]) THEN ${field} END`;
  };
  return `${epochDay}, samples, power_sum, factor_active_sum, factor_reactive_sum, imported, exported,
    interpolated_imported, interpolated_exported, ${when('power', true)}, ${when('quantities', statistics?.depth === 'all')}`;
}
const isBetween = ({ fromDay, toDay }: Days) =>
  `day >= date '1970-01-01' + ${fromDay} AND day < date '1970-01-01' + ${toDay}`;

// Primary key energy_days_pkey; every value in the text is a number.
const selectDays = (t: EnergyLayout, { deviceNumbers, ...filter }: DaysFilter) =>
  `SELECT device_number, ${dayFields(filter)}
   FROM ${t.table('energy_days')}
   WHERE ${t.own()}device_number = ANY ('{${deviceNumbers.join(',')}}'::integer[]) AND ${isBetween(filter)}`;

// Primary key energy_days_pkey, one probe a day.
const selectExactDays = (t: EnergyLayout, asked: readonly DayOfDevice[]) =>
  `SELECT device_number, ${epochDay}, samples, power_sum, factor_active_sum, factor_reactive_sum, imported, exported,
     interpolated_imported, interpolated_exported, power, quantities
   FROM ${t.table('energy_days')}
   JOIN (VALUES ${asked.map(({ deviceNumber, day }) => `(${deviceNumber}, ${day})`).join(', ')}) AS asked (d, e)
     ON ${t.own()}device_number = asked.d AND day = date '1970-01-01' + asked.e`;

// Primary key energy_days_pkey alone.
const COUNT_SAMPLES = energyStatement(
  (t) => `SELECT day - date '1970-01-01' AS day, sum(samples) AS samples FROM ${t.table('energy_days')}
         WHERE ${t.own()}device_number = ANY ($1::integer[]) AND day >= date '1970-01-01' + $2::integer
           AND day < date '1970-01-01' + $3::integer
         GROUP BY 1`,
);
const COUNT_EXACT_SAMPLES = energyStatement(
  (t) => `SELECT asked.e AS day, sum(samples) AS samples
         FROM unnest($1::integer[], $2::integer[]) AS asked (d, e)
         JOIN ${t.table('energy_days')} ON ${t.own()}device_number = asked.d AND day = date '1970-01-01' + asked.e
         GROUP BY 1`,
);

interface CountedDay {
  day: number;
  samples: number;
}
interface DayOfDevice {
  deviceNumber: number;
  day: number;
}

/** The number of stored readings by day, of all devices together. Days without readings are left out. */
export async function countSamples(
  tx: Queryable,
  { deviceNumbers, fromDay, toDay }: Omit<DaysFilter, 'statistics'>,
): Promise<CountedDay[]> {
  // Without a reading the days are clipped to none: from Infinity to -Infinity.
  if (deviceNumbers.length === 0 || fromDay >= toDay) return [];
  return listRows<CountedDay>(tx, COUNT_SAMPLES, deviceNumbers, fromDay, toDay);
}

/** The number of stored readings of single devices on single days. */
export const countExactSamples = (tx: Queryable, asked: readonly DayOfDevice[]) =>
  listRows<CountedDay>(tx, COUNT_EXACT_SAMPLES, ...columnsOf(asked, ['deviceNumber', 'day']));

/** The days that are stored, in no order. */
export async function listEnergyDays(tx: Transaction, filter: DaysFilter): Promise<StoredDay[]> {
  if (filter.deviceNumbers.length === 0 || filter.fromDay >= filter.toDay) return [];
  return readDays(tx, selectDays(layoutOf(tx), filter));
}

/** The bytes that end the rows. */
const trailerBytes = 2;

/**
 * Stored days, ascending by date, and a name for all that is stored of the days before a given one. The name changes with them.
 */
export interface NamedDays {
  days: StoredDay[];
  nameBefore: (day: number) => Hash;
}

/** Reads stored days with such a name, for sums that stay valid as long as the days do not change. */
export async function nameEnergyDays(tx: Transaction, filter: DaysFilter): Promise<NamedDays> {
  if (filter.deviceNumbers.length === 0 || filter.fromDay >= filter.toDay) {
    return { days: [], nameBefore: () => createHash('sha256') };
  }
  const rows = await readBinaryRows(tx, `${selectDays(layoutOf(tx), filter)} ORDER BY day, device_number`);
  const starts: number[] = [];
  const days = parseDays(rows, starts);
  const nameBefore = (day: number) => {
    const at = days.findIndex((own) => own.day >= day);
    return createHash('sha256').update(rows.bytes.subarray(starts[0], starts[at] ?? rows.bytes.length - trailerBytes));
  };
  return { days, nameBefore };
}

/** A customer of the fleet, or one site of a customer; stands for its devices. */
type Group = { customerId: string; siteId?: string };

// Only primary-key probes, one device at a time: in a join the planner would assume that every customer is of average size.
// The customers are named again for `fleet.devices`. Otherwise each of several nodes reads the devices of all customers.
const selectDaysOfGroups = (groups: readonly Group[], filter: Days) =>
  `SELECT days.* FROM (VALUES ${groups.map(rowOfGroup).join(', ')}) AS c (id, site_id, at)
   JOIN fleet.devices d ON d.customer_id = c.id AND d.customer_id = ANY ('{${customersOf(groups)}}'::uuid[])
     AND d.removed_at IS NULL AND (c.site_id IS NULL OR d.site_id = c.site_id)
   CROSS JOIN LATERAL (SELECT municipality_id FROM fleet.sites
                       WHERE customer_id = d.customer_id AND id = d.site_id LIMIT 1) s
   CROSS JOIN LATERAL (SELECT FROM fleet.municipalities
                       WHERE customer_id = d.customer_id AND id = s.municipality_id LIMIT 1) m
   LEFT JOIN LATERAL (SELECT true AS found FROM fleet.devices
                      WHERE d.parent_device_id IS NOT NULL AND customer_id = d.customer_id AND id = d.parent_device_id
                        AND site_id = d.site_id AND removed_at IS NULL LIMIT 1) p ON true
   CROSS JOIN LATERAL (SELECT CASE WHEN p.found THEN -1 - c.at ELSE c.at END, ${dayFields(filter)} FROM fleet.energy_days
                       WHERE customer_id = d.customer_id AND device_number = d.number AND ${isBetween(filter)}
                       LIMIT ${filter.toDay - filter.fromDay}) days`;
const customersOf = (groups: readonly Group[]) => [...new Set(groups.map(({ customerId }) => customerId))].join(',');
const rowOfGroup = ({ customerId, siteId }: Group, at: number) =>
  `('${customerId}'::uuid, ${siteId === undefined ? 'NULL' : `'${siteId}'`}::uuid, ${at})`;

/** The stored days of devices; `addsUp` is false for a sub-meter, because its main meter includes its energy. */
export interface FleetDay {
  day: StoredDay;
  addsUp: boolean;
}

/** For each group, in the order of the groups, the stored days of its current devices that have a site. */
export async function listDaysOfGroups(tx: Transaction, groups: readonly Group[], filter: Days): Promise<FleetDay[][]> {
  if (groups.length === 0) return [];
  // Rows have the number of the group instead of that of the device; it is negative for a sub-meter.
  const days = await readDays(tx, selectDaysOfGroups(groups, filter));
  const byGroup = Map.groupBy(days, ({ deviceNumber: at }) => (at < 0 ? -1 - at : at));
  return groups.map((_, at) => (byGroup.get(at) ?? []).map((day) => ({ day, addsUp: day.deviceNumber >= 0 })));
}

/** The days among these that are stored, with all fields, in no order. */
export async function listExactDays(tx: Transaction, asked: readonly DayOfDevice[]): Promise<StoredDay[]> {
  return asked.length === 0 ? [] : readDays(tx, selectExactDays(layoutOf(tx), asked));
}

const readDays = async (tx: Transaction, text: string) => parseDays(await readBinaryRows(tx, text));

/** Parses rows. `starts` receives the position of each row. */
function parseDays(rows: BinaryRows, starts: number[] = []): StoredDay[] {
  const { bytes } = rows;
  const days: StoredDay[] = [];
  while (rows.next()) {
    starts.push(rows.position);
    const sums = {
      deviceNumber: rows.int4(),
      day: rows.int4(),
      samples: rows.int4(),
      powerSum: rows.float8(),
      factorActiveSum: rows.float8(),
      factorReactiveSum: rows.float8(),
    };
    const [imported, exported] = [rows.field(), rows.field()];
    const interpolatedImported = partOf(rows.field(), imported);
    const interpolatedExported = partOf(rows.field(), exported);
    const [power, quantities] = [rows.field(), rows.field()];
    days.push({
      ...sums,
      hasInterpolated: interpolatedImported !== null || interpolatedExported !== null,
      fillEnergy(target, at) {
        if (imported !== null) decodeNumbers(bytes, imported, target.importedKwh, at);
        if (exported !== null) decodeNumbers(bytes, exported, target.exportedKwh, at);
        if (interpolatedImported !== null) {
          decodeNumbers(bytes, interpolatedImported, target.interpolatedImportedKwh, at);
        }
        if (interpolatedExported !== null) {
          decodeNumbers(bytes, interpolatedExported, target.interpolatedExportedKwh, at);
        }
      },
      readStatistics: (target) => decodeStatistics(bytes, { power, quantities }, target),
    });
  }
  return days;
}

/** An empty field means that all energy of the day is interpolated. */
const partOf = (part: Field | null, whole: Field | null) => (part?.length === 0 ? whole : part);

/** A stored day, unpacked so that it can be changed. */
export function openDay(stored: StoredDay): EnergyDay {
  const day = emptyDay(stored);
  stored.fillEnergy(day, 0);
  stored.readStatistics(day.statistics);
  return day;
}

/** A day without stored energy. */
export const emptyDay = ({ deviceNumber, day }: DayOfDevice): EnergyDay => ({
  deviceNumber,
  day,
  ...emptyEnergy(slotsPerDay),
  statistics: emptyStatistics(slotsPerDay),
});

/** A day in memory as if it had been read from the database, in the compact stored form. */
export function storedDay(day: EnergyDay): StoredDay {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer | null): Field | null => {
    if (bytes === null) return null;
    parts.push(bytes);
    length += bytes.length;
    return { start: length - bytes.length, length: bytes.length };
  };
  const fields = energyColumns.map((name) => ({ name, field: add(encodeNumbers(day[name])) }));
  const encoded = encodeStatistics(day.statistics);
  const [power, quantities] = [add(encoded.power), add(encoded.quantities)];
  const bytes = Buffer.concat(parts);
  return {
    deviceNumber: day.deviceNumber,
    day: day.day,
    ...sumsOf(day),
    hasInterpolated: !isZero(day.interpolatedImportedKwh) || !isZero(day.interpolatedExportedKwh),
    fillEnergy(target, at) {
      for (const { name, field } of fields) if (field !== null) decodeNumbers(bytes, field, target[name], at);
    },
    readStatistics: (target) => decodeStatistics(bytes, { power, quantities }, target),
  };
}

const sumsOf = ({ statistics }: EnergyDay): PowerSums => ({
  samples: sum(statistics.samples),
  powerSum: sum(statistics.powerSum),
  factorActiveSum: sum(statistics.factorActiveSum),
  factorReactiveSum: sum(statistics.factorReactiveSum),
});
function sum(values: Float64Array): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** A statement that writes or deletes days, and so gives their weeks new versions. */
const changeDays = (build: (layout: EnergyLayout) => string) =>
  energyStatement(
    (t) => `WITH changed AS (${build(t)} RETURNING d.device_number, d.day)
           INSERT INTO ${t.table('energy_weeks')} (${t.key}device_number, week, version)
           SELECT ${t.keyValue}device_number, day - (extract(isodow FROM day)::integer - 1) AS week, gen_random_uuid() FROM changed
           GROUP BY device_number, week ORDER BY device_number, week
           ON CONFLICT (${t.key}device_number, week) DO UPDATE SET version = excluded.version`,
  );
const UPSERT_DAYS = changeDays(
  (t) => `INSERT INTO ${t.table('energy_days')} AS d (${t.key}device_number, day, samples, power_sum, factor_active_sum,
           factor_reactive_sum, imported, exported, interpolated_imported, interpolated_exported, power, quantities)
         SELECT ${t.keyValue}device_number, date '1970-01-01' + day, samples, power_sum, factor_active_sum, factor_reactive_sum,
           imported, exported, interpolated_imported, interpolated_exported, power, quantities
         FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::float8[], $5::float8[], $6::float8[], $7::bytea[],
                     $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[])
           AS row (device_number, day, samples, power_sum, factor_active_sum, factor_reactive_sum,
                   imported, exported, interpolated_imported, interpolated_exported, power, quantities)
         ON CONFLICT (${t.key}device_number, day) DO UPDATE SET
           samples = excluded.samples, power_sum = excluded.power_sum, factor_active_sum = excluded.factor_active_sum,
           factor_reactive_sum = excluded.factor_reactive_sum, imported = excluded.imported, exported = excluded.exported,
           interpolated_imported = excluded.interpolated_imported, interpolated_exported = excluded.interpolated_exported,
           power = excluded.power, quantities = excluded.quantities`,
);
const DELETE_DAYS = changeDays(
  (t) => `DELETE FROM ${t.table('energy_days')} d
         USING unnest($1::integer[], $2::integer[]) AS row (device_number, day)
         WHERE ${t.own('d')}d.device_number = row.device_number AND d.day = date '1970-01-01' + row.day`,
);
const DELETE_DAYS_BETWEEN = changeDays(
  (t) => `DELETE FROM ${t.table('energy_days')} d
         USING unnest($1::integer[], $2::integer[], $3::integer[]) AS days (device_number, from_day, to_day)
         WHERE ${t.own('d')}d.device_number = days.device_number
           AND d.day >= date '1970-01-01' + days.from_day AND d.day < date '1970-01-01' + days.to_day`,
);

/** Writes whole days; one without readings and energy gets no row. Only under the lock on its device's state. */
export async function writeEnergyDays(tx: Transaction, days: readonly EnergyDay[]): Promise<void> {
  const kept: EnergyDay[] = [];
  const empty: EnergyDay[] = [];
  for (const day of days) (isEmpty(day) ? empty : kept).push(day);
  if (empty.length > 0) await execute(tx, DELETE_DAYS, ...columnsOf(empty, ['deviceNumber', 'day']));
  if (kept.length === 0) return;
  await execute(
    tx,
    UPSERT_DAYS,
    ...columnsOf(kept, ['deviceNumber', 'day']),
    ...columnsOf(kept.map(sumsOf), ['samples', 'powerSum', 'factorActiveSum', 'factorReactiveSum']),
    kept.map((day) => packedNumbers(day.importedKwh)),
    kept.map((day) => packedNumbers(day.exportedKwh)),
    kept.map((day) => packedPart(day.interpolatedImportedKwh, day.importedKwh)),
    kept.map((day) => packedPart(day.interpolatedExportedKwh, day.exportedKwh)),
    ...columnsOf(
      kept.map((day) => packedStatistics(day.statistics)),
      ['power', 'quantities'],
    ),
  );
}

/** All days in the ranges. */
export const deleteEnergyDays = (tx: Transaction, ranges: readonly DeviceDays[]) =>
  execute(tx, DELETE_DAYS_BETWEEN, ...columnsOf(ranges, ['deviceNumber', 'fromDay', 'toDay']));

const isEmpty = ({ importedKwh, exportedKwh, statistics }: EnergyDay) =>
  isZero(statistics.samples) && isZero(importedKwh) && isZero(exportedKwh);

function packedPart(part: Float64Array, whole: Float64Array): Buffer | null {
  const bytes = packedNumbers(part);
  return bytes !== null && isSame(part, whole) ? Buffer.alloc(0) : bytes;
}
