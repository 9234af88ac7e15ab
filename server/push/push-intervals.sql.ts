import { fromFixedUnits, type FixedUnits, milliOfKilo } from '../base/quantities.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findValue, instantOf, listRows, micros } from '../database/rows.ts';

/** An interval that is to be pushed, as it was when it was read. */
export interface PushedInterval {
  deviceNumber: number;
  deviceId: string;
  from: string;
  to: string;
  fromMicros: number;
  importedKwh: number | null;
  exportedKwh: number | null;
}

// Index intervals_unpushed.
const LIST_UNPUSHED = `SELECT i.device_number AS "deviceNumber", d.id AS "deviceId", i.from_time AS "from", i.to_time AS "to",
    ${micros('i.from_time')} AS "fromMicros", i.imported_milliwatthours AS imported, i.exported_milliwatthours AS exported
  FROM monitoring.intervals i JOIN monitoring.devices d ON d.number = i.device_number
  WHERE NOT i.is_pushed ORDER BY i.device_number, i.from_time LIMIT $1`;
const COUNT_UNPUSHED = `SELECT count(*) AS count FROM monitoring.intervals WHERE NOT is_pushed`;
// Uses primary key intervals_pkey. Intervals never change, so an interval in the database is still the same as when it was
// sent.
const MARK_PUSHED = `UPDATE monitoring.intervals i SET is_pushed = true
  FROM unnest($1::integer[], $2::bigint[]) AS r (d, f) WHERE i.device_number = r.d AND i.from_time = ${instantOf('r.f')}`;
const FORGET_PUSHED = `UPDATE monitoring.intervals SET is_pushed = false WHERE is_pushed`;
// Primary key intervals_pkey.
const RESEND = `UPDATE monitoring.intervals i SET is_pushed = false
  FROM unnest($1::uuid[], $2::date[]) AS asked (device, day) JOIN monitoring.devices d ON d.id = asked.device
  WHERE i.device_number = d.number AND i.from_time >= asked.day::timestamp AT TIME ZONE 'UTC'
    AND i.from_time < (asked.day + 1)::timestamp AT TIME ZONE 'UTC' AND i.is_pushed`;

/** The next intervals that the fleet does not have, by device and start, at most `limit`. */
export async function listUnpushed(db: Queryable, limit: number): Promise<PushedInterval[]> {
  type Row = Omit<PushedInterval, 'importedKwh' | 'exportedKwh'> & Record<'imported' | 'exported', FixedUnits | null>;
  const rows = await listRows<Row>(db, LIST_UNPUSHED, limit);
  return rows.map(({ imported, exported, ...row }) => ({
    ...row,
    importedKwh: kwhOf(imported),
    exportedKwh: kwhOf(exported),
  }));
}

const kwhOf = (units: FixedUnits | null) => (units === null ? null : fromFixedUnits(units, milliOfKilo));

export const countUnpushed = async (db: Queryable) => (await findValue<number>(db, COUNT_UNPUSHED)) ?? 0;

export const markPushed = (tx: Queryable, intervals: readonly PushedInterval[]) =>
  execute(tx, MARK_PUSHED, ...columnsOf(intervals, ['deviceNumber', 'fromMicros']));

/** Queues all intervals again for another fleet, which has none yet. */
export const forgetPushed = (tx: Transaction) => execute(tx, FORGET_PUSHED);

/** Queues the intervals that begin on some days of devices to be pushed again. */
export const resendIntervals = (tx: Transaction, days: readonly { deviceId: string; day: string }[]) =>
  execute(tx, RESEND, ...columnsOf(days, ['deviceId', 'day']));
