import { errorBody } from '../../shared/primitives.ts';
import { type PushOverview, pushOverview } from '../../shared/push.ts';
import { overviewPush, requestPush } from '../commands/push.ts';
import type { Database } from '../db/pool.ts';
import type { Guard } from './guard.ts';
import type { App } from './typed-app.ts';

const tags = ['Push'];

export interface PushRoutesParts {
  guard: Guard;
  database: Database;
  settings: { enabled: boolean; intervalSeconds: number; batchSize: number };
  /** Begins the next round at once. */
  pushNow: () => void;
}

/** `/api/admin/push`: decisions.md 3. Client mode only. */
export async function pushRoutes(app: App, { guard, database, settings, pushNow }: PushRoutesParts): Promise<void> {
  const { enabled, intervalSeconds, batchSize } = settings;
  const present = async (): Promise<PushOverview> => {
    const { states, backlogRows } = await overviewPush(database);
    return {
      isEnabled: enabled,
      intervalSeconds,
      resources: states.map((state) => ({
        ...state,
        batchSize: Math.min(state.batchSize ?? batchSize, batchSize),
        backlogRows: state.resource === 'measurements' ? backlogRows : null,
      })),
    };
  };

  app.get(
    '/api/admin/push',
    {
      onRequest: guard.admin,
      schema: { tags, summary: 'How pushing to the fleet goes, by resource', response: { 200: pushOverview } },
    },
    present,
  );

  app.post(
    '/api/admin/push/run',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Push now: no resource waits any longer; 409 while the push is switched off',
        response: { 202: pushOverview, 409: errorBody },
      },
    },
    async (request, reply) => {
      await requestPush({ database, by: guard.author(request) }, enabled);
      pushNow();
      return reply.code(202).send(await present());
    },
  );
}
