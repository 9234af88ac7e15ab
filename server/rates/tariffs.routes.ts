import { z } from 'zod';
import {
  type CostPreview,
  costPreview,
  maxTariffBodyBytes,
  type MunicipalityWithTariffs,
  municipalityWithTariffs,
  tariff,
  tariffPreviewQuestion,
  type TariffWrite,
  tariffWrite,
} from '../../shared/rates.ts';
import { errorBody } from '../../shared/primitives.ts';
import { municipalityVersion, tariffVersion } from '../../shared/versions.ts';
import { presentPreview, previewAmounts, previewRoute, previewTariffs, previewTimeZone } from './previews.ts';
import {
  changeMunicipality,
  changeTariff,
  createMunicipality,
  createTariff,
  readTerms,
  removeMunicipality,
  removeTariff,
  type TariffValues,
} from './tariffs.ts';
import { listMunicipalities, listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import { byNames } from '../base/names.ts';
import { tariffOnWire } from './tariffs.rules.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
import { municipality, municipalityPreviewQuestion, municipalityWrite } from '../../shared/sites.ts';

const tags = ['Rates'];
const resource = { path: '/api/admin/rates/tariffs', tags };
/** `GET /api/rates` and `/api/admin/rates/tariffs`: decisions.md 3 and 6. */
export async function tariffRoutes(app: App, parts: ClientParts): Promise<void> {
  const { database, guard, now } = parts;
  app.get(
    '/api/rates',
    guarded(guard.signedIn, {
      tags,
      operationId: 'listRates',
      summary: 'List the municipalities by name, each with its tariffs, the latest start first',
      response: { 200: z.array(municipalityWithTariffs) },
    }),
    async (): Promise<MunicipalityWithTariffs[]> => {
      const municipalities = await listMunicipalities(database);
      const tariffs = await listTariffs(database, null);
      return municipalities
        .toSorted(byNames('name'))
        .map((entry) => ({ ...entry, tariffs: (tariffs.get(entry.id) ?? []).map(tariffOnWire) }));
    },
  );

  app.post(
    `${resource.path}/preview`,
    {
      onRequest: guard.admin,
      bodyLimit: 10 * maxTariffBodyBytes,
      schema: {
        tags,
        operationId: 'previewTariffs',
        summary: 'Preview the cost of past months with tariffs added, changed or deleted',
        description: `All changes count together, for all sites of the municipality. Rejects what the write itself would reject. ${previewAmounts}`,
        body: tariffPreviewQuestion,
        response: { 200: costPreview, 404: errorBody, 409: errorBody },
      },
    },
    async (request, reply): Promise<CostPreview> => {
      const gone = clientGone(reply);
      const { accountId } = guard.current(request);
      const writes = request.body.changes.map(({ id, tariff: values }) => ({
        id,
        values: values === null ? null : readTariff(values),
      }));
      return presentPreview(await previewTariffs(database.until(gone), writes, { nowMs: now(), accountId }));
    },
  );

  writeRoutes(app, parts, {
    ...resource,
    bodyLimit: maxTariffBodyBytes,
    answer: tariff,
    present: tariffOnWire,
    versionOf: tariffVersion,
    create: {
      operationId: 'createTariff',
      summary: 'Add a tariff with its periods',
      description:
        'Of several active tariffs that cover a date, the one with the latest effectiveFrom is in force; 409 if two start on one day. Periods must not overlap.',
      body: tariffWrite,
      run: async (changing, values) => createTariff(changing, readTariff(values)),
    },
    change: {
      operationId: 'updateTariff',
      summary: 'Replace a tariff and all its periods, which reprices the past',
      description: 'A different municipalityId moves the tariff there.',
      body: tariffWrite,
      run: async (changing, id, values, refuse) => changeTariff(changing, id, readTariff(values), refuse),
    },
  });
  removeRoute(app, parts, {
    ...resource,
    operationId: 'deleteTariff',
    summary: 'Delete a tariff with its periods; energy on dates that no other tariff covers then has no price',
    versionOf: (stored: MunicipalityTariff) => tariffVersion(tariffOnWire(stored)),
    run: removeTariff,
  });
}

const readTariff = (values: TariffWrite): TariffValues => ({ ...values, ...readTerms(values) });

const places = { path: '/api/admin/rates/municipalities', tags };

/** `/api/admin/rates/municipalities`: decisions.md 3. `GET /api/rates` lists them. */
export async function municipalityRoutes(app: App, parts: ClientParts): Promise<void> {
  writeRoutes(app, parts, {
    ...places,
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
    ...places,
    operationId: 'previewMunicipality',
    summary: 'Preview the cost of past months in another time zone of a municipality',
    body: municipalityPreviewQuestion,
    run: (reading, id, { timeZone }, asker) => previewTimeZone(reading, id, timeZone, asker),
  });
  removeRoute(app, parts, {
    ...places,
    operationId: 'deleteMunicipality',
    summary: 'Delete a municipality that has no sites, with its tariffs',
    refusals: { 409: errorBody },
    versionOf: municipalityVersion,
    run: removeMunicipality,
  });
}
