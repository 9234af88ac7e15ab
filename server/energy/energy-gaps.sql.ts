import type { EnergyGap } from './energy-gaps.rules.ts';
import { columnsOf, energyStatement, execute, listRows } from '../database/rows.ts';
import type { Queryable, Transaction } from '../database/pool.ts';

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
  'energy_list_gaps',
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

/** The gaps that touch the days, whole, in no order. */
export const listGaps = (db: Queryable, { deviceNumbers, fromDay, toDay }: DaysOfDevices) =>
  listRows<EnergyGap>(db, LIST_GAPS, deviceNumbers, fromDay, toDay);

/** Every gap that touches the days, whole. */
export const deleteGaps = (tx: Transaction, ranges: readonly DeviceDays[]) =>
  execute(tx, DELETE_GAPS, ...columnsOf(ranges, ['deviceNumber', 'fromDay', 'toDay']));

/** Only under the lock of the device's state, and only where no gap is stored. */
export const insertGaps = (tx: Transaction, gaps: readonly EnergyGap[]) =>
  execute(tx, INSERT_GAPS, ...columnsOf(gaps, ['deviceNumber', 'fromDay', 'toDay', 'importedKwh', 'exportedKwh']));
