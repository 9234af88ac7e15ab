import type { MicrosRange } from '../base/instants.ts';
import { formatInstant } from '../base/instants.ts';
import type { CountedDay } from './day-checksums.rules.ts';
import { energyStatement, listRows, micros } from '../database/rows.ts';
import type { Queryable } from '../database/pool.ts';
import { storedQuantities } from '../base/quantities.ts';

// The order of the columns is part of the checksum. concat() takes null as nothing.
const row = ['time', ...storedQuantities.map(({ column }) => column)]
  .map((column) => (column === 'time' ? micros(column) : column))
  .join(`, ',', `);

const interval = [micros('from_time'), micros('to_time'), 'imported_milliwatthours', 'exported_milliwatthours'].join(
  `, ',', `,
);

// Indexes measurements_device_time_key and intervals_pkey, once for each device; the rows are in order of time.
const LIST_CHECKSUMS = energyStatement(
  (t) => `SELECT d.id AS "deviceId", days.day, days.count, days.checksum
  FROM ${t.table('devices')} d
  CROSS JOIN LATERAL (
    SELECT day, coalesce(r.count, 0) + coalesce(i.count, 0) AS count, concat(r.checksum, '/' || i.checksum) AS checksum
    FROM (
      SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count,
             md5(string_agg(concat(${row}), ';' ORDER BY time)) AS checksum
      FROM ${t.table('measurements')} m
      WHERE ${t.own('m')}m.device_number = d.number AND m.time >= $2 AND m.time < $3
      GROUP BY 1) r
    FULL JOIN (
      SELECT to_char(from_time AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count,
             md5(string_agg(concat(${interval}), ';' ORDER BY from_time)) AS checksum
      FROM ${t.table('intervals')} i
      WHERE ${t.own('i')}i.device_number = d.number AND i.from_time >= $2 AND i.from_time < $3
      GROUP BY 1) i USING (day)) days
  WHERE ${t.own('d')}d.id = ANY ($1::uuid[])
  ORDER BY d.id, days.day`,
);

/**
 * Counts and checksums of the measurements of some devices, and of their intervals by the day on which they begin, by device and UTC day; days without any are left out. The
 * range is of whole days. The same on the Client and for its customer of the fleet.
 */
export const listDayChecksums = (db: Queryable, deviceIds: readonly string[], { fromMicros, toMicros }: MicrosRange) =>
  listRows<CountedDay>(db, LIST_CHECKSUMS, deviceIds, formatInstant(fromMicros), formatInstant(toMicros));
