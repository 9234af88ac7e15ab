import type { AlarmRule, AlarmSubject } from '../../shared/alarms.ts';
import { recipientsOf } from './alarm-kinds.rules.ts';
import { advance, type Episode, type Judged } from './alarm-states.rules.ts';

/** A subject of a rule, and what its current figures say about the condition. */
export interface Finding {
  rule: AlarmRule;
  subject: AlarmSubject;
  timeZone: string;
  unit: string | null;
  /** How long the condition must last in addition to the duration of the rule. */
  holdSeconds?: number;
  judged: Judged[];
}

/** The subject of alarms about the portal itself. */
export const portalId = '00000000-0000-0000-0000-000000000000';

/** Identifies an alarm by its rule and its subject. */
export interface AlarmKey {
  ruleId: string;
  subjectKind: AlarmSubject['kind'];
  subjectId: string;
}

/** Instants in epoch milliseconds. */
export interface OpenAlarm extends AlarmKey {
  id: string;
  kind: string;
  sinceMs: number;
  firingAtMs: number | null;
  snoozedUntilMs: number | null;
  value: number | null;
  isAcknowledged: boolean;
  isEscalated: boolean;
}

/** The last end of an alarm. */
export interface ResolvedAlarm extends AlarmKey {
  resolvedAtMs: number;
  snoozedUntilMs: number | null;
}

export interface AlarmRow extends Omit<OpenAlarm, 'isAcknowledged' | 'isEscalated'> {
  ruleName: string;
  severity: string;
  subjectName: string;
  resolvedAtMs: number | null;
  unit: string | null;
}

export interface AlarmEvent {
  alarmId: string;
  event: 'firing' | 'escalated' | 'acknowledged' | 'resolved';
  atMs: number;
  value: number | null;
}

export interface OutboxEntry extends Pick<AlarmEvent, 'alarmId' | 'event' | 'atMs'> {
  recipient: string;
}

export interface AlarmChanges {
  /** The alarms that are new or have changed. */
  rows: AlarmRow[];
  events: AlarmEvent[];
  /** Ids of pending alarms whose condition ended before they fired; they are deleted. */
  gone: string[];
  /** Ids of alarms whose rule or subject no longer exists. */
  ended: string[];
  told: OutboxEntry[];
}

export const keyOf = ({ ruleId, subjectKind, subjectId }: AlarmKey) => `${ruleId} ${subjectKind} ${subjectId}`;

interface Judging {
  findings: readonly Finding[];
  open: readonly OpenAlarm[];
  resolved: readonly ResolvedAlarm[];
  /** All rules by id, the inactive ones included. */
  rules: ReadonlyMap<string, AlarmRule>;
  nowMs: number;
  newId: () => string;
}

/** What the findings change; open alarms without a finding end. */
export function changesOf({ findings, open, resolved: lastResolved, rules, nowMs, newId }: Judging): AlarmChanges {
  const openAlarms = new Map(open.map((alarm) => [keyOf(alarm), alarm]));
  const resolved = new Map(lastResolved.map((alarm) => [keyOf(alarm), alarm]));
  const changes: AlarmChanges = { rows: [], events: [], gone: [], ended: [], told: [] };
  const { rows, events, gone, ended, told } = changes;
  const tell = (
    rule: AlarmRule | undefined,
    alarm: (Pick<OpenAlarm, 'snoozedUntilMs'> & Partial<OpenAlarm>) | undefined,
    happened: readonly AlarmEvent[],
  ) => {
    if ((alarm?.snoozedUntilMs ?? 0) > nowMs) return;
    const also = alarm?.isEscalated === true ? recipientsOf(rule?.escalation) : [];
    for (const recipient of new Set([...recipientsOf(rule), ...also])) {
      told.push(...happened.map(({ alarmId, event, atMs }) => ({ alarmId, event, atMs, recipient })));
    }
  };
  const left = new Map(openAlarms);
  for (const { rule, subject, timeZone, unit, holdSeconds = 0, judged } of findings) {
    const key = { ruleId: rule.id, subjectKind: subject.kind, subjectId: subject.id ?? portalId };
    const before = openAlarms.get(keyOf(key));
    if (before?.kind === rule.kind) left.delete(keyOf(key));
    else if (before !== undefined || !judged.some(({ verdict }) => verdict === 'bad')) continue;
    const patience = { holdMs: (rule.durationSeconds + holdSeconds) * 1000, schedule: rule.schedule, timeZone };
    const last = resolved.get(keyOf(key));
    const episodes = advance(before === undefined ? null : episodeOf(before), judged, patience, last?.resolvedAtMs);
    const isBefore = ({ sinceMs }: Episode) => before !== undefined && sinceMs === before.sinceMs;
    if (before !== undefined && !episodes.some(isBefore)) gone.push(before.id);
    for (const episode of episodes) {
      const { firingAtMs, resolvedAtMs, value, resolvedValue } = episode;
      const known = isBefore(episode) ? before : undefined;
      const fires = firingAtMs !== null && (known?.firingAtMs ?? null) === null;
      if (known !== undefined && !fires && resolvedAtMs === null) continue;
      const id = known?.id ?? newId();
      rows.push({
        ...key,
        ...episode,
        id,
        ruleName: rule.name,
        kind: rule.kind,
        severity: rule.severity,
        subjectName: subject.name,
        snoozedUntilMs: (known ?? last)?.snoozedUntilMs ?? null,
        unit,
      });
      const happened: AlarmEvent[] = [
        ...(fires ? [{ alarmId: id, event: 'firing', atMs: firingAtMs, value } as const] : []),
        ...(resolvedAtMs === null
          ? []
          : [{ alarmId: id, event: 'resolved', atMs: resolvedAtMs, value: resolvedValue } as const]),
      ];
      events.push(...happened);
      tell(rule, known ?? last, happened);
    }
  }
  for (const alarm of left.values()) {
    const { id, firingAtMs, ruleId } = alarm;
    if (firingAtMs === null) gone.push(id);
    else {
      ended.push(id);
      const happened: AlarmEvent = { alarmId: id, event: 'resolved', atMs: nowMs, value: null };
      events.push(happened);
      tell(rules.get(ruleId), alarm, [happened]);
    }
  }
  const over = new Set([
    ...gone,
    ...ended,
    ...rows.flatMap(({ id, resolvedAtMs }) => (resolvedAtMs === null ? [] : [id])),
  ]);
  for (const alarm of open) if (!over.has(alarm.id)) escalate(changes, alarm, rules.get(alarm.ruleId), nowMs);
  return changes;
}

/** Notifies further recipients once if nobody has acknowledged an alarm in time. */
function escalate(
  { events, told }: AlarmChanges,
  { id, firingAtMs, value, snoozedUntilMs, isAcknowledged, isEscalated }: OpenAlarm,
  rule: AlarmRule | undefined,
  nowMs: number,
): void {
  const escalation = rule?.escalation ?? null;
  if (escalation === null || firingAtMs === null || isAcknowledged || isEscalated) return;
  const atMs = firingAtMs + escalation.afterSeconds * 1000;
  if (atMs > nowMs || (snoozedUntilMs ?? 0) > nowMs) return;
  events.push({ alarmId: id, event: 'escalated', atMs, value });
  for (const recipient of recipientsOf(escalation)) told.push({ alarmId: id, event: 'escalated', atMs, recipient });
}

const episodeOf = ({ sinceMs, firingAtMs, value }: OpenAlarm): Episode => ({
  sinceMs,
  firingAtMs,
  resolvedAtMs: null,
  value,
  resolvedValue: null,
});
