import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { createdWebhook, maxWebhooks, webhook, webhookTest, webhookWrite } from '../../shared/alarms.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { webhookVersion } from '../../shared/versions.ts';
import type { SecretBox } from '../accounts/sealed.ts';
import { found } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { byNames } from '../base/names.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { ifMatch, ifMatchHeaders, removeRoute, versioned, withVersion } from '../http/resources.ts';
import { postEvents } from './notifications.ts';
import { changeWebhook, createWebhook, removeWebhook } from './webhooks.ts';
import { findWebhook, listWebhooks } from './webhooks.sql.ts';

const tags = ['Alarms'];
const path = '/api/admin/webhooks';

interface WebhookParts extends Pick<ClientParts, 'database' | 'guard' | 'now'> {
  box: SecretBox;
  allowPrivate: boolean;
}

/** `/api/admin/webhooks`: decisions.md 10. */
export function webhookRoutes(app: App, parts: WebhookParts): void {
  const { database, guard, now, box } = parts;
  app.get(
    path,
    guarded(guard.admin, {
      tags,
      operationId: 'listWebhooks',
      summary: 'List the webhooks by name, without their secrets',
      response: { 200: z.array(webhook) },
    }),
    async () => (await listWebhooks(database)).toSorted(byNames('name')),
  );

  app.post(
    path,
    guarded(guard.admin, {
      tags,
      operationId: 'createWebhook',
      summary: 'Add a webhook; only this response shows its secret',
      description: `409 beyond ${maxWebhooks} webhooks. Alarm rules name it among their recipients.`,
      body: webhookWrite,
      response: { 201: createdWebhook, 409: errorBody },
    }),
    async (request, reply) =>
      reply.code(201).send(await createWebhook({ database, by: guard.author(request) }, box, request.body)),
  );

  app.put(
    `${path}/:id`,
    guarded(guard.admin, {
      tags,
      operationId: 'updateWebhook',
      summary: 'Change a webhook; its secret stays',
      params: idParams,
      headers: ifMatchHeaders,
      body: webhookWrite,
      response: { 200: versioned(webhook) },
    }),
    async (request, reply) => {
      const checkVersion = ifMatch(request, webhookVersion);
      const changed = await changeWebhook(
        { database, by: guard.author(request) },
        request.params.id,
        request.body,
        checkVersion,
      );
      return withVersion(reply, changed, webhookVersion);
    },
  );

  removeRoute(app, parts, {
    path,
    tags,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    versionOf: webhookVersion,
    run: removeWebhook,
  });

  app.post(
    `${path}/:id/test`,
    guarded(guard.admin, {
      tags,
      operationId: 'testWebhook',
      summary: 'Post a test event to a webhook and wait for the answer',
      params: idParams,
      response: { 200: webhookTest },
    }),
    async (request, reply) => {
      const stored = found(await findWebhook(database, request.params.id), 'webhook');
      const events = [{ event: 'test', occurredAt: formatInstant(now() * 1000), alarm: null } as const];
      const { status, error } = await postEvents(parts, stored, { id: randomUUIDv7(), events }, clientGone(reply));
      return { isDelivered: error === null, status, error };
    },
  );
}
