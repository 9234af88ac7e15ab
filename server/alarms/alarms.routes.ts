import { z } from 'zod';
import { alarm, alarmSnooze, alarmsQuery, maxListedAlarms, pendingAlarm } from '../../shared/alarms.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { bucketsOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';
import { allCustomers } from '../base/scopes.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { readInstant } from '../http/ranges.ts';
import { acknowledgeAlarm, readAlarms, readPendingAlarms, snoozeAlarm } from './alarms.ts';

const tags = ['Alarms'];

/** `/api/alarms`: decisions.md 10. */
export function alarmRoutes(
  app: App,
  { database, guard, runMode, now }: Pick<ClientParts, 'database' | 'guard' | 'now'> & { runMode: 'Client' | 'Admin' },
): void {
  const isClient = runMode === 'Client';
  const onRequest = isClient ? guard.signedIn : guard.fleetReader;
  const scopeOf = (request: Parameters<typeof guard.fleetScope>[0]) =>
    isClient ? allCustomers : guard.fleetScope(request);
  const changes = bucketsOf('alarmChanges');
  /** The audit trail records each of them. */
  const countChange = (accountId: string) => {
    const retryAfterSeconds = changes.take(accountId, now());
    if (retryAfterSeconds !== null) throw refuse('manyAlarmChanges', {}, { retryAfterSeconds });
  };

  app.get(
    '/api/alarms',
    guarded(onRequest, {
      tags,
      operationId: 'listAlarms',
      summary: 'List the alarms, newest first',
      description: `At most ${maxListedAlarms}: of open alarms the most severe, else the newest; earlier ones with to. A RestrictedAdmin sees those of their customers.`,
      querystring: alarmsQuery,
      response: { 200: z.array(alarm) },
    }),
    async (request) => {
      const { state, severity, from, to } = request.query;
      const question = {
        state,
        severity,
        fromMicros: from === undefined ? null : readInstant('from', from),
        toMicros: to === undefined ? null : readInstant('to', to),
      };
      return readAlarms(database, scopeOf(request), question);
    },
  );

  app.get(
    '/api/alarms/pending',
    guarded(onRequest, {
      tags,
      operationId: 'listPendingAlarms',
      summary: 'List the alarms whose condition holds, but not for the duration of their rule yet',
      response: { 200: z.array(pendingAlarm) },
    }),
    async (request) => readPendingAlarms(database, scopeOf(request)),
  );

  app.post(
    '/api/alarms/:id/acknowledge',
    guarded(onRequest, {
      tags,
      operationId: 'acknowledgeAlarm',
      summary: 'Acknowledge an alarm; one that is acknowledged or resolved stays as it is',
      params: idParams,
      response: { 200: alarm, 429: errorBody },
    }),
    async (request) => {
      const { accountId, displayName } = guard.current(request);
      countChange(accountId);
      const change = { id: request.params.id, scope: scopeOf(request), nowMs: now() };
      return acknowledgeAlarm({ database, by: guard.author(request) }, change, displayName);
    },
  );

  app.post(
    '/api/alarms/:id/snooze',
    guarded(onRequest, {
      tags,
      operationId: 'snoozeAlarm',
      summary: 'Tell nobody of an open alarm until an instant',
      params: idParams,
      body: alarmSnooze,
      response: { 200: alarm, 409: errorBody, 429: errorBody },
    }),
    async (request) => {
      countChange(guard.current(request).accountId);
      const untilMicros = readInstant('until', request.body.until);
      const change = { id: request.params.id, scope: scopeOf(request), nowMs: now() };
      return snoozeAlarm({ database, by: guard.author(request) }, change, untilMicros / 1000);
    },
  );
}
