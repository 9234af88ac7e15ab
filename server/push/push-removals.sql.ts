import type { RemovedKind } from '../../shared/removals.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, findRow, findValue } from '../database/rows.ts';

/** A removal that the fleet has not acknowledged. */
export interface PendingRemoval {
  id: number;
  deviceId: string;
  kind: RemovedKind;
  from: string;
  to: string;
}

// Uses the primary key. Deleted devices are left out: the fleet marks a deleted device as removed, with all its rows.
const FIND_NEXT = `SELECT r.id, d.id AS "deviceId", r.kind, r.from_time AS "from", r.to_time AS "to"
  FROM monitoring.push_removals r JOIN monitoring.devices d ON d.number = r.device_number ORDER BY r.id LIMIT 1`;
const COUNT = `SELECT count(*) AS count FROM monitoring.push_removals r JOIN monitoring.devices d ON d.number = r.device_number`;
const DELETE = `DELETE FROM monitoring.push_removals
  WHERE id = $1 OR device_number NOT IN (SELECT number FROM monitoring.devices)`;
// The rows that are stored in the range now. The fleet may have had these rows before the removal, which then removed them
// there. As after a comparison, there is one entry for each UTC day, with an instant of its own. Uses index
// measurements_device_time_key.
const RESEND_READINGS = `INSERT INTO monitoring.push_outbox (received_at, row_count, device_numbers, from_micros, to_micros, is_resend)
  SELECT now() + row_number() OVER (ORDER BY f) * interval '1 microsecond', count, ARRAY[device_number], ARRAY[f], ARRAY[t], true
  FROM (SELECT r.device_number, count(*) AS count, (extract(epoch FROM min(m.time)) * 1000000)::bigint AS f,
               (extract(epoch FROM max(m.time)) * 1000000)::bigint AS t
        FROM monitoring.push_removals r JOIN monitoring.measurements m
          ON m.device_number = r.device_number AND m.time >= r.from_time AND m.time < r.to_time
        WHERE r.id = $1 AND r.kind = 'readings' GROUP BY r.device_number, date_trunc('day', m.time, 'UTC')) days`;
// Primary key intervals_pkey.
const RESEND_INTERVALS = `UPDATE monitoring.intervals i SET is_pushed = false
  FROM monitoring.push_removals r
  WHERE r.id = $1 AND r.kind = 'intervals' AND i.device_number = r.device_number
    AND i.from_time >= r.from_time AND i.from_time < r.to_time AND i.is_pushed`;

export const findNextRemoval = (db: Queryable) => findRow<PendingRemoval>(db, FIND_NEXT);

export const countRemovals = async (db: Queryable) => (await findValue<number>(db, COUNT)) ?? 0;

/** Once the fleet has removed the rows, sends the rows that are now stored in the range again. */
export async function finishRemoval(tx: Transaction, id: number): Promise<void> {
  await execute(tx, RESEND_READINGS, id);
  await execute(tx, RESEND_INTERVALS, id);
  await execute(tx, DELETE, id);
}
