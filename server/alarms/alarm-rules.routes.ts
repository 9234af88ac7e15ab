import { z } from 'zod';
import {
  alarmPreviewEvent,
  type AlarmRule,
  clientAlarmPreviewQuestion,
  clientAlarmRule,
  clientAlarmRuleWrite,
  fleetAlarmPreviewQuestion,
  fleetAlarmRule,
  fleetAlarmRuleWrite,
  kindsWithPreview,
  maxAlarmRules,
  maxPreviewDays,
} from '../../shared/alarms.ts';
import { keptBatchDays } from '../../shared/states.rules.ts';
import { alarmRuleVersion } from '../../shared/versions.ts';
import { limiterOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';
import { byNames } from '../base/names.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { readRange } from '../http/ranges.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
import { previewAlarmRule } from './alarm-previews.ts';
import { changeAlarmRule, createAlarmRule, removeAlarmRule } from './alarm-rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';

const tags = ['Alarms'];
const resource = { path: '/api/admin/alarm-rules', tags };
const schemas = {
  Client: { stored: clientAlarmRule, write: clientAlarmRuleWrite, preview: clientAlarmPreviewQuestion },
  Admin: { stored: fleetAlarmRule, write: fleetAlarmRuleWrite, preview: fleetAlarmPreviewQuestion },
};

/** `/api/admin/alarm-rules`: decisions.md 10. */
export function alarmRuleRoutes(
  app: App,
  {
    database,
    guard,
    runMode,
    now,
    timeZone,
  }: Pick<ClientParts, 'database' | 'guard' | 'now'> & { runMode: 'Client' | 'Admin'; timeZone: string },
): void {
  const { stored, write, preview } = schemas[runMode];
  const previews = limiterOf('alarmPreviews');
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
  app.post(
    `${resource.path}/preview`,
    guarded(guard.admin, {
      tags,
      operationId: 'previewAlarmRule',
      summary: 'List when a rule would have fired, by the stored readings; the rule need not be stored',
      description: `At most ${maxPreviewDays} days. 400 for kinds whose past is not stored; these have a preview: ${kindsWithPreview.join(', ')}. Batches of customers are kept for ${keptBatchDays} days.`,
      body: preview,
      response: { 200: z.array(alarmPreviewEvent) },
    }),
    async (request, reply) => {
      const { rule, from, to } = request.body;
      const { fromMicros, toMicros } = readRange({ from, to });
      if (toMicros - fromMicros > maxPreviewDays * dayMicros) {
        const count = Math.ceil((toMicros - fromMicros) / dayMicros);
        throw refuse('rangeTooLong', { max: maxPreviewDays, count }, { field: 'to' });
      }
      const asking = database.until(clientGone(reply));
      const question = { rule, fromMs: fromMicros / 1000, toMs: Math.min(now(), toMicros / 1000) };
      const { accountId: key } = guard.current(request);
      return previews.run(() => previewAlarmRule({ database: asking, timeZone }, question), {
        key,
        signal: asking.signal,
      });
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
