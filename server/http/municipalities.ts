import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { municipality, municipalityWrite } from '../../shared/sites.ts';
import { municipalityVersion } from '../../shared/versions.ts';
import { changeMunicipality, createMunicipality, removeMunicipality } from '../commands/municipalities.ts';
import type { Database } from '../db/pool.ts';
import type { App } from './typed-app.ts';
import type { Guard } from './guard.ts';
import { ifMatch, ifMatchHeaders, withVersion } from './versions.ts';

const tags = ['Rates'];

/** `/api/admin/rates/municipalities`: decisions.md 3. `GET /api/rates` lists them. */
export async function municipalityRoutes(
  app: App,
  { database, guard }: { database: Database; guard: Guard },
): Promise<void> {
  app.post(
    '/api/admin/rates/municipalities',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Add a municipality',
        description:
          'The time zone is an IANA name; the days and hours of its sites follow it. 409 if the name is taken.',
        body: municipalityWrite,
        response: { 201: municipality, 400: errorBody, 401: errorBody, 403: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      const created = await createMunicipality({ database, by: guard.author(request) }, request.body);
      return reply.code(201).send(withVersion(reply, created, municipalityVersion));
    },
  );

  app.put(
    '/api/admin/rates/municipalities/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Change a municipality; a changed time zone also applies to the past',
        params: idParams,
        headers: ifMatchHeaders,
        body: municipalityWrite,
        response: {
          200: municipality,
          400: errorBody,
          401: errorBody,
          403: errorBody,
          404: errorBody,
          409: errorBody,
          412: errorBody,
        },
      },
    },
    async (request, reply) => {
      const by = guard.author(request);
      const refuse = ifMatch(request, municipalityVersion);
      const changed = await changeMunicipality({ database, by }, request.params.id, request.body, refuse);
      return withVersion(reply, changed, municipalityVersion);
    },
  );

  app.delete(
    '/api/admin/rates/municipalities/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Delete a municipality that has no sites, with its tariffs',
        params: idParams,
        response: { 204: z.null(), 401: errorBody, 403: errorBody, 404: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      await removeMunicipality({ database, by: guard.author(request) }, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
