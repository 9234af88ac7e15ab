import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { removalOrder, removalPreview, removalQuestion, type RemovalQuestion } from '../../shared/removals.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import type { App } from '../http/guard.ts';
import { readRange } from '../http/ranges.ts';
import { previewRemoval, removeFromDevice } from './removals.ts';

const tags = ['Devices'];

interface RemovalRoutesParts extends ClientParts {
  /** Wakes the worker that computes the slots. */
  onStored?: ((rows: number) => void) | undefined;
}

/** `/api/admin/devices/{id}/removals`: removes wrong readings (docs/adr/0084). Client mode only. */
export async function removalRoutes(app: App, { database, guard, onStored }: RemovalRoutesParts): Promise<void> {
  const asked = (deviceId: string, { kind, ...range }: RemovalQuestion) => ({ deviceId, kind, ...readRange(range) });

  app.post(
    '/api/admin/devices/:id/removals/preview',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        operationId: 'previewRemoval',
        summary: 'Count readings or intervals to remove, and what their removal changes',
        description: 'Nothing is stored. Whole months of the device before and after, by the time zone of its site.',
        params: idParams,
        body: removalQuestion,
        response: { 200: removalPreview, 404: errorBody },
      },
    },
    async (request, reply) =>
      previewRemoval(
        database.until(clientGone(reply)),
        asked(request.params.id, request.body),
        guard.current(request).accountId,
      ),
  );

  app.post(
    '/api/admin/devices/:id/removals',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        operationId: 'removeReadings',
        summary: 'Remove the readings or intervals of a device in a range; 409 if their count has changed',
        description:
          'All of them or none. Energy and cost follow at once, and the fleet removes the same rows. A row that is sent again is stored again.',
        params: idParams,
        body: removalOrder,
        response: { 204: z.null(), 404: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      const { count, ...question } = request.body;
      await removeFromDevice({ database, by: guard.author(request) }, asked(request.params.id, question), count);
      onStored?.(0);
      return reply.code(204).send(null);
    },
  );
}
