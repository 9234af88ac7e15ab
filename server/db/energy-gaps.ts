import type { EnergyGap } from '../domain/energy-gaps.ts';
import { energyStatement, queryEnergy } from './energy-layout.ts';
import type { Queryable, Transaction } from './pool.ts';

export interface DaysOfDevices {
  deviceNumbers: readonly number[];
  /** Days since 1970-01-01, half-open. */
  fromDay: number;
  toDay: number;
}

/** Days of one device, half-open. */
export type DeviceDays = Pick<EnergyGap, 'deviceNumber' | 'fromDay' | 'toDay'>;

const epoch = `date '1970-01-01'`;
const isAsked = `device_number = ANY ($1::integer[]) AND from_day < ${epoch} + $3::integer AND to_day > ${epoch} + $2::integer`;

// Primary key energy_gaps_pkey; a meter that is not silent for weeks has none.
const LIST_GAPS = energyStatement(
  (t) => `SELECT device_number AS "deviceNumber", from_day - ${epoch} AS "fromDay", to_day - ${epoch} AS "toDay",
                imported_kwh AS "importedKwh", exported_kwh AS "exportedKwh"
         FROM ${t.table('energy_gaps')} WHERE ${t.own()}${isAsked}`,
);
const days = `unnest($1::integer[], $2::integer[], $3::integer[]) AS days (device_number, from_day, to_day)`;
const DELETE_GAPS = energyStatement(
  (t) => `DELETE FROM ${t.table('energy_gaps')} g USING ${days}
         WHERE ${t.own('g')}g.device_number = days.device_number
           AND g.from_day < ${epoch} + days.to_day AND g.to_day > ${epoch} + days.from_day`,
);
const INSERT_GAPS = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_gaps')} (${t.key}device_number, from_day, to_day, imported_kwh, exported_kwh)
         SELECT ${t.keyValue}d, ${epoch} + f, ${epoch} + t, i, e
         FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::float8[], $5::float8[]) AS row (d, f, t, i, e)`,
);

const valuesOf = ({ deviceNumbers, fromDay, toDay }: DaysOfDevices) => [deviceNumbers, fromDay, toDay];

/** The gaps that touch the days, whole, in no order. */
export async function listGaps(db: Queryable, filter: DaysOfDevices): Promise<EnergyGap[]> {
  const { rows } = await queryEnergy<EnergyGap>(db, LIST_GAPS, valuesOf(filter));
  return rows;
}

/** Every gap that touches the days, whole. */
export async function deleteGaps(tx: Transaction, ranges: readonly DeviceDays[]): Promise<void> {
  await queryEnergy(tx, DELETE_GAPS, columnsOf(ranges));
}

/** Only under the lock of the device's state, and only where none is. */
export async function insertGaps(tx: Transaction, gaps: readonly EnergyGap[]): Promise<void> {
  const energy = [gaps.map((gap) => gap.importedKwh), gaps.map((gap) => gap.exportedKwh)];
  await queryEnergy(tx, INSERT_GAPS, [...columnsOf(gaps), ...energy]);
}

export const columnsOf = (ranges: readonly DeviceDays[]) => [
  ranges.map((range) => range.deviceNumber),
  ranges.map((range) => range.fromDay),
  ranges.map((range) => range.toDay),
];
