import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import {
  device,
  devicesChange,
  devicesChanged,
  deviceUpdate,
  deviceWithSite,
  deviceWrite,
} from '../../shared/sites.ts';
import { deviceVersion } from '../../shared/versions.ts';
import { byNames } from '../base/names.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { writeRoutes, ifMatch, ifMatchHeaders } from '../http/resources.ts';
import { changeDevice, changeDevices, createDevice, removeDevice } from './devices.ts';
import { listDevicesWithSites } from './devices.sql.ts';

const tags = ['Devices'];
/** Enough for the maximum number of devices of a request, at 39 bytes each. */
const maxChangeBytes = 256 * 1024;

/** `GET /api/sites/devices` of the specification. */
export async function deviceListRoute(app: App, { readings }: ClientParts): Promise<void> {
  app.get(
    `${readings.path}/sites/devices`,
    guarded(readings.onRequest, {
      tags,
      operationId: readings.operationId('listDevices'),
      summary: 'List the devices of all sites, by site and name',
      response: { 200: z.array(deviceWithSite) },
      ...readings.schema,
    }),
    async (request) => {
      const { database } = await readings.open(request);
      const devices = await listDevicesWithSites(database);
      return devices.toSorted(byNames('siteName', 'name', 'externalId'));
    },
  );
}

/** `/api/admin/devices` of decisions.md 3. */
export async function deviceRoutes(app: App, parts: ClientParts): Promise<void> {
  const { database, guard } = parts;
  writeRoutes(app, parts, {
    path: '/api/admin/devices',
    tags,
    answer: device,
    present: (stored) => stored,
    versionOf: deviceVersion,
    create: {
      operationId: 'createDevice',
      summary: 'Add a device to a site; 409 if the externalId is taken',
      body: deviceWrite,
      run: createDevice,
    },
    change: {
      operationId: 'updateDevice',
      summary: 'Change a device or move it to another site; absent fields keep their values',
      body: deviceUpdate,
      run: changeDevice,
    },
  });

  app.post(
    '/api/admin/devices/change',
    {
      onRequest: guard.admin,
      bodyLimit: maxChangeBytes,
      schema: {
        tags,
        operationId: 'updateDevices',
        summary: 'Change or move several devices, all of them or none',
        body: devicesChange,
        response: { 200: devicesChanged, 404: errorBody, 409: errorBody },
      },
    },
    async (request) => {
      const { deviceIds, ...change } = request.body;
      return { changed: await changeDevices({ database, by: guard.author(request) }, deviceIds, change) };
    },
  );

  app.delete(
    '/api/admin/devices/:id',
    guarded(guard.admin, {
      tags,
      operationId: 'deleteDevice',
      summary: 'Delete a device; 409 if it has measurements, unless withMeasurements is true',
      params: idParams,
      headers: ifMatchHeaders,
      querystring: z.object({ withMeasurements: z.enum(['true', 'false']).default('false') }),
      response: { 204: z.null(), 409: errorBody },
    }),
    async (request, reply) => {
      const withMeasurements = request.query.withMeasurements === 'true';
      const checkVersion = ifMatch(request, deviceVersion);
      await removeDevice({ database, by: guard.author(request) }, request.params.id, {
        withMeasurements,
        checkVersion,
      });
      return reply.code(204).send(null);
    },
  );
}
