import { randomUUIDv7 } from 'node:crypto';
import type { AuditAction } from '../../shared/audit.ts';
import { found, type Precondition } from '../base/errors.ts';
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

type KindOf<Action> = Action extends `${infer Kind}.delete` ? Kind : never;

/** A kind of records that people change and delete. */
interface Records<Stored> {
  /** As the actions of the audit trail begin. */
  kind: KindOf<AuditAction>;
  what: Parameters<typeof found>[1];
  /** The record, locked until the transaction ends; null if it does not exist. */
  lock: (tx: Transaction, id: string) => Promise<Stored | null>;
  nameOf: (stored: Stored) => string;
  /** What the audit trail shows of a record. */
  shownOf: (stored: Stored) => object;
}

/**
 * Functions that change and delete records: each locks the record, compares its version, and writes the audit trail in the same
 * transaction. They throw `notFound`, and what `checkVersion` throws for the record before the change.
 */
export function changesOf<Stored>({ kind, what, lock, nameOf, shownOf }: Records<Stored>) {
  const begin = async (tx: Transaction, id: string, checkVersion: Precondition<Stored>) => {
    const before = found(await lock(tx, id), what);
    checkVersion(before);
    return { before, subject: { id, name: nameOf(before), before: shownOf(before) } };
  };
  return {
    changer:
      <Values>(change: (tx: Transaction, id: string, values: Values, before: Stored) => Promise<Stored>) =>
      (changing: Changing, id: string, values: Values, checkVersion: Precondition<Stored>): Promise<Stored> =>
        makeChange(changing, async (tx, recordChange) => {
          const { before, subject } = await begin(tx, id, checkVersion);
          const after = await change(tx, id, values, before);
          await recordChange(`${kind}.change`, { ...subject, after: shownOf(after) });
          return after;
        }),
    /** `remove` may record more. */
    remover:
      (remove: (tx: Transaction, id: string, recordChange: RecordChange) => Promise<unknown>) =>
      (changing: Changing, id: string, checkVersion: Precondition<Stored>): Promise<void> =>
        makeChange(changing, async (tx, recordChange) => {
          const { subject } = await begin(tx, id, checkVersion);
          await remove(tx, id, recordChange);
          await recordChange(`${kind}.delete`, subject);
        }),
  };
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
