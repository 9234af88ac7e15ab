import { z } from 'zod';
import { apiKey, apiKeyCreate, createdApiKey } from '../../shared/accounts.ts';
import { errorBody } from '../../shared/primitives.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import { listApiKeys } from './api-keys.sql.ts';
import { byNames } from '../base/names.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { removeRoute } from '../http/resources.ts';
const tags = ['API keys'];

/** `/api/api-keys`: keys for gateways that deliver measurements (decisions.md 2). Client mode only. */
export async function apiKeyRoutes(app: App, parts: ClientParts): Promise<void> {
  const { database, guard } = parts;
  app.get(
    '/api/api-keys',
    guarded(guard.admin, {
      tags,
      operationId: 'listApiKeys',
      summary: 'List the API keys by name, without the keys themselves',
      response: { 200: z.array(apiKey) },
    }),
    async () => {
      const keys = await listApiKeys(database);
      return keys.toSorted(byNames('name'));
    },
  );

  app.post(
    '/api/api-keys',
    guarded(guard.admin, {
      tags,
      operationId: 'createApiKey',
      summary: 'Create an API key; only this response shows it',
      body: apiKeyCreate,
      response: { 201: createdApiKey, 409: errorBody },
    }),
    async (request, reply) =>
      reply.code(201).send(await createApiKey({ database, by: guard.author(request) }, request.body)),
  );

  removeRoute(app, parts, {
    path: '/api/api-keys',
    tags,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key at once',
    run: revokeApiKey,
  });
}
