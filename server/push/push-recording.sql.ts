import { dayMs } from '../base/instants.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { pushedColumns, PushedRows } from './pushed-rows.sql.ts';
import { execute, findRow, findValue, instantOf } from '../database/rows.ts';

/** How far the rows that were stored before the recording have been sent: the last row's device and time. */
export interface WalkPosition {
  deviceNumber: number;
  time: string;
}

export interface Recording {
  /** A hash of the fleet's address. Once the fleet has told the customer, a slash and the customer follow. */
  target: string;
  /** Rows received before this instant are not recorded. */
  beganAt: string;
  /** Null once all these rows have been sent. */
  walk: WalkPosition | null;
}

const FIND_RECORDING = `SELECT target, began_at AS "beganAt", walk_device_number AS "deviceNumber", walk_time::text AS time
  FROM monitoring.push_recording`;
// Not now(), which is the start of this transaction: an ingest that it waited for may have begun later.
const BEGIN_RECORDING = `INSERT INTO monitoring.push_recording (target, began_at, used_at, walk_device_number, walk_time)
  VALUES ($1, clock_timestamp(), ${instantOf('$2::bigint')}, 0, '-infinity')`;
const END_RECORDING = `DELETE FROM monitoring.push_recording`;
const EMPTY_OUTBOX = `TRUNCATE monitoring.push_outbox`;
const SET_TARGET = `UPDATE monitoring.push_recording SET target = $1`;
const SET_WALK = `UPDATE monitoring.push_recording SET walk_device_number = $1, walk_time = $2`;
const SET_USED = `UPDATE monitoring.push_recording SET used_at = ${instantOf('$1::bigint')}
  WHERE used_at < ${instantOf('$1::bigint')} - interval '1 hour'`;
const IS_UNUSED = `SELECT used_at < ${instantOf('$1::bigint')} AS "isUnused" FROM monitoring.push_recording`;
const FIND_NEXT_DEVICE = `SELECT number, id FROM monitoring.devices WHERE number >= $1 ORDER BY number LIMIT 1`;
// Index measurements_device_time_key: one probe for each partition until a row is found.
const FIND_NEXT_TIME = `SELECT time FROM monitoring.measurements WHERE device_number = $1 AND time > $2::timestamptz
  ORDER BY time LIMIT 1`;
// Index measurements_device_time_key, in the partitions of a month.
const storedRows = (deviceNumber: number, limit: number, times: { from: string; to: string; beganAt: string }) =>
  `SELECT ${pushedColumns} FROM monitoring.measurements m
   WHERE m.device_number = ${deviceNumber} AND m.time >= '${times.from}' AND m.time < '${times.to}'
     AND m.received_at <= '${times.beganAt}'
   ORDER BY m.time LIMIT ${limit}`;
const COUNT_WALK = `SELECT coalesce(sum(e.samples), 0)::bigint AS count
  FROM monitoring.push_recording r JOIN monitoring.energy_days e
    ON e.device_number > r.walk_device_number
      OR (e.device_number = r.walk_device_number AND e.day > (r.walk_time AT TIME ZONE 'UTC')::date)`;

export async function findRecording(db: Queryable): Promise<Recording | null> {
  const row = await findRow<{ target: string; beganAt: string; deviceNumber: number | null; time: string | null }>(
    db,
    FIND_RECORDING,
  );
  if (row === null) return null;
  const { target, beganAt, deviceNumber, time } = row;
  return { target, beganAt, walk: deviceNumber === null || time === null ? null : { deviceNumber, time } };
}

/**
 * Only under the exclusive ingest lock. Then every later ingest records, and the walk sends the rows of all earlier ingests.
 */
export const beginRecording = (tx: Transaction, target: string, nowMicros: number) =>
  execute(tx, BEGIN_RECORDING, target, nowMicros);

/** Only under the exclusive ingest lock. */
export async function endRecording(tx: Transaction): Promise<void> {
  await execute(tx, END_RECORDING);
  await execute(tx, EMPTY_OUTBOX);
}

export const setTarget = (db: Queryable, target: string) => execute(db, SET_TARGET, target);

/** Marks the recording as used, so that it is not ended. */
export const setRecordingUsed = (db: Queryable, nowMicros: number) => execute(db, SET_USED, nowMicros);

/** Whether the recording has not been used since an instant (epoch microseconds). */
export const isRecordingUnused = async (db: Queryable, sinceMicros: number) =>
  (await findValue<boolean>(db, IS_UNUSED, sinceMicros)) ?? false;

export const setWalk = (db: Queryable, next: WalkPosition | null) =>
  execute(db, SET_WALK, next?.deviceNumber ?? null, next?.time ?? null);

/** Estimates the rows that the walk still has to send, from the counts of computed days. */
export const countUnwalked = async (db: Queryable) => (await findValue<number>(db, COUNT_WALK)) ?? 0;

/** The maximum number of months and devices that are searched for one batch, so that empty ones cost little. */
const maxSteps = 200;
const windowDays = 31;

/**
 * The next rows that were stored before the recording began, by device and time, at most `limit`, and the position after them; null
 * at its end.
 */
export async function listWalkedRows(tx: Transaction, beganAt: string, from: WalkPosition, limit: number) {
  const rows = new PushedRows();
  let next: WalkPosition = from;
  for (let step = 0; step < maxSteps && rows.count < limit; step += 1) {
    const device = await findRow<{ number: number; id: string }>(tx, FIND_NEXT_DEVICE, next.deviceNumber);
    if (device === null) return { rows, next: null };
    if (device.number !== next.deviceNumber) next = { deviceNumber: device.number, time: '-infinity' };
    const first = await findRow<{ time: string }>(tx, FIND_NEXT_TIME, device.number, next.time);
    if (first === null) {
      next = { deviceNumber: device.number + 1, time: '-infinity' };
      continue;
    }
    const to = new Date(Date.parse(first.time) + windowDays * dayMs).toISOString();
    const text = storedRows(device.number, limit - rows.count, { from: first.time, to, beganAt });
    await rows.add(tx, text, { idOf: new Map([[device.number, device.id]]), limit });
    // Rows after `time` are taken, so a row exactly at the end of this window belongs to the next window.
    next = {
      deviceNumber: device.number,
      time: rows.count === limit && rows.last !== null ? rows.last.time : justBefore(to),
    };
  }
  return { rows, next };
}

/** The last representable instant before one without microseconds. */
const justBefore = (instant: string) => `${new Date(Date.parse(instant) - 1).toISOString().slice(0, -1)}999Z`;
