import type { MicrosRange } from '../base/instants.ts';
import { fromFixedUnits, type FixedUnits, milliOfKilo } from '../base/quantities.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import {
  columnsOf,
  type EnergyLayout,
  energyStatement,
  execute,
  findValue,
  instantOf,
  listRows,
  micros,
} from '../database/rows.ts';
import type { DeviceInterval } from './dirty-ranges.sql.ts';
import { endOfGrid, type Grid, type IntervalEnergy } from './energy.rules.ts';

/** A stored interval of a device: half-open, epoch microseconds, mWh; null: not sent. */
export interface StoredInterval extends MicrosRange {
  deviceNumber: number;
  imported: FixedUnits | null;
  exported: FixedUnits | null;
}

const ranges = `unnest($1::integer[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS r (d, f, t, position)
         CROSS JOIN LATERAL (SELECT ${instantOf('r.f')} AS f, ${instantOf('r.t')} AS t) asked`;
const stored = `${micros('i.from_time')} AS "fromMicros", ${micros('i.to_time')} AS "toMicros",
                i.imported_milliwatthours AS imported, i.exported_milliwatthours AS exported`;
const rangesOf = (asked: readonly (MicrosRange & { deviceNumber: number })[]) =>
  columnsOf(asked, ['deviceNumber', 'fromMicros', 'toMicros']);

// Up to three probes of intervals_pkey for each range: the last interval that begins at or before the range, the intervals that
// begin in it, and the next one.
const LIST_NEAR = energyStatement((t) => {
  const probe = (condition: string, rest: string) =>
    `(SELECT * FROM ${t.table('intervals')} WHERE ${t.own()}device_number = r.d AND ${condition} ORDER BY from_time ${rest})`;
  return `SELECT r.position::integer AS position, ${stored} FROM ${ranges} CROSS JOIN LATERAL (${[
    probe('from_time <= asked.f', 'DESC LIMIT 1'),
    probe('from_time > asked.f AND from_time < asked.t', 'ASC'),
    probe("from_time >= greatest(asked.t, asked.f + interval '1 microsecond')", 'ASC LIMIT 1'),
  ].join(' UNION ALL ')}) i ORDER BY 1, i.from_time`;
});
// The same without the next interval, which cannot overlap the range.
const LIST_OVERLAPS = energyStatement((t) => {
  const probe = (condition: string, rest: string) =>
    `(SELECT * FROM ${t.table('intervals')} WHERE ${t.own()}device_number = r.d AND ${condition} ORDER BY from_time ${rest})`;
  return `SELECT r.position::integer AS position, ${stored} FROM ${ranges} CROSS JOIN LATERAL (${[
    probe('from_time <= asked.f', 'DESC LIMIT 1'),
    probe('from_time > asked.f AND from_time < asked.t', 'ASC'),
  ].join(' UNION ALL ')}) i WHERE i.to_time > asked.f ORDER BY 1, i.from_time`;
});
// The holes from the last interval that begins before a range to the first interval that begins after it.
const LIST_HOLES = energyStatement(
  (t) => `SELECT d.number AS "deviceNumber", ${micros('hole.f')} AS "fromMicros", ${micros('hole.t')} AS "toMicros"
         FROM unnest($1::integer[]) AS d (number) CROSS JOIN LATERAL (
           SELECT lag(i.to_time) OVER (ORDER BY i.from_time) AS f, i.from_time AS t FROM ${t.table('intervals')} i
           WHERE ${t.own('i')}i.device_number = d.number
             AND i.from_time >= coalesce((SELECT max(from_time) FROM ${t.table('intervals')}
                                          WHERE ${t.own()}device_number = d.number AND from_time <= ${instantOf('$2::bigint')}), '-infinity')
             AND i.from_time <= coalesce((SELECT min(from_time) FROM ${t.table('intervals')}
                                          WHERE ${t.own()}device_number = d.number AND from_time >= ${instantOf('$3::bigint')}), 'infinity')
         ) hole WHERE hole.f < hole.t ORDER BY 1, 2`,
);
// Primary key intervals_pkey, once for each device: intervals that begin in its range.
const askedOfDevices = (t: EnergyLayout) =>
  `unnest($1::integer[], $2::bigint[], $3::bigint[]) AS d (number, f, t)
   JOIN ${t.table('intervals')} i ON ${t.own('i')}i.device_number = d.number
     AND i.from_time >= ${instantOf('d.f')} AND i.from_time < ${instantOf('d.t')}`;
