import { z } from 'zod';
import { apiKey, apiKeyCreate, createdApiKey } from '../../shared/accounts.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { createApiKey, revokeApiKey } from '../commands/api-keys.ts';
import { listApiKeys } from '../db/api-keys.ts';
import type { Database } from '../db/pool.ts';
import { compareNames } from '../domain/names.ts';
import type { App } from './typed-app.ts';
import type { Guard } from './guard.ts';

const tags = ['API keys'];

/** `/api/api-keys`: keys for gateways that deliver measurements (decisions.md 2). Client mode only. */
export async function apiKeyRoutes(app: App, { database, guard }: { database: Database; guard: Guard }): Promise<void> {
  app.get(
    '/api/api-keys',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'List the API keys by name, without the keys themselves',
        response: { 200: z.array(apiKey), 401: errorBody, 403: errorBody },
      },
    },
    async () => {
      const keys = await listApiKeys(database);
      return keys.toSorted((a, b) => compareNames(a.name, b.name));
    },
  );

  app.post(
    '/api/api-keys',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Create an API key; only this response shows it',
        body: apiKeyCreate,
        response: { 201: createdApiKey, 400: errorBody, 401: errorBody, 403: errorBody, 409: errorBody },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createApiKey({ database, by: guard.author(request) }, request.body)),
  );

  app.delete(
    '/api/api-keys/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Revoke an API key at once',
        params: idParams,
        response: { 204: z.null(), 401: errorBody, 403: errorBody, 404: errorBody },
      },
    },
    async (request, reply) => {
      await revokeApiKey({ database, by: guard.author(request) }, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
