import { instantOf, micros } from './energy-marks.ts';
import type { Queryable } from './pool.ts';

// At most one row.
const FIND_KEPT_FROM = { text: `SELECT ${micros('kept_from')} AS "keptFrom" FROM monitoring.retention` };
const SET_KEPT_FROM = {
  text: `INSERT INTO monitoring.retention (kept_from) VALUES (${instantOf('$1::bigint')})
         ON CONFLICT (only_row) DO UPDATE SET kept_from = excluded.kept_from`,
};
// Index-free: the table is as good as empty most of the time.
const HAS_MARKS_BEFORE = {
  text: `SELECT EXISTS (SELECT FROM monitoring.energy_marks WHERE from_time < ${instantOf('$1::bigint')}) AS "hasMarks"`,
};

/** From which instant on (epoch microseconds) measurements are there; -Infinity where none were taken away. */
export async function findKeptFrom(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ keptFrom: number }>(FIND_KEPT_FROM);
  return rows[0]?.keptFrom ?? -Infinity;
}

export async function setKeptFrom(tx: Queryable, keptFromMicros: number): Promise<void> {
  await tx.query(SET_KEPT_FROM, [keptFromMicros]);
}

/** Whether readings from before the instant are not absorbed yet. */
export async function hasMarksBefore(tx: Queryable, beforeMicros: number): Promise<boolean> {
  const { rows } = await tx.query<{ hasMarks: boolean }>(HAS_MARKS_BEFORE, [beforeMicros]);
  return rows[0]?.hasMarks === true;
}
