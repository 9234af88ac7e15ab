import type { Alarm, PendingAlarm } from '../../shared/alarms.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, columnsOf, execute, findRow, findValue, listRows } from '../database/rows.ts';
import { type AlarmEvent, type AlarmRow, type OpenAlarm, portalId, type ResolvedAlarm } from './alarm-changes.rules.ts';

// The lock lasts until the end of the transaction, so two portals on one database never evaluate at the same time.
const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('portal.alarms')) AS "isLocked"`;
const millis = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
// Index alarms_open_key; primary key of alarm_events.
const LIST_OPEN = `SELECT id, rule_id AS "ruleId", kind, subject_kind AS "subjectKind", subject_id AS "subjectId", value,
    ${millis('pending_since')} AS "sinceMs", ${millis('firing_at')} AS "firingAtMs", ${millis('snoozed_until')} AS "snoozedUntilMs",
    acknowledged_at IS NOT NULL AS "isAcknowledged",
    EXISTS (SELECT FROM portal.alarm_events WHERE alarm_id = id AND event = 'escalated') AS "isEscalated"
  FROM portal.alarms WHERE resolved_at IS NULL`;
// Index alarms_resolved_at.
const LIST_RESOLVED = `SELECT rule_id AS "ruleId", subject_kind AS "subjectKind", subject_id AS "subjectId",
    max(${millis('resolved_at')}) AS "resolvedAtMs", max(${millis('snoozed_until')}) AS "snoozedUntilMs"
  FROM portal.alarms WHERE resolved_at > $1 GROUP BY 1, 2, 3`;
const instant = (ms: string) => `to_timestamp(${ms} / 1000.0)`;
const PUT = `INSERT INTO portal.alarms AS a
    (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at, resolved_at,
     snoozed_until, value, unit)
  SELECT id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, ${instant('since')}, ${instant('firing')},
    ${instant('resolved')}, ${instant('snoozed')}, value, unit
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::float8[],
              $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::text[])
    AS row (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, since, firing, resolved, snoozed, value, unit)
  ON CONFLICT (id) DO UPDATE SET firing_at = excluded.firing_at, resolved_at = excluded.resolved_at, value = excluded.value,
    rule_name = excluded.rule_name, severity = excluded.severity,
    unit = CASE WHEN a.firing_at IS NULL THEN excluded.unit ELSE a.unit END`;
const DELETE = `DELETE FROM portal.alarms WHERE id = ANY ($1::uuid[])`;
const RESOLVE = `UPDATE portal.alarms SET resolved_at = greatest(${instant('$2::float8')}, firing_at) WHERE id = ANY ($1::uuid[])`;
const ADD_EVENTS = `INSERT INTO portal.alarm_events (alarm_id, event, occurred_at, value)
  SELECT alarm_id, event, ${instant('at')}, value FROM unnest($1::uuid[], $2::text[], $3::float8[], $4::float8[])
    AS row (alarm_id, event, at, value)
  ON CONFLICT DO NOTHING`;
export const alarmColumns = `id, rule_id AS "ruleId", rule_name AS "ruleName", kind, severity,
    CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'firing' END AS state,
    subject_kind AS "subjectKind", nullif(subject_id, '${portalId}') AS "subjectId", subject_name AS "subjectName",
    firing_at AS "firingAt", acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy",
    snoozed_until AS "snoozedUntil", resolved_at AS "resolvedAt", value, unit`;
const isSeen = (customers: string) =>
  `(${customers}::uuid[] IS NULL OR (subject_kind = 'customer' AND subject_id = ANY (${customers}::uuid[])))`;
// Uses index alarms_firing_at, newest first, until the limit is reached; alarms_open_key if only open alarms are requested.
// `customers` null means all customers, `subjects` null all subjects.
const newestFirst = `ORDER BY "firingAt" DESC, id DESC`;
const listOf = (alarms: string, limited: string) => `SELECT * FROM (SELECT ${alarmColumns} FROM portal.alarms
    WHERE firing_at IS NOT NULL AND ${alarms} AND ${isSeen('$5')} AND ($7::uuid[] IS NULL OR subject_id = ANY ($7))) a
  WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR severity = $2)
    AND ($3::timestamptz IS NULL OR "resolvedAt" IS NULL OR "resolvedAt" >= $3)
    AND ($4::timestamptz IS NULL OR "firingAt" < $4)
  ${limited} LIMIT $6`;
const LIST = listOf('true', newestFirst);
// Newer alarms never push more severe ones out of the list.
const LIST_STILL_OPEN = `SELECT * FROM (${listOf(
  'resolved_at IS NULL',
  `ORDER BY array_position(ARRAY['critical', 'warning', 'info'], severity), "firingAt" DESC, id DESC`,
)}) limited ${newestFirst}`;
// Index alarms_firing_at.
const COUNT_BY_SUBJECT = `SELECT nullif(subject_id, '${portalId}') AS "subjectId", count(*)::integer AS count
  FROM portal.alarms WHERE firing_at >= $1 AND firing_at < $2 GROUP BY 1`;
// Index alarms_open_key.
const LIST_PENDING = `SELECT id, rule_id AS "ruleId", rule_name AS "ruleName", kind, severity, subject_kind AS "subjectKind",
    nullif(subject_id, '${portalId}') AS "subjectId", subject_name AS "subjectName", pending_since AS since
  FROM portal.alarms WHERE resolved_at IS NULL AND firing_at IS NULL AND ${isSeen('$1')}
  ORDER BY pending_since DESC, id DESC LIMIT $2`;
const FIND = `SELECT ${alarmColumns} FROM portal.alarms WHERE id = $1 AND firing_at IS NOT NULL AND ${isSeen('$2')}`;
const ACKNOWLEDGE = `UPDATE portal.alarms SET acknowledged_at = $2, acknowledged_by = $3 WHERE id = $1`;
// Primary key of alarm_events.
const IS_ESCALATED = `SELECT EXISTS (SELECT FROM portal.alarm_events WHERE alarm_id = $1 AND event = 'escalated')`;
const SNOOZE = `UPDATE portal.alarms SET snoozed_until = $2 WHERE id = $1`;
// Index alarms_open_key.
const COUNT_OPEN = `SELECT severity, CASE WHEN acknowledged_at IS NULL THEN 'firing' ELSE 'acknowledged' END AS state,
    count(*)::integer AS count
  FROM portal.alarms WHERE resolved_at IS NULL AND firing_at IS NOT NULL GROUP BY 1, 2`;
// Index alarms_resolved_at.
const DELETE_OLD = `WITH old AS (SELECT id FROM portal.alarms WHERE resolved_at < $1 ORDER BY resolved_at LIMIT $2)
  DELETE FROM portal.alarms a USING old WHERE a.id = old.id`;

/** True for one portal of a database at a time, until the transaction ends. */
export const tryLockAlarms = async (tx: Transaction) => (await findValue<boolean>(tx, TRY_LOCK)) ?? false;

/** The open alarms, including pending ones, in no order. */
export const listOpenAlarms = (db: Queryable) => listRows<OpenAlarm>(db, LIST_OPEN);

/** For each rule and subject, when its last alarm ended; only alarms that were resolved after an instant. */
export const listResolvedAlarms = (db: Queryable, after: Date) => listRows<ResolvedAlarm>(db, LIST_RESOLVED, after);

/** Adds alarms, or writes their changes. */
export const putAlarms = (tx: Transaction, rows: readonly AlarmRow[]) =>
  execute(
    tx,
    PUT,
    ...columnsOf(rows, [
      'id',
      'ruleId',
      'ruleName',
      'kind',
      'severity',
      'subjectKind',
      'subjectId',
      'subjectName',
      'sinceMs',
      'firingAtMs',
      'resolvedAtMs',
      'snoozedUntilMs',
      'value',
      'unit',
    ]),
  );

export const deleteAlarms = (tx: Transaction, ids: readonly string[]) => execute(tx, DELETE, ids);

/** Ends alarms whose rule or subject no longer exists. */
export const resolveAlarms = (tx: Transaction, ids: readonly string[], atMs: number) => execute(tx, RESOLVE, ids, atMs);

/** Records each event of an alarm once. */
export const addAlarmEvents = (tx: Transaction, events: readonly AlarmEvent[]) =>
  execute(tx, ADD_EVENTS, ...columnsOf(events, ['alarmId', 'event', 'atMs', 'value']));

export interface StoredAlarm extends Omit<Alarm, 'subject' | 'text'> {
  subjectKind: Alarm['subject']['kind'];
  subjectId: string | null;
  subjectName: string;
}

interface AlarmFilter {
  state: string | null;
  severity: string | null;
  from: Date | null;
  to: Date | null;
  customers: readonly string[] | null;
  subjects: readonly string[] | null;
  limit: number;
}

/** The alarms that have fired, newest first. */
export const listAlarms = (db: Queryable, { state, severity, from, to, customers, subjects, limit }: AlarmFilter) =>
  listRows<StoredAlarm>(
    db,
    state === null || state === 'resolved' ? LIST : LIST_STILL_OPEN,
    state === 'open' ? null : state,
    severity,
    from,
    to,
    customers,
    limit,
    subjects,
  );

/** For each subject, how many alarms began to fire in a range. */
export const countAlarmsBySubject = (db: Queryable, from: Date, to: Date) =>
  listRows<{ subjectId: string | null; count: number }>(db, COUNT_BY_SUBJECT, from, to);

type StoredPending = Omit<PendingAlarm, 'subject'> & Pick<StoredAlarm, 'subjectKind' | 'subjectId' | 'subjectName'>;

/** The alarms that have not fired yet, newest first. */
export const listPendingAlarms = (db: Queryable, customers: readonly string[] | null, limit: number) =>
  listRows<StoredPending>(db, LIST_PENDING, customers, limit);

/** Null if it does not exist or these customers (null: all) may not see it. */
export const findAlarm = (db: Queryable, id: string, customers: readonly string[] | null) =>
  findRow<StoredAlarm>(db, FIND, id, customers);

/** The same alarm, locked until the transaction ends. */
export const lockAlarm = (tx: Transaction, id: string, customers: readonly string[] | null) =>
  findRow<StoredAlarm>(tx, `${FIND} FOR UPDATE`, id, customers);

export const setAcknowledged = (tx: Transaction, id: string, at: Date, by: string) =>
  execute(tx, ACKNOWLEDGE, id, at, by);

/** Whether further recipients have been notified because nobody acknowledged the alarm in time. */
export const isEscalated = async (db: Queryable, id: string) =>
  (await findValue<boolean>(db, IS_ESCALATED, id)) ?? false;

export const setSnoozed = (tx: Transaction, id: string, until: Date) => execute(tx, SNOOZE, id, until);

/** The number of open alarms by severity and state. */
export const countOpenAlarms = (db: Queryable) =>
  listRows<{ severity: string; state: string; count: number }>(db, COUNT_OPEN);

/** Deletes some alarms that were resolved before an instant. False once none is left. */
export const deleteSomeOldAlarms = (db: Queryable, before: Date, limit: number) =>
  affectsRows(db, DELETE_OLD, before, limit);