const COUNT = energyStatement((t) => `SELECT count(*) AS count FROM ${askedOfDevices(t)}`);
const LIST_PAGE = energyStatement(
  (t) => `SELECT i.device_number AS "deviceNumber", ${stored} FROM ${askedOfDevices(t)}
         ORDER BY i.from_time DESC, i.device_number LIMIT $4 OFFSET $5`,
);
const LIST_NEXT = energyStatement(
  (t) => `SELECT i.device_number AS "deviceNumber", ${stored} FROM ${askedOfDevices(t)} ORDER BY i.from_time LIMIT $4`,
);
const INSERT = energyStatement((t) => {
  const received = t.key === '' ? '' : ', received_at';
  return `INSERT INTO ${t.table('intervals')}
           (${t.key}device_number, from_time, to_time, imported_milliwatthours, exported_milliwatthours${received})
         SELECT ${t.keyValue}d, ${instantOf('f')}, ${instantOf('t')}, i, e${received === '' ? '' : ', $6::timestamptz'}
         FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS row (d, f, t, i, e)`;
});
const DELETE = energyStatement(
  (t) => `DELETE FROM ${t.table('intervals')} i USING unnest($1::integer[], $2::bigint[]) AS r (d, f)
         WHERE ${t.own('i')}i.device_number = r.d AND i.from_time = ${instantOf('r.f')}`,
);
const INSERT_STATES = energyStatement(
  (t) => `INSERT INTO ${t.table('energy_state')} (${t.key}device_number)
         SELECT ${t.keyValue}unnest($1::integer[]) AS d ORDER BY d ON CONFLICT DO NOTHING`,
);
// In the order of device numbers, as everywhere, so that nobody deadlocks.
const LOCK_STATES = energyStatement(
  (t) =>
    `SELECT FROM ${t.table('energy_state')} WHERE ${t.own()}device_number = ANY ($1::integer[]) ORDER BY device_number FOR UPDATE`,
);
const EXTEND_STATES = energyStatement(
  (t) => `UPDATE ${t.table('energy_state')} s
         SET intervals_first = least(s.intervals_first, ${instantOf('r.f')}),
             intervals_last = greatest(s.intervals_last, ${instantOf('r.t')})
         FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS r (d, f, t)
         WHERE ${t.own('s')}s.device_number = r.d`,
);
const DELETE_ENDED = energyStatement(
  (t) => `DELETE FROM ${t.table('intervals')} WHERE ${t.own()}to_time <= ${instantOf('$1::bigint')}`,
);

/** For each grid the intervals in it, and the next one on both sides, ascending. */
export async function listIntervalsNear(
  tx: Transaction,
  asked: readonly { deviceNumber: number; grid: Grid }[],
): Promise<IntervalEnergy[][]> {
  const found = asked.map((): IntervalEnergy[] => []);
  const within = asked.map(({ deviceNumber, grid }) => ({
    deviceNumber,
    fromMicros: grid.startMicros,
    toMicros: endOfGrid(grid),
  }));
  for (const row of await listRows<StoredInterval & { position: number }>(tx, LIST_NEAR, ...rangesOf(within))) {
    found[row.position - 1]?.push({
      fromMicros: row.fromMicros,
      toMicros: row.toMicros,
      importedKwh: kwhOf(row.imported),
      exportedKwh: kwhOf(row.exported),
    });
  }
  return found;
}

const kwhOf = (units: FixedUnits | null) => (units === null ? 0 : fromFixedUnits(units, milliOfKilo));

/** For each range (half-open) the stored intervals that overlap it, ascending; `position` counts the ranges from 1. */
export const listOverlaps = (tx: Transaction, asked: readonly (MicrosRange & { deviceNumber: number })[]) =>
  listRows<Omit<StoredInterval, 'deviceNumber'> & { position: number }>(tx, LIST_OVERLAPS, ...rangesOf(asked));

/** The holes between two intervals that touch the range or are its neighbours. */
export const listHoles = (db: Queryable, deviceNumbers: readonly number[], { fromMicros, toMicros }: MicrosRange) =>
  listRows<DeviceInterval>(db, LIST_HOLES, deviceNumbers, fromMicros, toMicros);

/** A device and the range in which its intervals begin. */
type AskedIntervals = MicrosRange & { deviceNumber: number };

export const countIntervals = async (db: Queryable, asked: readonly AskedIntervals[]) =>
  (await findValue<number>(db, COUNT, ...rangesOf(asked))) ?? 0;

/** A page of intervals, the newest first, then by device number. */
export const listIntervalsPage = (
  db: Queryable,
  asked: readonly AskedIntervals[],
  { limit, offset }: { limit: number; offset: number },
) => listRows<StoredInterval>(db, LIST_PAGE, ...rangesOf(asked), limit, offset);

/** The next intervals of one device, ascending. */
export const listNextIntervals = (db: Queryable, asked: AskedIntervals, limit: number) =>
  listRows<StoredInterval>(db, LIST_NEXT, ...rangesOf([asked]), limit);

/** Only under {@link lockIntervals}, and only if nothing overlaps. */
export async function insertIntervals(tx: Transaction, intervals: readonly StoredInterval[], at: Date): Promise<void> {
  const columns = columnsOf(intervals, ['deviceNumber', 'fromMicros', 'toMicros', 'imported', 'exported']);
  await execute(tx, INSERT, ...columns, ...(tx.customerId === null ? [] : [at.toISOString()]));
  const [first, last] = [new Map<number, number>(), new Map<number, number>()];
  for (const { deviceNumber, fromMicros, toMicros } of intervals) {
    first.set(deviceNumber, Math.min(first.get(deviceNumber) ?? Infinity, fromMicros));
    last.set(deviceNumber, Math.max(last.get(deviceNumber) ?? -Infinity, toMicros));
  }
  await execute(tx, EXTEND_STATES, [...first.keys()], [...first.values()], [...last.values()]);
}

export const deleteIntervals = (
  tx: Transaction,
  intervals: readonly Pick<StoredInterval, 'deviceNumber' | 'fromMicros'>[],
) => execute(tx, DELETE, ...columnsOf(intervals, ['deviceNumber', 'fromMicros']));

/** Locks the energy of devices until the end of the transaction: nobody else stores their intervals or computes their slots. */
export async function lockIntervals(tx: Transaction, deviceNumbers: readonly number[]): Promise<void> {
  await execute(tx, INSERT_STATES, deviceNumbers);
  await execute(tx, LOCK_STATES, deviceNumbers);
}

/** Deletes the intervals that end at or before an instant. Their slots stay. */
export const deleteEndedIntervals = (tx: Transaction, beforeMicros: number) => execute(tx, DELETE_ENDED, beforeMicros);
