import { errorBody } from '../../shared/primitives.ts';
import { type PushOverview, pushOverview, type ReconciliationState } from '../../shared/push.ts';
import { overviewPush, requestPush } from './push.ts';
import type { PushResource } from './push-state.sql.ts';
import { overviewReconciliation, type ReconciliationOverview, requestReconciliation } from './push-reconciliation.ts';
import { formatInstant } from '../base/instants.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
const tags = ['Push'];

interface PushRoutesParts extends ClientParts {
  settings: { enabled: boolean; intervalSeconds: number; batchSize: number };
  /** Begins the next round at once. */
  pushNow: () => void;
}

/** `/api/admin/push`: decisions.md 3. Client mode only. */
export async function pushRoutes(
  app: App,
  { guard, database, settings, now, pushNow }: PushRoutesParts,
): Promise<void> {
  const { enabled, intervalSeconds, batchSize } = settings;
  const present = async (): Promise<PushOverview> => {
    const { states, ...backlog } = await overviewPush(database);
    const backlogOf: { [Resource in PushResource]?: number } = {
      removals: backlog.backlogRemovals,
      measurements: backlog.backlogRows,
      intervals: backlog.backlogIntervals,
    };
    const reconciliation = await overviewReconciliation(database);
    return {
      isEnabled: enabled,
      intervalSeconds,
      resources: states.map(({ isUnanswered: _isUnanswered, ...state }) => ({
        ...state,
        batchSize: Math.min(state.batchSize ?? batchSize, batchSize),
        backlogRows: backlogOf[state.resource] ?? null,
      })),
      reconciliation: presentReconciliation(reconciliation),
    };
  };

  app.get(
    '/api/admin/push',
    guarded(guard.admin, {
      tags,
      operationId: 'getPushState',
      summary: 'Get the state of the push to the fleet, by resource',
      response: { 200: pushOverview },
    }),
    present,
  );

  app.post(
    '/api/admin/push/run',
    guarded(guard.admin, {
      tags,
      operationId: 'runPush',
      summary: 'Push now, without further waiting; 409 while the push is disabled',
      response: { 202: pushOverview, 409: errorBody },
    }),
    async (request, reply) => {
      await requestPush({ database, by: guard.author(request) }, enabled);
      pushNow();
      return reply.code(202).send(await present());
    },
  );

  app.post(
    '/api/admin/push/reconcile',
    guarded(guard.admin, {
      tags,
      operationId: 'startReconciliation',
      summary: 'Start a reconciliation of all measurements with the fleet; 409 while the push is disabled',
      description:
        'Compares all days and sends different ones again. It starts once older readings have been sent, and takes minutes.',
      response: { 202: pushOverview, 409: errorBody },
    }),
    async (request, reply) => {
      await requestReconciliation({ database, by: guard.author(request) }, enabled, now());
      pushNow();
      return reply.code(202).send(await present());
    },
  );
}

function presentReconciliation({ known, ...differences }: ReconciliationOverview): ReconciliationState {
  const isRunning = known?.isRunning ?? false;
  const inStepTo = known?.inStepToMicros ?? null;
  return {
    inStepUpTo: inStepTo === null ? null : formatInstant(inStepTo),
    isRunning,
    comparedDays: isRunning ? (known?.comparedDays ?? 0) : 0,
    resentDays: isRunning ? (known?.resentDays ?? 0) : 0,
    finishedAt: known?.finishedAt ?? null,
    finishedComparedDays: known?.finishedComparedDays ?? null,
    finishedResentDays: known?.finishedResentDays ?? null,
    ...differences,
    failures: known?.failures ?? 0,
    nextAttemptAt: known?.nextAttemptAt ?? null,
    lastErrorKind: known?.lastErrorKind ?? null,
    lastError: known?.lastError ?? null,
    lastErrorAt: known?.lastErrorAt ?? null,
  };
}
