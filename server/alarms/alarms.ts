import { type Alarm, maxListedAlarms, type PendingAlarm } from '../../shared/alarms.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { found, refuse } from '../base/errors.ts';
import { dayMs } from '../base/instants.ts';
import { chosenCustomers, type FleetScope } from '../base/scopes.ts';
import type { Database, Queryable } from '../database/pool.ts';
import { recipientsOf } from './alarm-kinds.rules.ts';
import { findAlarmRule } from './alarm-rules.sql.ts';
import { describeAlarm } from './alarm-text.rules.ts';
import {
  addAlarmEvents,
  countAlarmsBySubject,
  deleteSomeOldAlarms,
  findAlarm,
  isEscalated,
  listAlarms,
  listPendingAlarms,
  lockAlarm,
  setAcknowledged,
  setSnoozed,
  type StoredAlarm,
} from './alarms.sql.ts';
import { addToOutbox } from './outbox.sql.ts';

/** An alarm as in the API. */
export function presentAlarm(stored: StoredAlarm): Alarm {
  const { subjectKind: kind, subjectId: id, subjectName: name, ...alarm } = stored;
  return { ...alarm, subject: { kind, id, name }, text: describeAlarm(stored) };
}

export interface AlarmQuestion {
  state?: Alarm['state'] | 'open' | undefined;
  severity?: Alarm['severity'] | undefined;
  /** Epoch microseconds. */
  fromMicros: number | null;
  toMicros: number | null;
  /** Only alarms about these; null: all. */
  subjectIds?: readonly string[] | null;
  limit?: number;
}

const dateOf = (micros: number | null) => (micros === null ? null : new Date(micros / 1000));

/** The alarms that a user may see, newest first, up to a limit; if more are open, the most severe. */
export async function readAlarms(
  db: Queryable,
  scope: FleetScope,
  { state, severity, fromMicros, toMicros, subjectIds = null, limit = maxListedAlarms }: AlarmQuestion,
): Promise<Alarm[]> {
  const rows = await listAlarms(db, {
    state: state ?? null,
    severity: severity ?? null,
    from: dateOf(fromMicros),
    to: dateOf(toMicros),
    customers: chosenCustomers(scope),
    subjects: subjectIds,
    limit,
  });
  return rows.map(presentAlarm);
}

/** For each subject, how many alarms began to fire in a range (epoch microseconds). */
export const countAlarms = (db: Queryable, fromMicros: number, toMicros: number) =>
  countAlarmsBySubject(db, new Date(fromMicros / 1000), new Date(toMicros / 1000));

/** The alarms that a user may see and that have not fired yet, newest first, up to a limit. */
export const readPendingAlarms = async (db: Queryable, scope: FleetScope): Promise<PendingAlarm[]> =>
  (await listPendingAlarms(db, chosenCustomers(scope), maxListedAlarms)).map(
    ({ subjectKind: kind, subjectId: id, subjectName: name, ...pending }) => ({
      ...pending,
      subject: { kind, id, name },
    }),
  );

interface AlarmChange {
  id: string;
  scope: FleetScope;
  nowMs: number;
}

/**
 * Acknowledges an alarm. The first acknowledgement counts; later ones change nothing. Throws `notFound` if it does not exist or
 * the user may not see it.
 */
export const acknowledgeAlarm = (
  changing: Changing,
  { id, scope, nowMs }: AlarmChange,
  displayName: string,
): Promise<Alarm> =>
  makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockAlarm(tx, id, chosenCustomers(scope)), 'alarm');
    if (before.state !== 'firing') return presentAlarm(before);
    await setAcknowledged(tx, id, new Date(nowMs), displayName);
    await addAlarmEvents(tx, [{ alarmId: id, event: 'acknowledged', atMs: nowMs, value: null }]);
    const rule = await findAlarmRule(tx, before.ruleId);
    const entry = { alarmId: id, event: 'acknowledged', atMs: nowMs } as const;
    const also = (await isEscalated(tx, id)) ? recipientsOf(rule?.escalation) : [];
    const recipients = [...new Set([...recipientsOf(rule), ...also])];
    await addToOutbox(
      tx,
      recipients.map((recipient) => ({ ...entry, recipient })),
    );
    await recordChange('alarm.acknowledge', { id, name: describeAlarm(before) });
    return presentAlarm(found(await findAlarm(tx, id, null), 'alarm'));
  });

const maxSnoozeMs = 30 * dayMs;

/** Mutes an open alarm, and later alarms of its rule and subject. Throws `notFound`, `invalid` and `conflict`. */
export const snoozeAlarm = (changing: Changing, { id, scope, nowMs }: AlarmChange, untilMs: number): Promise<Alarm> =>
  makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockAlarm(tx, id, chosenCustomers(scope)), 'alarm');
    if (untilMs <= nowMs || untilMs > nowMs + maxSnoozeMs) throw refuse('snoozeOutOfRange', {}, { field: 'until' });
    if (before.state === 'resolved') throw refuse('alarmIsOver');
    await setSnoozed(tx, id, new Date(untilMs));
    const after = found(await findAlarm(tx, id, null), 'alarm');
    const shownOf = ({ snoozedUntil }: StoredAlarm) => ({ snoozedUntil });
    await recordChange('alarm.snooze', {
      id,
      name: describeAlarm(before),
      before: shownOf(before),
      after: shownOf(after),
    });
    return presentAlarm(after);
  });

/** Two years. */
const keptMs = 731 * dayMs;
const alarmsAStep = 5_000;

/** Deletes alarms that were resolved more than two years ago, in steps. */
export async function applyAlarmRetention(database: Database, nowMs: number, signal: AbortSignal): Promise<void> {
  while (await deleteSomeOldAlarms(database, new Date(nowMs - keptMs), alarmsAStep)) signal.throwIfAborted();
}
