import { randomUUIDv7 } from 'node:crypto';
import type { AuditAction } from '../../shared/audit.ts';
import type { Database, Transaction } from '../database/pool.ts';
import type { Actor, Author } from '../base/scopes.ts';
import { dayMs } from '../base/instants.ts';
import { deleteSomeAuditEvents, insertAuditEvent, type NewAuditEvent } from './audit.sql.ts';
import { differenceOf, isNoChange, storable, type Summary } from './audit.rules.ts';

/** The input of a change of a resource. */
export interface Changing<Who extends Actor = Actor> {
  database: Database;
  by: Author<Who>;
}

/** The changed subject. `before` and `after` contain no secrets, and only fields that differ. */
export interface Subject {
  id: string | null;
  /** The name of the subject, as people know it. */
  name?: string | null;
  before?: object | null;
  after?: object | null;
  /** If set, the event is merged with other events that have this summary, and they are counted. */
  summary?: Summary | null;
}

/** Writes an event into the audit trail, in the transaction of the change. Writes none if `before` and `after` are equal. */
export type RecordChange = (action: AuditAction, subject: Subject) => Promise<void>;

/**
 * Runs `work` in a transaction that also contains the events which it records. So a change is never stored without its record,
 * or the other way round. After the commit, each event is written to the log.
 */
export async function makeChange<T>(
  { database, by }: Changing,
  work: (tx: Transaction, recordChange: RecordChange) => Promise<T>,
): Promise<T> {
  // The events of the last attempt only, because `work` runs again after a conflict.
  let lines: object[] = [];
  const result = await database.transaction(async (tx) => {
    lines = [];
    return work(tx, async (action, subject) => {
      const event = eventOf(by.actor, action, subject);
      if (isNoChange(event)) return;
      const eventId = await insertAuditEvent(tx, event, subject.summary?.key ?? null);
      lines.push({ eventId, actor: by.actor, action, subjectId: event.subjectId });
    });
  });
  for (const line of lines) by.log.info(line, 'audited');
  return result;
}

const maxNameLength = 300;
const maxAddressLength = 64;

function eventOf(actor: Actor, action: AuditAction, subject: Subject): NewAuditEvent {
  const { id, name = null, before = null, after = null, summary = null } = subject;
  const source = summary === null && actor.kind !== 'system' ? actor.sourceAddress : (summary?.source ?? null);
  return {
    id: randomUUIDv7(),
    actorKind: actor.kind,
    accountId: actor.kind === 'account' ? actor.accountId : null,
    sourceAddress: source === null ? null : storable(source, maxAddressLength),
    action,
    subjectKind: action.slice(0, action.indexOf('.')),
    subjectId: id,
    subjectName: name === null ? null : storable(name, maxNameLength),
    ...differenceOf(before, after),
  };
}

/** Two years and a day: the database refuses to delete events younger than two years by its own clock. */
const keptMs = 732 * dayMs;
/** Some tenths of a second. */
const eventsAStep = 5_000;

/** Deletes the events of the audit trail that are past their retention, in steps. */
export async function applyAuditRetention(database: Database, nowMs: number, signal: AbortSignal): Promise<void> {
  const before = new Date(nowMs - keptMs);
  while (await deleteSomeAuditEvents(database, before, eventsAStep)) signal.throwIfAborted();
}
