import { randomUUIDv7 } from 'node:crypto';
import { type AlarmRule, type AlarmRuleWrite, maxAlarmRules } from '../../shared/alarms.ts';
import { changesOf, type Changing, makeChange } from '../accounts/audit.ts';
import { message, refuse } from '../base/errors.ts';
import type { Database, Queryable } from '../database/pool.ts';
import {
  deleteAlarmRule,
  listUnknownIds,
  lockAlarmRule,
  lockAlarmRules,
  type NamedByRule,
  putAlarmRule,
  seedAlarmRulesOnce,
} from './alarm-rules.sql.ts';

/** Adds the standard rules, which notify the administrators, at the first start only: deleted ones do not come back. */
export async function seedAlarmRules(database: Database, runMode: 'Client' | 'Admin'): Promise<void> {
  const standard = {
    Client: [
      { name: 'Device offline', kind: 'offline', condition: { afterSeconds: null } },
      { name: 'Push to the fleet failing', kind: 'push', condition: { failingSeconds: 3600 } },
    ],
    Admin: [{ name: 'Customer silent', kind: 'customerSilent', condition: { factor: 3 } }],
  } as const;
  const rules = standard[runMode].map(({ name, kind, condition }) => ({
    id: randomUUIDv7(),
    name,
    kind,
    condition: JSON.stringify(condition),
  }));
  await seedAlarmRulesOnce(database, rules);
}

/** Adds a rule. Throws `invalid` if it names something unknown, `conflict` if there are too many. */
export const createAlarmRule = (changing: Changing, values: AlarmRuleWrite): Promise<AlarmRule> =>
  makeChange(changing, async (tx, recordChange) => {
    if ((await lockAlarmRules(tx)) >= maxAlarmRules) throw refuse('manyAlarmRules', { max: maxAlarmRules });
    await refuseUnknown(tx, namesOf(values), []);
    const created = { ...values, id: randomUUIDv7() };
    await putAlarmRule(tx, created);
    await recordChange('alarm-rule.create', { id: created.id, name: created.name, after: shownOf(created) });
    return created;
  });

const nameOf = ({ name }: AlarmRule) => name;
const shownOf = ({ id: _id, ...shown }: AlarmRule) => shown;
const rules = changesOf<AlarmRule>({ kind: 'alarm-rule', what: 'alarmRule', lock: lockAlarmRule, nameOf, shownOf });

/** Changes a rule. Throws `notFound`, and what `createAlarmRule` and `checkVersion` throw. */
export const changeAlarmRule = rules.changer(async (tx, id, values: AlarmRuleWrite, before) => {
  await refuseUnknown(tx, namesOf(values), namesOf(before));
  const after = { ...values, id };
  await putAlarmRule(tx, after);
  return after;
});

/** Deletes a rule; its open alarms are resolved at its next evaluation. Throws `notFound`, and what `checkVersion` throws. */
export const removeAlarmRule = rules.remover(deleteAlarmRule);

/** Ids that a record contains: the field that has them, and what they are of. */
type Named = readonly [field: string, what: NamedByRule, ids: readonly string[]];

/** The ids that a rule contains. */
function namesOf({ scope, recipients: first, escalation }: AlarmRuleWrite): Named[] {
  const recipients = [...first, ...(escalation?.recipients ?? [])];
  const userIds = recipients.flatMap((recipient) => ('userId' in recipient ? [recipient.userId] : []));
  const webhookIds = recipients.flatMap((recipient) => ('webhookId' in recipient ? [recipient.webhookId] : []));
  return [
    ['scope.customerIds', 'customer', ('customerIds' in scope && scope.customerIds) || []],
    ['scope.siteIds', 'site', ('siteIds' in scope && scope.siteIds) || []],
    ['scope.deviceIds', 'device', ('deviceIds' in scope && scope.deviceIds) || []],
    ['recipients', 'user', userIds],
    ['recipients', 'webhook', webhookIds],
  ];
}

/** Rejects unknown ids. An id that the record already had may have been deleted since: it may stay, and has no effect. */
export async function refuseUnknown(db: Queryable, named: readonly Named[], before: readonly Named[]): Promise<void> {
  for (const [field, what, ids] of named) {
    const had = before.filter((one) => one[0] === field && one[1] === what).flatMap(([, , known]) => known);
    const added = [...new Set(ids).difference(new Set(had))];
    const [unknown] = added.length === 0 ? [] : await listUnknownIds(db, what, added);
    if (unknown !== undefined) throw refuse('unknownInRule', { what: message(what), id: unknown }, { field });
  }
}
