import { errorBody, idParams } from '../../shared/primitives.ts';
import { costPreview } from '../../shared/rates.ts';
import { municipality, municipalityPreviewQuestion, municipalityWrite } from '../../shared/sites.ts';
import { municipalityVersion } from '../../shared/versions.ts';
import { changeMunicipality, createMunicipality, removeMunicipality } from '../commands/municipalities.ts';
import { previewTimeZone } from '../commands/preview-place.ts';
import { clientGone } from './client-gone.ts';
import type { ClientParts } from './client-parts.ts';
import { presentPreview, previewAmounts } from './cost-preview.ts';
import { removeRoute, writeRoutes } from './resources.ts';
import type { App } from './typed-app.ts';

const resource = { path: '/api/admin/rates/municipalities', tags: ['Rates'] };

/** `/api/admin/rates/municipalities`: decisions.md 3. `GET /api/rates` lists them. */
export async function municipalityRoutes(app: App, parts: ClientParts): Promise<void> {
  writeRoutes(app, parts, {
    ...resource,
    answer: municipality,
    present: (stored) => stored,
    versionOf: municipalityVersion,
    create: {
      summary: 'Add a municipality',
      description:
        'The time zone is an IANA name; the days and hours of its sites follow it. 409 if the name is taken.',
      body: municipalityWrite,
      run: createMunicipality,
    },
    change: {
      summary: 'Change a municipality; a changed time zone also applies to the past',
      body: municipalityWrite,
      run: changeMunicipality,
    },
  });
  const { database, guard, now } = parts;
  app.post(
    `${resource.path}/:id/preview`,
    {
      onRequest: guard.admin,
      schema: {
        tags: resource.tags,
        summary: 'What measured months of the sites of a municipality would cost in another time zone',
        description: previewAmounts,
        params: idParams,
        body: municipalityPreviewQuestion,
        response: { 200: costPreview, 404: errorBody },
      },
    },
    async (request, reply) => {
      const { accountId } = guard.current(request);
      const { timeZone } = request.body;
      const asker = { nowMs: now(), accountId };
      return presentPreview(
        await previewTimeZone(database.until(clientGone(reply)), request.params.id, timeZone, asker),
      );
    },
  );
  removeRoute(app, parts, {
    ...resource,
    summary: 'Delete a municipality that has no sites, with its tariffs',
    refusals: { 409: errorBody },
    versionOf: municipalityVersion,
    run: removeMunicipality,
  });
}
