import type { AlarmRule } from '../../shared/alarms.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, columnsOf, execute, findRow, listRows, listValues, lockAndCount } from '../database/rows.ts';

const columns = `id, name, kind, is_active AS "isActive", severity, scope, condition, duration_seconds AS "durationSeconds",
  schedule, recipients, escalation`;
const LIST = `SELECT ${columns} FROM portal.alarm_rules`;
const LOCK = `${LIST} WHERE id = $1 FOR UPDATE`;
const PUT = `INSERT INTO portal.alarm_rules
    (id, name, kind, is_active, severity, scope, condition, duration_seconds, schedule, recipients, escalation)
  VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::jsonb, $10::jsonb, $11::jsonb)
  ON CONFLICT (id) DO UPDATE SET name = $2, kind = $3, is_active = $4, severity = $5, scope = $6::jsonb, condition = $7::jsonb,
    duration_seconds = $8, schedule = $9::jsonb, recipients = $10::jsonb, escalation = $11::jsonb`;
const DELETE = `DELETE FROM portal.alarm_rules WHERE id = $1`;
// One statement, so that exactly one of several portals that start at the same time adds all rules.
const SEED = `WITH first AS (
    INSERT INTO portal.alarm_rules_seeded DEFAULT VALUES ON CONFLICT DO NOTHING RETURNING only_row)
  INSERT INTO portal.alarm_rules (id, name, kind, is_active, severity, scope, condition, duration_seconds, schedule, recipients)
  SELECT s.id, s.name, s.kind, true, 'warning', '{}', s.condition, 0, NULL, '[{"role": "Admin"}]'
  FROM first CROSS JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) AS s (id, name, kind, condition)`;

/** The table of each kind of id that a rule may contain. */
const tables = {
  site: 'monitoring.sites',
  device: 'monitoring.devices',
  customer: 'fleet.customers',
  user: 'portal.accounts',
  webhook: 'portal.webhooks',
} as const;
export type NamedByRule = keyof typeof tables;

/** Every rule, in no order. */
export const listAlarmRules = (db: Queryable) => listRows<AlarmRule>(db, LIST);

/** A rule, locked until the transaction ends; null if it does not exist. */
export const lockAlarmRule = (tx: Transaction, id: string) => findRow<AlarmRule>(tx, LOCK, id);

export const findAlarmRule = (db: Queryable, id: string) => findRow<AlarmRule>(db, `${LIST} WHERE id = $1`, id);

/** Counts the rules, and prevents changes of their number until the transaction ends. */
export const lockAlarmRules = (tx: Transaction) => lockAndCount(tx, 'portal.alarm_rules');

/** Adds or replaces a rule. */
export const putAlarmRule = (tx: Transaction, rule: AlarmRule) =>
  execute(
    tx,
    PUT,
    rule.id,
    rule.name,
    rule.kind,
    rule.isActive,
    rule.severity,
    JSON.stringify(rule.scope),
    JSON.stringify(rule.condition),
    rule.durationSeconds,
    rule.schedule && JSON.stringify(rule.schedule),
    JSON.stringify(rule.recipients),
    rule.escalation && JSON.stringify(rule.escalation),
  );

export const deleteAlarmRule = (tx: Transaction, id: string) => execute(tx, DELETE, id);

interface SeededRule extends Pick<AlarmRule, 'id' | 'name' | 'kind'> {
  /** JSON. */
  condition: string;
}

/** Adds the standard rules, at most once in the life of a database. False if they had been added before. */
export const seedAlarmRulesOnce = (db: Queryable, rules: readonly SeededRule[]) =>
  affectsRows(db, SEED, ...columnsOf(rules, ['id', 'name', 'kind', 'condition']));

/** The ids among `ids` that do not exist. */
export const listUnknownIds = (db: Queryable, what: NamedByRule, ids: readonly string[]) =>
  listValues<string>(
    db,
    `SELECT asked.id FROM unnest($1::uuid[]) AS asked (id)
     WHERE NOT EXISTS (SELECT FROM ${tables[what]} known WHERE known.id = asked.id)`,
    ids,
  );
