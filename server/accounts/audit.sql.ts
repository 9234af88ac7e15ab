import type { z } from 'zod';
import type { AuditEvent, auditQuery } from '../../shared/audit.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, findRow, listRows, valuesOf } from '../database/rows.ts';

/** An event before it is written; the database sets its time. */
export type NewAuditEvent = Omit<AuditEvent, 'occurredAt' | 'accountEmail' | 'attempts'>;

/** Omitted fields match everything. Instants are half-open. */
type AuditFilter = Omit<z.infer<typeof auditQuery>, 'limit' | 'cursor'>;

/** The position of an event in chronological order. */
export type AuditPlace = Pick<AuditEvent, 'occurredAt' | 'id'>;

// Stores the email that the account has now, because the account may be changed or deleted later. Index
// audit_events_summary_key: an event without a summary never conflicts.
const INSERT = `INSERT INTO portal.audit_events (id, actor_kind, account_id, source_address, action, subject_kind, subject_id,
    subject_name, before, after, account_email, summary_key)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT email FROM portal.accounts WHERE id = $3), $11)
  ON CONFLICT (summary_key) DO UPDATE SET attempts = audit_events.attempts + 1
  RETURNING id`;
// Each filter has an index that ends with (occurred_at, id). A text is searched only in rows that match the other filters. Not
// prepared, because the plan depends on the filters.
const LIST = `SELECT id, occurred_at AS "occurredAt", actor_kind AS "actorKind", account_id AS "accountId", account_email AS "accountEmail", source_address AS "sourceAddress",
    action, subject_kind AS "subjectKind", subject_id AS "subjectId", subject_name AS "subjectName", before, after, attempts
  FROM portal.audit_events
  WHERE ($1::text IS NULL OR action = $1) AND ($2::text IS NULL OR subject_kind = $2)
    AND ($3::uuid IS NULL OR account_id = $3) AND ($4::uuid IS NULL OR subject_id = $4)
    AND ($5::timestamptz IS NULL OR occurred_at >= $5) AND ($6::timestamptz IS NULL OR occurred_at < $6)
    AND ($7::text IS NULL OR strpos(lower(concat_ws(E'\\n', account_email, subject_name, source_address)), lower($7)) > 0)
    AND ($8::timestamptz IS NULL OR (occurred_at, id) < ($8, $9::uuid))
  ORDER BY occurred_at DESC, id DESC LIMIT $10`;
// Index audit_events_occurred_at.
const DELETE_SOME = `DELETE FROM portal.audit_events WHERE id IN (
  SELECT id FROM portal.audit_events WHERE occurred_at < $1 ORDER BY occurred_at, id LIMIT $2)`;

const newColumns = [
  'id',
  'actorKind',
  'accountId',
  'sourceAddress',
  'action',
  'subjectKind',
  'subjectId',
  'subjectName',
  'before',
  'after',
] as const;

/** Writes the event, or adds an attempt to the one with the same key; returns its id. */
export async function insertAuditEvent(
  tx: Transaction,
  event: NewAuditEvent,
  summaryKey: string | null,
): Promise<string> {
  const row = await findRow<{ id: string }>(tx, INSERT, ...valuesOf(event, newColumns), summaryKey);
  if (row === null) throw new Error('INSERT returned no event.');
  return row.id;
}

/** Events, newest first, beginning after the position `after`. */
export const listAuditEvents = (db: Queryable, filter: AuditFilter, after: AuditPlace | null, limit: number) =>
  listRows<AuditEvent>(
    db,
    LIST,
    ...valuesOf(filter, ['action', 'subjectKind', 'accountId', 'subjectId', 'from', 'to', 'text']),
    after?.occurredAt ?? null,
    after?.id ?? null,
    limit,
  );

export const deleteSomeAuditEvents = (db: Queryable, before: Date, limit: number) =>
  affectsRows(db, DELETE_SOME, before, limit);
