import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { site, siteWithDevices, siteWrite } from '../../shared/sites.ts';
import { siteVersion } from '../../shared/versions.ts';
import { changeSite, createSite, removeSite } from '../commands/sites.ts';
import { listDevicesOfSite } from '../db/devices.ts';
import type { Database } from '../db/pool.ts';
import { findSite, listSites } from '../db/sites.ts';
import { notFound } from '../domain/errors.ts';
import { compareNames } from '../domain/names.ts';
import type { App } from './typed-app.ts';
import type { Guard } from './guard.ts';
import { ifMatch, ifMatchHeaders, withVersion } from './versions.ts';

const tags = ['Sites'];

/** `/api/sites` and `/api/admin/sites`: decisions.md 3. */
export async function siteRoutes(app: App, { database, guard }: { database: Database; guard: Guard }): Promise<void> {
  app.get(
    '/api/sites',
    {
      onRequest: guard.signedIn,
      schema: { tags, summary: 'List the sites by name', response: { 200: z.array(site), 401: errorBody } },
    },
    async () => {
      const sites = await listSites(database);
      return sites.toSorted((a, b) => compareNames(a.name, b.name));
    },
  );

  app.get(
    '/api/sites/:id',
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'Get a site with its devices by name and when each was last measured',
        params: idParams,
        response: { 200: siteWithDevices, 401: errorBody, 404: errorBody },
      },
    },
    async (request, reply) => {
      const found = await findSite(database, request.params.id);
      if (found === null) throw notFound('site');
      const devices = await listDevicesOfSite(database, found.id);
      const answer = {
        ...found,
        deviceCount: devices.length,
        devices: devices.toSorted((a, b) => compareNames(a.name, b.name) || compareNames(a.externalId, b.externalId)),
      };
      return withVersion(reply, answer, siteVersion);
    },
  );

  app.post(
    '/api/admin/sites',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Add a site to a municipality; 409 if the name is taken',
        body: siteWrite,
        response: { 201: site, 400: errorBody, 401: errorBody, 403: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      const created = await createSite({ database, by: guard.author(request) }, request.body);
      return reply.code(201).send(withVersion(reply, created, siteVersion));
    },
  );

  app.put(
    '/api/admin/sites/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Change a site; the days and hours of its past follow its municipality',
        params: idParams,
        headers: ifMatchHeaders,
        body: siteWrite,
        response: {
          200: site,
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
      const refuse = ifMatch(request, siteVersion);
      return withVersion(
        reply,
        await changeSite({ database, by }, request.params.id, request.body, refuse),
        siteVersion,
      );
    },
  );

  app.delete(
    '/api/admin/sites/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Delete a site that has no devices',
        params: idParams,
        response: { 204: z.null(), 401: errorBody, 403: errorBody, 404: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      await removeSite({ database, by: guard.author(request) }, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
