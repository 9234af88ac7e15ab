import type { FailedMessage } from '../../shared/notifications.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findValue, listRows, listValues } from '../database/rows.ts';

const ADD = `INSERT INTO portal.messages (id, recipient, created_at, next_attempt_at)
  SELECT id, recipient, $3, $3 FROM unnest($1::uuid[], $2::text[]) AS row (id, recipient)`;
// Index messages_due. Reports wait for all others, because each of them takes seconds. The lease keeps other portals from it; a portal that dies gives it back.
const CLAIM = `UPDATE portal.messages SET attempts = attempts + 1, next_attempt_at = $2
  WHERE id IN (SELECT id FROM portal.messages WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= $1
               ORDER BY recipient LIKE 'report:%', next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, attempts, (extract(epoch FROM created_at) * 1000)::float8 AS "createdMs"`;
const SET_SENT = `UPDATE portal.messages SET sent_at = $2, error = NULL WHERE id = $1`;
const SET_RETRIED = `UPDATE portal.messages SET next_attempt_at = $2, error = $3 WHERE id = $1`;
const SET_FAILED = `UPDATE portal.messages SET failed_at = $2, error = $3 WHERE id = $1`;
const DELETE = `DELETE FROM portal.messages WHERE id = $1`;
// Index messages_created_at.
const DELETE_OLD = `DELETE FROM portal.messages WHERE created_at < $1`;
// Index messages_recipient.
const COUNT_SINCE = `SELECT count(*)::integer AS count FROM portal.messages WHERE recipient = $1 AND created_at > $2`;
const COUNT_WAITING = `SELECT count(*)::integer AS count FROM portal.messages
  WHERE sent_at IS NULL AND failed_at IS NULL AND recipient LIKE $1 || ':%'`;
// Index messages_created_at. A message on its first attempt has no error yet, and a sent one has none.
const LIST_FAILED = `SELECT m.id, split_part(m.recipient, ':', 1) AS purpose, m.created_at AS "createdAt", m.error,
    m.failed_at IS NOT NULL AS "isGivenUp",
    coalesce(a.email, w.name, regexp_replace(m.recipient, '^[^:]*:([^/]*/)?', '')) AS recipient
  FROM (SELECT * FROM portal.messages WHERE error IS NOT NULL ORDER BY created_at DESC LIMIT $1) m
  LEFT JOIN portal.browser_subscriptions b ON m.recipient = 'browser:' || b.id
  LEFT JOIN portal.accounts a ON m.recipient IN ('user:' || a.id, 'invite:' || a.id) OR m.recipient LIKE 'report:%/' || a.id
    OR a.id = b.account_id
  LEFT JOIN portal.webhooks w ON m.recipient = 'webhook:' || w.id ORDER BY m.created_at DESC, m.id`;
// Index messages_recipient: recipients with a message in transit, or with enough recent ones.
const LIST_BUSY = `SELECT m.recipient FROM portal.messages m
  WHERE m.recipient = ANY ($1::text[]) AND m.failed_at IS NULL AND (m.sent_at IS NULL OR m.sent_at > $2)
  GROUP BY 1 HAVING bool_or(m.sent_at IS NULL) OR count(*) >= $3`;

export interface NewMessage {
  id: string;
  recipient: string;
}

export const addMessages = (tx: Transaction, messages: readonly NewMessage[], at: Date) =>
  execute(tx, ADD, ...columnsOf(messages, ['id', 'recipient']), at);

export interface ClaimedMessage {
  id: string;
  recipient: string;
  /** Including the attempt that begins now. */
  attempts: number;
  createdMs: number;
}

/** Takes due messages until another instant. */
export const claimMessages = (db: Queryable, now: Date, until: Date, limit: number) =>
  listRows<ClaimedMessage>(db, CLAIM, now, until, limit);

export const setMessageSent = (tx: Transaction, id: string, at: Date) => execute(tx, SET_SENT, id, at);
export const setMessageRetried = (db: Queryable, id: string, next: Date, error: string) =>
  execute(db, SET_RETRIED, id, next, error);
export const setMessageFailed = (tx: Transaction, id: string, at: Date, error: string) =>
  execute(tx, SET_FAILED, id, at, error);
export const deleteMessage = (tx: Transaction, id: string) => execute(tx, DELETE, id);
export const deleteOldMessages = (db: Queryable, before: Date) => execute(db, DELETE_OLD, before);

/** How many messages a recipient got after an instant, sent or not. */
export const countMessagesSince = async (db: Queryable, recipient: string, after: Date) =>
  (await findValue<number>(db, COUNT_SINCE, recipient, after)) ?? 0;

/** How many messages of a purpose are waiting. */
export const countWaitingMessages = async (db: Queryable, purpose: string) =>
  (await findValue<number>(db, COUNT_WAITING, purpose)) ?? 0;

/** The newest messages whose last attempt failed. */
export const listFailedMessages = (db: Queryable, limit: number) => listRows<FailedMessage>(db, LIST_FAILED, limit);

/** The recipients that have an unsent message, or at least `max` that were sent after an instant. */
export const listBusyRecipients = (db: Queryable, recipients: readonly string[], after: Date, max: number) =>
  listValues<string>(db, LIST_BUSY, recipients, after, max);
