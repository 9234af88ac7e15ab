import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { site, sitePreviewQuestion, siteWithDevices, siteWrite } from '../../shared/sites.ts';
import { siteVersion } from '../../shared/versions.ts';
import { notFound } from '../base/errors.ts';
import { byNames } from '../base/names.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { previewRoute } from '../rates/previews.ts';
import { guarded, type App } from '../http/guard.ts';
import { removeRoute, writeRoutes, withVersion, versioned } from '../http/resources.ts';
import { changeSite, createSite, removeSite, previewSite } from './sites.ts';
import { listDevicesOfSite } from './devices.sql.ts';
import { findSite, listSites } from './sites.sql.ts';

const tags = ['Sites'];
const resource = { path: '/api/admin/sites', tags };

/** `GET /api/sites`: decisions.md 3. */
export async function siteListRoute(app: App, { readings }: ClientParts): Promise<void> {
  app.get(
    `${readings.path}/sites`,
    guarded(readings.onRequest, {
      tags,
      operationId: readings.operationId('listSites'),
      summary: 'List the sites by name',
      response: { 200: z.array(site) },
      ...readings.schema,
    }),
    async (request) => {
      const { database } = await readings.open(request);
      return (await listSites(database)).toSorted(byNames('name'));
    },
  );
}

/** The other routes under `/api/sites`, and `/api/admin/sites`: decisions.md 3. */
export async function siteRoutes(app: App, parts: ClientParts): Promise<void> {
  const { database, guard } = parts;
  app.get(
    '/api/sites/:id',
    guarded(guard.signedIn, {
      tags,
      operationId: 'getSite',
      summary: 'Get a site with its devices',
      params: idParams,
      response: { 200: versioned(siteWithDevices) },
    }),
    async (request, reply) => {
      const found = await findSite(database, request.params.id);
      if (found === null) throw notFound('site');
      const devices = await listDevicesOfSite(database, found.id);
      const answer = {
        ...found,
        deviceCount: devices.length,
        devices: devices.toSorted(byNames('name', 'externalId')),
      };
      return withVersion(reply, answer, siteVersion);
    },
  );

  previewRoute(app, parts, {
    ...resource,
    operationId: 'previewSite',
    summary: 'Preview the cost of past months of a site in another municipality',
    body: sitePreviewQuestion,
    run: (reading, id, { municipalityId }, asker) => previewSite(reading, id, municipalityId, asker),
  });

  writeRoutes(app, parts, {
    ...resource,
    answer: site,
    present: (stored) => stored,
    versionOf: siteVersion,
    create: {
      operationId: 'createSite',
      summary: 'Add a site to a municipality; 409 if the name is taken',
      body: siteWrite,
      run: createSite,
    },
    change: {
      operationId: 'updateSite',
      summary: 'Change a site; the days and hours of its past follow its municipality',
      body: siteWrite,
      run: changeSite,
    },
  });
  removeRoute(app, parts, {
    ...resource,
    operationId: 'deleteSite',
    summary: 'Delete a site that has no devices',
    refusals: { 409: errorBody },
    versionOf: siteVersion,
    run: removeSite,
  });
}
