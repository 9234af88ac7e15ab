import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findValue, listRows } from '../database/rows.ts';
import { alarmColumns, type StoredAlarm } from './alarms.sql.ts';

const ADD = `INSERT INTO portal.alarm_outbox (recipient, alarm_id, event, occurred_at)
  SELECT recipient, alarm_id, event, to_timestamp(at / 1000.0)
  FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[]) AS row (recipient, alarm_id, event, at)
  ON CONFLICT DO NOTHING`;
// Portals make messages one after the other, so that an event is in one of them.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('portal.alarm_outbox'))`;
// Of each recipient the oldest events, up to a limit.
const LIST_WAITING = `SELECT recipient, array_agg(alarm_id || ' ' || event ORDER BY occurred_at) AS keys
  FROM (SELECT *, row_number() OVER (PARTITION BY recipient ORDER BY occurred_at) AS place
        FROM portal.alarm_outbox WHERE message_id IS NULL) waiting
  WHERE place <= $1 GROUP BY recipient`;
const ADD_MESSAGES = `INSERT INTO portal.alarm_messages (id, recipient, created_at, next_attempt_at)
  SELECT id, recipient, $3, $3 FROM unnest($1::uuid[], $2::text[]) AS row (id, recipient)`;
const ASSIGN = `UPDATE portal.alarm_outbox SET message_id = $1
  WHERE recipient = $2 AND message_id IS NULL AND (alarm_id || ' ' || event) = ANY ($3::text[])`;
// Index alarm_messages_due. The lease keeps other portals from it; a portal that dies gives it back.
const CLAIM = `UPDATE portal.alarm_messages SET attempts = attempts + 1, next_attempt_at = $2
  WHERE id IN (SELECT id FROM portal.alarm_messages WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1
               ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, attempts, (extract(epoch FROM created_at) * 1000)::float8 AS "createdMs"`;
// Index alarm_outbox_message_id.
const LIST_EVENTS = `SELECT o.event, o.occurred_at AS "occurredAt", a.*
  FROM portal.alarm_outbox o JOIN LATERAL (SELECT ${alarmColumns} FROM portal.alarms WHERE id = o.alarm_id) a ON true
  WHERE o.message_id = $1 ORDER BY o.occurred_at, o.alarm_id`;
const SET_SENT = `UPDATE portal.alarm_messages SET sent_at = $2, error = NULL WHERE id = $1`;
const SET_RETRIED = `UPDATE portal.alarm_messages SET next_attempt_at = $2, error = $3 WHERE id = $1`;
const SET_FAILED = `UPDATE portal.alarm_messages SET failed_at = $2, error = $3 WHERE id = $1`;
const DELETE_EVENTS = `DELETE FROM portal.alarm_outbox WHERE message_id = $1`;
// Index alarm_messages_created_at.
const DELETE_OLD = `DELETE FROM portal.alarm_messages WHERE created_at < $1`;
const FIND_AGE = `SELECT extract(epoch FROM $1 - min(occurred_at))::float8 AS age FROM portal.alarm_outbox`;

export interface OutboxEntry {
  recipient: string;
  alarmId: string;
  event: 'firing' | 'acknowledged' | 'resolved';
  atMs: number;
}

/** In the transaction of the state change; each event of an alarm once a recipient. */
export const addToOutbox = (tx: Transaction, entries: readonly OutboxEntry[]) =>
  execute(tx, ADD, ...columnsOf(entries, ['recipient', 'alarmId', 'event', 'atMs']));

/** Makes a message of what waits for each recipient, at most so many events. */
export async function makeMessages(tx: Transaction, maxEvents: number, newId: () => string, at: Date): Promise<void> {
  await execute(tx, LOCK);
  const waiting = await listRows<{ recipient: string; keys: string[] }>(tx, LIST_WAITING, maxEvents);
  if (waiting.length === 0) return;
  const made = waiting.map((one) => ({ ...one, id: newId() }));
  await execute(tx, ADD_MESSAGES, ...columnsOf(made, ['id', 'recipient']), at);
  for (const { id, recipient, keys } of made) await execute(tx, ASSIGN, id, recipient, keys);
}

export interface ClaimedMessage {
  id: string;
  recipient: string;
  /** With the one that begins. */
  attempts: number;
  createdMs: number;
}

/** Takes due messages until another instant. */
export const claimMessages = (db: Queryable, now: Date, until: Date, limit: number) =>
  listRows<ClaimedMessage>(db, CLAIM, now, until, limit);

type MessageEvent = StoredAlarm & { event: OutboxEntry['event']; occurredAt: string };

/** What a message is about, in the order in which it happened. */
export const listMessageEvents = (db: Queryable, id: string) => listRows<MessageEvent>(db, LIST_EVENTS, id);

export const setMessageSent = async (tx: Transaction, id: string, at: Date): Promise<void> => {
  await execute(tx, SET_SENT, id, at);
  await execute(tx, DELETE_EVENTS, id);
};

export const setMessageRetried = (db: Queryable, id: string, next: Date, error: string) =>
  execute(db, SET_RETRIED, id, next, error);

export const setMessageFailed = async (tx: Transaction, id: string, at: Date, error: string): Promise<void> => {
  await execute(tx, SET_FAILED, id, at, error);
  await execute(tx, DELETE_EVENTS, id);
};

export const deleteOldMessages = (db: Queryable, before: Date) => execute(db, DELETE_OLD, before);

/** Seconds since the oldest waiting event; null without one. */
export const findOutboxAge = (db: Queryable, now: Date) => findValue<number>(db, FIND_AGE, now);
