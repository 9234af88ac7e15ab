import type { Queryable } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows } from '../database/rows.ts';

export interface DemoRow {
  seed: number;
  /** Days since 1970-01-01 UTC. */
  firstDay: number;
}

/** Readings from `from` (included) to `to` (not included) still have to be written; epoch seconds. */
export interface DemoGap {
  from: number;
  to: number;
}

const IS_EMPTY = `SELECT NOT EXISTS (SELECT FROM monitoring.municipalities) AND NOT EXISTS (SELECT FROM monitoring.devices)
  AS "isEmpty"`;
const FIND_DEMO = `SELECT seed, first_day AS "firstDay" FROM monitoring.demo`;
// If two portals find the database empty at the same time, this single row decides which of them sets up the demo.
const INSERT_DEMO = `INSERT INTO monitoring.demo (seed, first_day) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

const seconds = (column: string) => `extract(epoch FROM ${column})::bigint`;
const LIST_GAPS = `SELECT ${seconds('starts_at')} AS "from", ${seconds('ends_at')} AS "to"
  FROM monitoring.demo_gaps ORDER BY ends_at DESC`;
const INSERT_GAP = `INSERT INTO monitoring.demo_gaps (starts_at, ends_at) VALUES (to_timestamp($1), to_timestamp($2))
  ON CONFLICT (starts_at) DO UPDATE SET ends_at = greatest(demo_gaps.ends_at, excluded.ends_at)`;
const DELETE_GAP = `DELETE FROM monitoring.demo_gaps WHERE starts_at = to_timestamp($1)`;
const SHRINK_GAP = `UPDATE monitoring.demo_gaps SET ends_at = to_timestamp($2) WHERE starts_at = to_timestamp($1)`;
// Index measurements_device_time_key: one probe a device.
const FIND_LATEST = `SELECT max(${seconds('latest.time')}) AS latest
  FROM monitoring.devices d
  JOIN LATERAL (SELECT m.time FROM monitoring.measurements m WHERE m.device_number = d.number
                ORDER BY m.time DESC LIMIT 1) latest ON true
  WHERE d.external_id = ANY($1::text[])`;

/** Whether nothing has been set up in this database yet. */
export const isDatabaseEmpty = async (db: Queryable) => (await findValue<boolean>(db, IS_EMPTY)) === true;

export const findDemo = (db: Queryable) => findRow<DemoRow>(db, FIND_DEMO);

/** False if this database already is a demo. */
export const insertDemo = (db: Queryable, { seed, firstDay }: DemoRow) => affectsRows(db, INSERT_DEMO, seed, firstDay);

/** The readings still to be written, newest first. */
export const listDemoGaps = (db: Queryable) => listRows<DemoGap>(db, LIST_GAPS);

export const insertDemoGap = (db: Queryable, { from, to }: DemoGap) => execute(db, INSERT_GAP, from, to);

/** Records that the readings of the gap have been written from `writtenFrom` on. */
export const shrinkDemoGap = (db: Queryable, { from }: DemoGap, writtenFrom: number) =>
  writtenFrom <= from ? execute(db, DELETE_GAP, from) : execute(db, SHRINK_GAP, from, writtenFrom);

/** The time of the latest measurement of any of these devices, in epoch seconds. */
export const findLatestMeasurement = (db: Queryable, externalIds: readonly string[]) =>
  findValue<number>(db, FIND_LATEST, externalIds);
