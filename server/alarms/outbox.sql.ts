import type { Queryable, Transaction } from '../database/pool.ts';
import { columnsOf, execute, findValue, listRows } from '../database/rows.ts';
import type { OutboxEntry } from './alarm-changes.rules.ts';
import { administrators } from './alarm-kinds.rules.ts';
import { alarmColumns, type StoredAlarm } from './alarms.sql.ts';

// The mail address of an account counts as the account itself. So one person is notified once, according to their own choices
// and rights. Uses index accounts_email_key. A role stands for everyone who has it now.
// The browsers of an account are recipients of their own.
const ADD = `WITH told AS (SELECT CASE WHEN a.id IS NULL THEN row.recipient ELSE 'user:' || a.id END AS recipient, alarm_id, event,
    to_timestamp(at / 1000.0) AS occurred_at
  FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[]) AS row (recipient, alarm_id, event, at)
  LEFT JOIN portal.accounts a ON row.recipient LIKE 'email:%' AND lower(a.email) = lower(substr(row.recipient, 7))
    OR row.recipient = '${administrators}' AND 'Admin' = ANY (a.roles)
  WHERE a.id IS NOT NULL OR row.recipient <> '${administrators}')
  INSERT INTO portal.alarm_outbox (recipient, alarm_id, event, occurred_at)
  SELECT recipient, alarm_id, event, occurred_at FROM told
  UNION SELECT 'browser:' || b.id, alarm_id, event, occurred_at FROM told
  JOIN portal.browser_subscriptions b ON told.recipient LIKE 'user:%' AND told.recipient = 'user:' || b.account_id
  ON CONFLICT DO NOTHING`;
// Only one portal at a time turns events into messages, so each event ends up in exactly one message.
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('portal.alarm_outbox'))`;
// The oldest events of each recipient, up to the limit for that kind of recipient.
const LIST_WAITING = `SELECT recipient, array_agg(alarm_id || ' ' || event ORDER BY occurred_at) AS keys,
    bool_or(severity = 'critical') AS "isCritical"
  FROM (SELECT o.*, a.severity, row_number() OVER (PARTITION BY o.recipient ORDER BY o.occurred_at) AS place
        FROM portal.alarm_outbox o JOIN portal.alarms a ON a.id = o.alarm_id WHERE o.message_id IS NULL) waiting
  WHERE place <= CASE WHEN recipient LIKE 'webhook:%' THEN $1::integer ELSE $2::integer END GROUP BY recipient`;
const ASSIGN = `UPDATE portal.alarm_outbox SET message_id = $1
  WHERE recipient = $2 AND message_id IS NULL AND (alarm_id || ' ' || event) = ANY ($3::text[])`;
// Index alarm_outbox_message_id.
const LIST_EVENTS = `SELECT o.event, o.occurred_at AS "occurredAt", a.*
  FROM portal.alarm_outbox o JOIN LATERAL (SELECT ${alarmColumns} FROM portal.alarms WHERE id = o.alarm_id) a ON true
  WHERE o.message_id = $1 ORDER BY o.occurred_at, o.alarm_id`;
const DELETE_EVENTS = `DELETE FROM portal.alarm_outbox WHERE message_id = $1`;
const DELETE_MAILED = `DELETE FROM portal.alarm_outbox WHERE message_id IS NULL AND recipient NOT SIMILAR TO '(webhook|browser):%'`;
const FIND_AGE = `SELECT extract(epoch FROM $1 - min(occurred_at))::float8 AS age FROM portal.alarm_outbox`;
// Primary key of devices.
const LIST_SITES = `SELECT id AS "deviceId", site_id AS "siteId" FROM monitoring.devices WHERE id = ANY ($1::uuid[])`;

/** Adds events in the transaction that changes the alarms. Each recipient gets each event of an alarm only once. */
export const addToOutbox = (tx: Transaction, entries: readonly OutboxEntry[]) =>
  execute(tx, ADD, ...columnsOf(entries, ['recipient', 'alarmId', 'event', 'atMs']));

export interface WaitingEvents {
  recipient: string;
  keys: string[];
  isCritical: boolean;
}

/** The waiting events of each recipient. Until the end of the transaction only this portal gets them. */
export async function lockWaitingEvents(tx: Transaction, maxOfWebhook: number, maxOfPerson: number) {
  await execute(tx, LOCK);
  return listRows<WaitingEvents>(tx, LIST_WAITING, maxOfWebhook, maxOfPerson);
}

/** Puts waiting events into a message. */
export const assignEvents = (tx: Transaction, messageId: string, { recipient, keys }: WaitingEvents) =>
  execute(tx, ASSIGN, messageId, recipient, keys);

/** Deletes the events for mails that no message has yet. */
export const deleteMailedEvents = (tx: Transaction) => execute(tx, DELETE_MAILED);

export type MessageEvent = StoredAlarm & { event: OutboxEntry['event']; occurredAt: string };

/** The events in a message, in the order in which they happened. */
export const listMessageEvents = (db: Queryable, id: string) => listRows<MessageEvent>(db, LIST_EVENTS, id);

/** Deletes the events of a message that was sent or given up. */
export const deleteMessageEvents = (tx: Transaction, id: string) => execute(tx, DELETE_EVENTS, id);

/** The site of each device. */
export const listSitesOfDevices = async (db: Queryable, ids: readonly string[]) =>
  new Map(
    (await listRows<{ deviceId: string; siteId: string }>(db, LIST_SITES, ids)).map((row) => [
      row.deviceId,
      row.siteId,
    ]),
  );

/** Seconds since the oldest waiting event; null without one. */
export const findOutboxAge = (db: Queryable, now: Date) => findValue<number>(db, FIND_AGE, now);
