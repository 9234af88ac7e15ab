import { z } from 'zod';
import {
  type AlarmRule,
  clientAlarmRule,
  clientAlarmRuleWrite,
  fleetAlarmRule,
  fleetAlarmRuleWrite,
  maxAlarmRules,
} from '../../shared/alarms.ts';
import { alarmRuleVersion } from '../../shared/versions.ts';
import { byNames } from '../base/names.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded } from '../http/guard.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
import type { App } from '../http/typed-app.ts';
import { changeAlarmRule, createAlarmRule, removeAlarmRule } from './alarm-rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';

const tags = ['Alarms'];
const resource = { path: '/api/admin/alarm-rules', tags };
const schemas = {
  Client: { stored: clientAlarmRule, write: clientAlarmRuleWrite },
  Admin: { stored: fleetAlarmRule, write: fleetAlarmRuleWrite },
};

/** `/api/admin/alarm-rules`: decisions.md 10. */
export function alarmRuleRoutes(
  app: App,
  { database, guard, runMode }: Pick<ClientParts, 'database' | 'guard'> & { runMode: 'Client' | 'Admin' },
): void {
  const { stored, write } = schemas[runMode];
  app.get(
    resource.path,
    guarded(guard.admin, {
      tags,
      operationId: 'listAlarmRules',
      summary: 'List the alarm rules by name',
      response: { 200: z.array(stored) },
    }),
    async () => (await listAlarmRules(database)).toSorted(byNames('name')).map((rule) => stored.parse(rule)),
  );

  writeRoutes(
    app,
    { database, guard },
    {
      ...resource,
      answer: stored,
      present: (rule: AlarmRule) => rule,
      versionOf: alarmRuleVersion,
      create: {
        operationId: 'createAlarmRule',
        summary: 'Add an alarm rule',
        description: `409 beyond ${maxAlarmRules} rules.`,
        body: write,
        run: createAlarmRule,
      },
      change: {
        operationId: 'updateAlarmRule',
        summary: 'Change an alarm rule; its open alarms go on, or are resolved where it no longer is about them',
        body: write,
        run: changeAlarmRule,
      },
    },
  );
  removeRoute(
    app,
    { database, guard },
    {
      ...resource,
      operationId: 'deleteAlarmRule',
      summary: 'Delete an alarm rule; its open alarms are resolved, and its history stays',
      versionOf: alarmRuleVersion,
      run: removeAlarmRule,
    },
  );
}
