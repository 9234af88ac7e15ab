import { errorBody } from '../../shared/primitives.ts';
import { municipality, municipalityPreviewQuestion, municipalityWrite } from '../../shared/sites.ts';
import { municipalityVersion } from '../../shared/versions.ts';
import { changeMunicipality, createMunicipality, removeMunicipality } from './municipalities.ts';
import { previewTimeZone } from './preview-place.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { previewRoute } from './cost-previews.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
import type { App } from '../http/typed-app.ts';

const resource = { path: '/api/admin/rates/municipalities', tags: ['Rates'] };

/** `/api/admin/rates/municipalities`: decisions.md 3. `GET /api/rates` lists them. */
export async function municipalityRoutes(app: App, parts: ClientParts): Promise<void> {
  writeRoutes(app, parts, {
    ...resource,
    answer: municipality,
    present: (stored) => stored,
    versionOf: municipalityVersion,
    create: {
      operationId: 'createMunicipality',
      summary: 'Add a municipality',
      description:
        'The time zone is an IANA name; the days and hours of its sites follow it. 409 if the name is taken.',
      body: municipalityWrite,
      run: createMunicipality,
    },
    change: {
      operationId: 'updateMunicipality',
      summary: 'Change a municipality; a changed time zone also applies to the past',
      body: municipalityWrite,
      run: changeMunicipality,
    },
  });
  previewRoute(app, parts, {
    ...resource,
    operationId: 'previewMunicipality',
    summary: 'Preview the cost of past months in another time zone of a municipality',
    body: municipalityPreviewQuestion,
    run: (reading, id, { timeZone }, asker) => previewTimeZone(reading, id, timeZone, asker),
  });
  removeRoute(app, parts, {
    ...resource,
    operationId: 'deleteMunicipality',
    summary: 'Delete a municipality that has no sites, with its tariffs',
    refusals: { 409: errorBody },
    versionOf: municipalityVersion,
    run: removeMunicipality,
  });
}
