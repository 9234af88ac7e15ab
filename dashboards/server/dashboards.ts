import type { preValidationHookHandler } from 'fastify';
import { z } from 'zod';
import {
  dashboardCreate,
  dashboardName,
  dashboardUpdate,
  dashboardVersions,
  listedDashboard,
  storedDashboard,
  toolLimits,
} from '../../shared/dashboard-tool.ts';
import { listVersions } from '../../server/dashboards/dashboards.sql.ts';
import { found, refuse } from '../../server/base/errors.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import type { App } from '../../server/http/guard.ts';
import { findScope, identityOf, onlyAdmin } from './identity.ts';
import { createDashboard, listAll, openDashboard, removeDashboard, saveDashboard, type StoreParts } from './store.ts';
import type { ToolParts } from './tool-parts.ts';

const params = z.object({ name: dashboardName });
/** The spec, and the fields around it. */
const bodyLimit = toolLimits.specBytes + 1024;
const deepest = 50;

/** Dashboards: read by everybody who may see some of the data, written by administrators. */
export function dashboardRoutes(app: App, parts: ToolParts): void {
  const { database, writing, now, shipped } = parts;
  const store: StoreParts = { database, writing, now, shipped };
  const authorOf = (request: Parameters<typeof identityOf>[0]) => {
    const { user, name } = identityOf(request);
    return { id: user, name };
  };
  const preHandler = async (request: Parameters<typeof identityOf>[0]) => {
    await findScope(parts, identityOf(request));
  };
  const write = { onRequest: onlyAdmin, preValidation: refuseDeep, bodyLimit };

  app.get(
    '/dashboards',
    { preHandler, schema: { response: { 200: z.array(listedDashboard) } } },
    async (_request, reply) => listAll({ ...store, database: database.until(clientGone(reply)) }),
  );

  app.get(
    '/dashboards/:name',
    {
      preHandler,
      schema: {
        params,
        querystring: z.object({ version: z.coerce.number().int().min(0).max(2_147_483_647).optional() }),
        response: { 200: storedDashboard },
      },
    },
    async (request) => found(await openDashboard(store, request.params.name, request.query.version), 'savedDashboard'),
  );

  app.get(
    '/dashboards/:name/versions',
    { preHandler, schema: { params, response: { 200: dashboardVersions } } },
    async (request) => {
      const { name } = request.params;
      const versions = await listVersions(database, name);
      if (versions.length === 0 && !store.shipped.has(name)) found(null, 'savedDashboard');
      return versions;
    },
  );

  app.post(
    '/dashboards',
    { ...write, schema: { body: dashboardCreate, response: { 201: storedDashboard } } },
    async (request, reply) => {
      const { name, spec } = request.body;
      return reply.code(201).send(await createDashboard(store, authorOf(request), name, spec));
    },
  );

  app.put(
    '/dashboards/:name',
    { ...write, schema: { params, body: dashboardUpdate, response: { 200: storedDashboard } } },
    async (request) => saveDashboard(store, authorOf(request), request.params.name, request.body),
  );

  app.delete(
    '/dashboards/:name',
    { onRequest: onlyAdmin, schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      await removeDashboard(store, authorOf(request), request.params.name);
      return reply.code(204).send(null);
    },
  );
}

/** Runs before the schema, whose recursion is as deep as the body. */
const refuseDeep: preValidationHookHandler = (request, _reply, done) => {
  let level: unknown[] = [request.body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) {
      throw refuse('specTooDeep', { max: deepest }, { field: 'spec' });
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  done();
};
