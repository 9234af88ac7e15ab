import { randomUUIDv7 } from 'node:crypto';
import type { AlarmKind, AlarmRule, AlarmRuleWrite, AlarmSubject } from '../../shared/alarms.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { allCustomers } from '../base/scopes.ts';
import { readSeenCustomers } from '../fleet/customers.ts';
import { judgeCustomer } from '../fleet/fleet-trouble.rules.ts';
import { countPushFailures } from '../push/push.ts';
import { type AlarmChanges, changesOf, type Finding } from './alarm-changes.rules.ts';
import { listUsedKeys } from './alarm-figures.sql.ts';
import { isOfScope, judgeFigure, judgeSilence, judgeSince } from './alarm-kinds.rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';
import type { Judged } from './alarm-states.rules.ts';
import {
  addAlarmEvents,
  deleteAlarms,
  listOpenAlarms,
  listResolvedAlarms,
  putAlarms,
  resolveAlarms,
  tryLockAlarms,
} from './alarms.sql.ts';
import { createDeviceFindings, ofKind, type Round, type RuleOf, storedReads } from './device-findings.ts';
import type { EnergyFigures } from './energy-figures.ts';
import { addToOutbox } from './outbox.sql.ts';

export interface EvaluationParts {
  database: Database;
  runMode: 'Client' | 'Admin';
  /** The time zone of subjects without a site. */
  timeZone: string;
  /** The latest report figures; none in an Admin. */
  figures?: Pick<EnergyFigures, 'findingsOf'>;
  /** Whether this Client pushes to a fleet. */
  pushes: boolean;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Alarms that were resolved longer ago do not matter for current figures. */
const recentlyMs = 3 * 86_400_000;

/**
 * Evaluates the rules now and writes the results in one transaction. Imported history and late rows never cause an alarm,
 * because only current readings count. Returns the number of changed alarms, or null while another portal on the database
 * evaluates.
 */
export function createEvaluation({ database, runMode, timeZone, pushes, now, figures }: EvaluationParts) {
  const findOfDevices = createDeviceFindings(storedReads);

  return async (): Promise<number | null> => {
    const nowMs = now();
    let noteJudged = () => {};
    const customers = runMode === 'Admin' ? await readSeenCustomers(database, allCustomers) : [];
    const changed = await database.transaction(async (tx) => {
      if (!(await tryLockAlarms(tx))) return null;
      const all = await listAlarmRules(tx);
      const rules = all.filter(({ isActive }) => isActive);
      const open = await listOpenAlarms(tx);
      if (rules.length === 0 && open.length === 0) return 0;
      const openAlarms = new Map(open.map((alarm) => [`${alarm.ruleId} ${alarm.subjectId}`, alarm]));
      const round = { tx, rules, openOf: (rule: AlarmRule, id: string) => openAlarms.get(`${rule.id} ${id}`), nowMs };
      let findings: Finding[];
      if (runMode === 'Admin') findings = await findOfCustomers(round, customers, timeZone);
      else {
        const ofDevices = await findOfDevices(round);
        findings = [
          ...ofDevices.findings,
          ...(pushes ? await findOfPush(round, timeZone) : []),
          ...(await findOfKeys(round, timeZone)),
          ...rules.flatMap((rule) => (figures?.findingsOf(rule) ?? []).map((found) => ({ ...found, rule }))),
        ];
        ({ noteJudged } = ofDevices);
      }
      const byId = new Map(all.map((rule) => [rule.id, rule]));
      const resolved = await listResolvedAlarms(tx, new Date(nowMs - recentlyMs));
      return writeChanges(tx, changesOf({ findings, open, resolved, rules: byId, nowMs, newId: randomUUIDv7 }), nowMs);
    });
    if (changed !== null) noteJudged();
    return changed;
  };
}

async function writeChanges(tx: Transaction, { rows, events, gone, ended, told }: AlarmChanges, nowMs: number) {
  if (gone.length > 0) await deleteAlarms(tx, gone);
  if (ended.length > 0) await resolveAlarms(tx, ended, nowMs);
  if (rows.length > 0) await putAlarms(tx, rows);
  if (events.length > 0) await addAlarmEvents(tx, events);
  if (told.length > 0) await addToOutbox(tx, told);
  return events.length;
}

/** Rejected rows count for this long. They are counted by the hour. */
const rejectedMs = 2 * 3_600_000;

async function findOfKeys({ tx, rules, nowMs }: Round, timeZone: string): Promise<Finding[]> {
  const ofDelivery = ofKind(rules, 'delivery');
  if (ofDelivery.length === 0) return [];
  const keys = await listUsedKeys(tx, new Date(nowMs - rejectedMs));
  return ofDelivery.flatMap((rule) =>
    keys.map(({ id, name, lastMs, accepted, rejected }): Finding => {
      const { silentSeconds, rejectedPercent } = rule.condition;
      const subject: AlarmSubject = { kind: 'apiKey', id, name };
      const isSilent = silentSeconds !== null && nowMs - lastMs > silentSeconds * 1000;
      if (isSilent || rejectedPercent === null) {
        const judged = judgeSilence(Math.min(lastMs, nowMs), null, nowMs, (silentSeconds ?? 0) * 1000);
        return { rule, subject, timeZone, unit: 's', judged };
      }
      const rows = accepted + rejected;
      if (rows === 0 && silentSeconds !== null) {
        return { rule, subject, timeZone, unit: 's', judged: judgeSince('good', lastMs, nowMs, () => 0) };
      }
      const percent = rows === 0 ? null : (100 * rejected) / rows;
      return { rule, subject, timeZone, unit: '%', judged: judgeFigure(percent, rejectedPercent, nowMs) };
    }),
  );
}

const portalSubject: AlarmSubject = { kind: 'portal', id: null, name: 'Portal' };

async function findOfPush({ tx, rules, nowMs }: Round, timeZone: string): Promise<Finding[]> {
  const ofPush = ofKind(rules, 'push');
  if (ofPush.length === 0) return [];
  const failures = await countPushFailures(tx);
  return ofPush.map((rule) => ({
    rule,
    subject: portalSubject,
    timeZone,
    unit: null,
    holdSeconds: rule.condition.failingSeconds,
    judged: judgeSince(failures > 0 ? 'bad' : 'good', nowMs, nowMs, () => failures),
  }));
}

type CustomerKind = 'customerSilent' | 'customerFailing' | 'customerNeverSent' | 'tokenGraceEnds';
const customerKinds: readonly AlarmKind[] = [
  'customerSilent',
  'customerFailing',
  'customerNeverSent',
  'tokenGraceEnds',
];

async function findOfCustomers(
  { rules, nowMs }: Round,
  customers: readonly SeenCustomer[],
  timeZone: string,
): Promise<Finding[]> {
  const ofCustomers = rules.filter((rule): rule is RuleOf<CustomerKind> => customerKinds.includes(rule.kind));
  if (ofCustomers.length === 0) return [];
  const findings: Finding[] = [];
  for (const rule of ofCustomers) {
    for (const customer of customers) {
      if (!customer.isActive || !isOfScope(rule.scope, customer)) continue;
      const subject: AlarmSubject = { kind: 'customer', id: customer.id, name: customer.name };
      findings.push({ rule, subject, timeZone, unit: 's', judged: judgeByRule(rule, customer, nowMs) });
    }
    await yieldToOthers('alarms');
  }
  return findings;
}

export type SeenCustomer = Awaited<ReturnType<typeof readSeenCustomers>>[number];
const hourMs = 3_600_000;
/** A customer still uses its previous token if it sent a batch with that token within this time before its last batch. */
const sameBatchMs = 120_000;

/** What the figures of a customer say about a rule now. */
export function judgeByRule(
  rule: Extract<AlarmRuleWrite, { kind: CustomerKind }>,
  customer: SeenCustomer,
  nowMs: number,
): Judged[] {
  // Nothing is known about it now, so its alarms stay as they are.
  if (customer.isAway === true) return [];
  const [seenMs, createdMs] = [millisOf(customer.lastSeenAt), Date.parse(customer.createdAt)];
  switch (rule.kind) {
    case 'customerSilent': {
      const { state, silentAfterSeconds } = judgeCustomer(customer, nowMs, rule.condition.factor);
      const measuredMs = millisOf(customer.lastMeasuredAt ?? customer.firstSeenAt);
      if (seenMs === null) return [];
      if (state !== 'silent' || measuredMs === null) return judgeSince('good', seenMs, nowMs, () => 0);
      return judgeSilence(measuredMs, null, nowMs, silentAfterSeconds * 1000);
    }
    case 'customerFailing': {
      const { failure } = judgeCustomer(customer, nowMs);
      if (failure === null) return judgeSince('good', nowMs, nowMs);
      return judgeSince('bad', Date.parse(failure.since), nowMs);
    }
    case 'customerNeverSent':
      if (seenMs !== null) return judgeSince('good', seenMs, nowMs);
      return judgeSilence(createdMs, null, nowMs, rule.condition.afterHours * hourMs);
    case 'tokenGraceEnds': {
      const [endsMs, usedMs] = [millisOf(customer.previousTokenExpiresAt), millisOf(customer.previousTokenUsedAt)];
      const issuedMs = Date.parse(customer.tokenIssuedAt);
      const isUsed = usedMs !== null && usedMs >= issuedMs && (seenMs ?? usedMs) - usedMs < sameBatchMs;
      const beginsMs = (endsMs ?? 0) - rule.condition.hours * hourMs;
      if (endsMs === null || nowMs >= endsMs || nowMs < beginsMs || !isUsed) return judgeSince('good', nowMs, nowMs);
      return judgeSince('bad', Math.max(beginsMs, issuedMs), nowMs, (atMs) => (endsMs - atMs) / 1000);
    }
  }
}

const millisOf = (instant: string | null) => (instant === null ? null : Date.parse(instant));
