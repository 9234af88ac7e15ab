import type { Queryable } from '../database/pool.ts';
import type { PushErrorKind } from '../../shared/push.ts';
import type { PushError } from './push-state.sql.ts';
import { affectsRows, execute, findRow, findValue, instantOf, micros } from '../database/rows.ts';

/** A comparison with the fleet under way, and its progress. Instants are epoch microseconds at the start of UTC days. */
export interface ReconcileRun {
  /** The id of the run. */
  beganMicros: number;
  /** Whether the run compares all stored measurements. */
  isFull: boolean;
  /** Whether an administrator requested the run. */
  isRequested: boolean;
  toMicros: number;
  /**
   * The progress of the run: everything before the window has been compared, and in the window the devices up to this number.
   */
  windowFromMicros: number;
  windowToMicros: number;
  deviceNumber: number;
  /** The differences of the next devices, up to this number, have been sent again; null if none were. */
  resentToNumber: number | null;
  /** The number of device-days compared so far. */
  comparedDays: number;
  resentDays: number;
}

/** The state of comparisons with the fleet. */
export interface Reconciliation extends ReconcileRun {
  isRunning: boolean;
  /** The number of failures in a row. */
  failures: number;
  nextAttemptAt: string | null;
  lastErrorKind: PushErrorKind | null;
  lastError: string | null;
  lastErrorAt: string | null;
  /** The end of the last complete comparison. */
  finishedAt: string | null;
  finishedComparedDays: number | null;
  finishedResentDays: number | null;
  fullFinishedMicros: number | null;
  inStepToMicros: number | null;
}

const dateOf = (parameter: string) => `(${instantOf(`${parameter}::bigint`)} AT TIME ZONE 'UTC')::date`;

const FIND = `SELECT is_running AS "isRunning", is_full AS "isFull", is_requested AS "isRequested", ${micros('began_at')} AS "beganMicros",
    ${micros('to_day')} AS "toMicros", ${micros('window_from')} AS "windowFromMicros", ${micros('window_to')} AS "windowToMicros",
    device_number AS "deviceNumber", resent_to_number AS "resentToNumber", compared_days AS "comparedDays", resent_days AS "resentDays",
    failures, next_attempt_at AS "nextAttemptAt", last_error_kind AS "lastErrorKind", last_error AS "lastError",
    last_error_at AS "lastErrorAt", finished_at AS "finishedAt", finished_compared_days AS "finishedComparedDays",
    finished_resent_days AS "finishedResentDays", ${micros('full_finished_at')} AS "fullFinishedMicros",
    ${micros('in_step_to')} AS "inStepToMicros"
  FROM monitoring.push_reconciliation`;
// The run begins before its first window.
const BEGIN = `INSERT INTO monitoring.push_reconciliation AS r (is_running, is_full, is_requested, began_at, from_day, to_day,
    window_from, window_to, device_number, compared_days, resent_days)
  VALUES (true, $1, $2, ${instantOf('$3::bigint')}, ${dateOf('$4')}, ${dateOf('$5')}, ${dateOf('$4')}, ${dateOf('$4')}, 0, 0, 0)
  ON CONFLICT (only_row) DO UPDATE SET (is_running, is_full, is_requested, began_at, from_day, to_day, window_from, window_to,
      device_number, resent_to_number, compared_days, resent_days, failures, next_attempt_at)
    = (true, excluded.is_full, excluded.is_requested, excluded.began_at, excluded.from_day, excluded.to_day, excluded.window_from,
      excluded.window_to, 0, NULL, 0, 0, 0, NULL)`;
// A requested comparison replaces the current one.
const isRun = `is_running AND began_at = ${instantOf('$1::bigint')}`;
const MOVE_ON = `UPDATE monitoring.push_reconciliation SET window_from = ${dateOf('$2')}, window_to = ${dateOf('$3')},
    device_number = $4, resent_to_number = $5, compared_days = $6, resent_days = $7, failures = 0, next_attempt_at = NULL
  WHERE ${isRun}`;
const FINISH = `UPDATE monitoring.push_reconciliation SET is_running = false, failures = 0, next_attempt_at = NULL,
    finished_at = ${instantOf('$2::bigint')}, finished_compared_days = compared_days, finished_resent_days = resent_days,
    full_finished_at = CASE WHEN is_full THEN ${instantOf('$2::bigint')} ELSE full_finished_at END,
    in_step_to = began_at
  WHERE ${isRun}`;
const SET_FAILED = `UPDATE monitoring.push_reconciliation SET failures = failures + 1,
    next_attempt_at = ${instantOf('$2::bigint')}, last_error_at = ${instantOf('$3::bigint')}, last_error_kind = $4, last_error = $5
  WHERE ${isRun}`;
const CLEAR_WAIT = `UPDATE monitoring.push_reconciliation SET next_attempt_at = NULL`;
const FORGET = `DELETE FROM monitoring.push_reconciliation`;
const FIND_FIRST_STORED = `SELECT ${micros(`least((SELECT min(first_time) FROM monitoring.energy_state),
    (SELECT min(intervals_first) FROM monitoring.energy_state),
    (SELECT min(from_time) FROM monitoring.energy_dirty_ranges))`)} AS "firstMicros"`;

/** The last state; null before the first run. */
export const findReconciliation = (db: Queryable) => findRow<Reconciliation>(db, FIND);

interface NewRun {
  isFull: boolean;
  isRequested: boolean;
  beganMicros: number;
  fromMicros: number;
  toMicros: number;
}

/** Replaces a run under way. */
export const beginReconciliation = (
  db: Queryable,
  { isFull, isRequested, beganMicros, fromMicros, toMicros }: NewRun,
) => execute(db, BEGIN, isFull, isRequested, beganMicros, fromMicros, toMicros);

/** Stores the progress of the run; false if another run has started in between. */
export const saveRun = (db: Queryable, run: ReconcileRun) =>
  affectsRows(
    db,
    MOVE_ON,
    run.beganMicros,
    run.windowFromMicros,
    run.windowToMicros,
    run.deviceNumber,
    run.resentToNumber,
    run.comparedDays,
    run.resentDays,
  );

/** Records that everything measured before the run began has been compared. */
export const finishRun = (db: Queryable, { beganMicros, nowMicros }: { beganMicros: number; nowMicros: number }) =>
  execute(db, FINISH, beganMicros, nowMicros);

export const setRunFailed = (
  db: Queryable,
  beganMicros: number,
  { nextMicros, nowMicros, error }: { nextMicros: number; nowMicros: number; error: PushError },
) => execute(db, SET_FAILED, beganMicros, nextMicros, nowMicros, error.kind, error.text);

/** Lets the run continue without waiting. */
export const clearRunWait = (db: Queryable) => execute(db, CLEAR_WAIT);

/** Forgets the runs: another fleet has no measurements yet. */
export const forgetReconciliation = (db: Queryable) => execute(db, FORGET);

/** The instant of the first measurement, epoch microseconds; null if there is none. */
export const findFirstStored = (db: Queryable) => findValue<number>(db, FIND_FIRST_STORED);
