import type { PushErrorKind } from '../../shared/push.ts';
import type { Queryable, Session } from '../database/pool.ts';
import { execute, findValue, listRows, instantOf } from '../database/rows.ts';

export const pushResources = [
  'sites',
  'devices',
  'municipalities',
  'tariffs',
  'removals',
  'measurements',
  'intervals',
] as const;
export type PushResource = (typeof pushResources)[number];

export interface PushError {
  kind: PushErrorKind;
  /** The failure as a sentence for the person who investigates it. */
  text: string;
}

/** The state of pushing one resource. */
export interface PushState {
  resource: PushResource;
  /**
   * Identifies the last acknowledged batch, in at most 200 characters. For a set it is the hash of its records: the set is sent
   * again when its hash changes. For measurements it names the last row, for people who compare the two sides; the outbox and the
   * walk, never the cursor, say what is still to be sent. The fleet keeps it with the batch, and tells the parts of two sets
   * apart by it.
   */
  cursor: string | null;
  /** A newer set was sent, and nobody knows whether the fleet has accepted it. */
  isUnanswered: boolean;
  /** The size of a batch; null if it is the configured one. */
  batchSize: number | null;
  /** The number of failures in a row. */
  failures: number;
  nextAttemptAt: string | null;
  lastSuccessAt: string | null;
  lastErrorKind: PushErrorKind | null;
  lastError: string | null;
  lastErrorAt: string | null;
  rejectedRows: number;
}

const TRY_LOCK = `SELECT pg_try_advisory_lock(hashtext('monitoring.push_state')) AS "isLocked"`;
const ANSWER = `SELECT true AS "isAlive"`;
const INSERT_STATES = `INSERT INTO monitoring.push_state (resource) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
const LIST_STATES = `SELECT r.resource, s.cursor, coalesce(s.is_unanswered, false) AS "isUnanswered", s.batch_size AS "batchSize",
    coalesce(s.failures, 0) AS failures,
    s.next_attempt_at AS "nextAttemptAt", s.last_success_at AS "lastSuccessAt", s.last_error_kind AS "lastErrorKind",
    s.last_error AS "lastError", s.last_error_at AS "lastErrorAt", coalesce(s.rejected_rows, 0) AS "rejectedRows"
  FROM unnest($1::text[]) WITH ORDINALITY AS r (resource, position)
  LEFT JOIN monitoring.push_state s ON s.resource = r.resource ORDER BY r.position`;
const SET_SENT = `UPDATE monitoring.push_state
  SET cursor = $2, is_unanswered = false, batch_size = $3, failures = 0, next_attempt_at = NULL,
    last_success_at = ${instantOf('$4::bigint')}
  WHERE resource = $1`;
const SET_UNANSWERED = `UPDATE monitoring.push_state SET is_unanswered = true WHERE resource = $1`;
const SET_FAILED = `UPDATE monitoring.push_state
  SET failures = failures + 1, next_attempt_at = ${instantOf('$2::bigint')}, last_error_at = ${instantOf('$3::bigint')},
    last_error_kind = $4, last_error = $5
  WHERE resource = $1`;
const SET_BATCH_SIZE = `UPDATE monitoring.push_state SET batch_size = $2 WHERE resource = $1`;
const ADD_REJECTED = `UPDATE monitoring.push_state
  SET rejected_rows = rejected_rows + $2, last_error_at = ${instantOf('$3::bigint')}, last_error_kind = 'rejected', last_error = $4
  WHERE resource = $1`;
const CLEAR_WAITS = `UPDATE monitoring.push_state SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL`;
const FORGET_STATES = `UPDATE monitoring.push_state
  SET cursor = NULL, is_unanswered = false, batch_size = NULL, failures = 0, next_attempt_at = NULL, last_success_at = NULL`;

/** The state of each resource, in the order in which they are pushed. */
export const listPushStates = (db: Queryable) => listRows<PushState>(db, LIST_STATES, pushResources);

/** Makes sure that each resource has a state to change. */
export const insertPushStates = (db: Queryable) => execute(db, INSERT_STATES, pushResources);

interface Sent {
  resource: PushResource;
  cursor: string;
  batchSize: number | null;
  nowMicros: number;
}

export const setSent = (db: Queryable, { resource, cursor, batchSize, nowMicros }: Sent) =>
  execute(db, SET_SENT, resource, cursor, batchSize, nowMicros);

/** Records that a set was sent. Until an answer arrives, nobody knows which set the fleet has. */
export const setUnanswered = (db: Queryable, resource: PushResource) => execute(db, SET_UNANSWERED, resource);

interface Failed {
  resource: PushResource;
  nextMicros: number;
  error: PushError;
  nowMicros: number;
}

export const setFailed = (db: Queryable, { resource, nextMicros, error, nowMicros }: Failed) =>
  execute(db, SET_FAILED, resource, nextMicros, nowMicros, error.kind, error.text);

export const setBatchSize = (db: Queryable, resource: PushResource, batchSize: number) =>
  execute(db, SET_BATCH_SIZE, resource, batchSize);

interface Rejected {
  resource: PushResource;
  rows: number;
  error: string;
  nowMicros: number;
}

/** Counts rows that the fleet rejects, and stores why. */
export const addRejected = (db: Queryable, { resource, rows, error, nowMicros }: Rejected) =>
  execute(db, ADD_REJECTED, resource, rows, nowMicros, error);

/** Ends all waits, so that every resource can be pushed at once. */
export const clearWaits = (db: Queryable) => execute(db, CLEAR_WAITS);

/** Forgets the state of all resources, because another fleet has nothing yet and may have other limits. */
export const forgetPushStates = (db: Queryable) => execute(db, FORGET_STATES);

/** One portal of a database pushes at a time: true if it is the one of this session, for as long as the session lasts. */
export const tryLockPush = async (session: Session) => (await findValue<boolean>(session, TRY_LOCK)) ?? false;

/** Returns true, or throws if the lock is not held. */
export const isSessionAlive = async (session: Session) => (await findValue<boolean>(session, ANSWER)) ?? false;
