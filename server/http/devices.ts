import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { device, deviceUpdate, deviceWithSite, deviceWrite } from '../../shared/sites.ts';
import { deviceVersion } from '../../shared/versions.ts';
import { changeDevice, createDevice, removeDevice } from '../commands/devices.ts';
import { listDevicesWithSites } from '../db/devices.ts';
import type { Database } from '../db/pool.ts';
import { compareNames } from '../domain/names.ts';
import type { App } from './typed-app.ts';
import type { Guard } from './guard.ts';
import { ifMatch, ifMatchHeaders, withVersion } from './versions.ts';

const tags = ['Devices'];

/** `GET /api/sites/devices` of the specification and `/api/admin/devices` of decisions.md 3. */
export async function deviceRoutes(app: App, { database, guard }: { database: Database; guard: Guard }): Promise<void> {
  app.get(
    '/api/sites/devices',
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'List the devices of all sites, by site and name',
        response: { 200: z.array(deviceWithSite), 401: errorBody },
      },
    },
    async () => {
      const devices = await listDevicesWithSites(database);
      return devices.toSorted(
        (a, b) =>
          compareNames(a.siteName, b.siteName) ||
          compareNames(a.name, b.name) ||
          compareNames(a.externalId, b.externalId),
      );
    },
  );

  app.post(
    '/api/admin/devices',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Add a device to a site; 409 if the externalId is taken',
        body: deviceWrite,
        response: { 201: device, 400: errorBody, 401: errorBody, 403: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      const created = await createDevice({ database, by: guard.author(request) }, request.body);
      return reply.code(201).send(withVersion(reply, created, deviceVersion));
    },
  );

  app.put(
    '/api/admin/devices/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Change a device, or move it to another site with its measurements; fields left out stay as they are',
        params: idParams,
        headers: ifMatchHeaders,
        body: deviceUpdate,
        response: {
          200: device,
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
      const refuse = ifMatch(request, deviceVersion);
      const changed = await changeDevice({ database, by }, request.params.id, request.body, refuse);
      return withVersion(reply, changed, deviceVersion);
    },
  );

  app.delete(
    '/api/admin/devices/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary:
          'Delete a device; one that has measurements is answered 409, or deleted with them where withMeasurements is true',
        params: idParams,
        querystring: z.object({ withMeasurements: z.enum(['true', 'false']).default('false') }),
        response: { 204: z.null(), 401: errorBody, 403: errorBody, 404: errorBody, 409: errorBody },
      },
    },
    async (request, reply) => {
      const withMeasurements = request.query.withMeasurements === 'true';
      await removeDevice({ database, by: guard.author(request) }, request.params.id, { withMeasurements });
      return reply.code(204).send(null);
    },
  );
}
