import { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import {
  maxTariffBodyBytes,
  type MunicipalityWithTariffs,
  municipalityWithTariffs,
  tariff,
  type Tariff,
  type TariffTerms,
  type TariffWrite,
  tariffWrite,
} from '../../shared/rates.ts';
import { tariffVersion } from '../../shared/versions.ts';
import { changeTariff, createTariff, removeTariff, type TariffValues } from '../commands/tariffs.ts';
import { listMunicipalities } from '../db/municipalities.ts';
import type { Database } from '../db/pool.ts';
import { listTariffs, type MunicipalityTariff } from '../db/tariffs.ts';
import { money } from '../domain/money.ts';
import { compareNames } from '../domain/names.ts';
import { minuteOfDay, timeOfDay } from '../domain/times-of-day.ts';
import type { App } from './typed-app.ts';
import type { Guard } from './guard.ts';
import { ifMatch, ifMatchHeaders, withVersion } from './versions.ts';

const tags = ['Rates'];
const refusals = { 400: errorBody, 401: errorBody, 403: errorBody };

/** `GET /api/rates` and `/api/admin/rates/tariffs`: decisions.md 3 and 6. */
export async function tariffRoutes(app: App, { database, guard }: { database: Database; guard: Guard }): Promise<void> {
  app.get(
    '/api/rates',
    {
      onRequest: guard.signedIn,
      schema: {
        tags,
        summary: 'List the municipalities by name, each with its tariffs, the latest start first',
        response: { 200: z.array(municipalityWithTariffs), 401: errorBody },
      },
    },
    async (): Promise<MunicipalityWithTariffs[]> => {
      const municipalities = await listMunicipalities(database);
      const tariffs = await listTariffs(database, null);
      return municipalities
        .toSorted((a, b) => compareNames(a.name, b.name))
        .map((entry) => ({ ...entry, tariffs: (tariffs.get(entry.id) ?? []).map(presentTariff) }));
    },
  );

  app.post(
    '/api/admin/rates/tariffs',
    {
      onRequest: guard.admin,
      bodyLimit: maxTariffBodyBytes,
      schema: {
        tags,
        summary: 'Add a tariff with its periods',
        description:
          'Of several active tariffs that cover a date, the one with the latest effectiveFrom is in force; 409 if two start on one day. Periods that overlap on some day are refused.',
        body: tariffWrite,
        response: { 201: tariff, ...refusals, 409: errorBody },
      },
    },
    async (request, reply) => {
      const created = await createTariff({ database, by: guard.author(request) }, readTariff(request.body));
      return reply.code(201).send(withVersion(reply, presentTariff(created), tariffVersion));
    },
  );

  app.put(
    '/api/admin/rates/tariffs/:id',
    {
      onRequest: guard.admin,
      bodyLimit: maxTariffBodyBytes,
      schema: {
        tags,
        summary: 'Replace a tariff and all its periods, which reprices the past',
        description: 'A different municipalityId moves the tariff there.',
        params: idParams,
        headers: ifMatchHeaders,
        body: tariffWrite,
        response: { 200: tariff, ...refusals, 404: errorBody, 409: errorBody, 412: errorBody },
      },
    },
    async (request, reply) => {
      const by = guard.author(request);
      const refuse = ifMatch<MunicipalityTariff>(request, (stored) => tariffVersion(presentTariff(stored)));
      const changed = await changeTariff({ database, by }, request.params.id, readTariff(request.body), refuse);
      return withVersion(reply, presentTariff(changed), tariffVersion);
    },
  );

  app.delete(
    '/api/admin/rates/tariffs/:id',
    {
      onRequest: guard.admin,
      schema: {
        tags,
        summary: 'Delete a tariff with its periods; energy on dates that no other tariff covers then has no price',
        params: idParams,
        response: { 204: z.null(), 401: errorBody, 403: errorBody, 404: errorBody },
      },
    },
    async (request, reply) => {
      await removeTariff({ database, by: guard.author(request) }, request.params.id);
      return reply.code(204).send(null);
    },
  );
}

const readTariff = ({
  municipalityId,
  name,
  isActive,
  effectiveFrom,
  effectiveTo,
  ...terms
}: TariffWrite): TariffValues => ({
  municipalityId,
  name,
  isActive,
  effectiveFrom,
  effectiveTo,
  ...readTerms(terms),
});

/** Prices from JSON: the shortest text of a number is the decimal that was sent. */
export const readTerms = (terms: TariffTerms) => ({
  currency: terms.currency,
  defaultRatePerKwh: money(terms.defaultRatePerKwh),
  fixedChargePerMonth: money(terms.fixedChargePerMonth),
  vatPercent: money(terms.vatPercent),
  exportRatePerKwh: terms.exportRatePerKwh === null ? null : money(terms.exportRatePerKwh),
  periods: terms.periods.map(({ name, daysOfWeek, startTime, endTime, ratePerKwh }) => ({
    name,
    daysOfWeek,
    startMinute: minuteOfDay(startTime),
    endMinute: minuteOfDay(endTime),
    ratePerKwh: money(ratePerKwh),
  })),
});

const presentTariff = (stored: MunicipalityTariff): Tariff => ({
  id: stored.id,
  municipalityId: stored.municipalityId,
  name: stored.name,
  currency: stored.currency,
  isActive: stored.isActive,
  effectiveFrom: stored.effectiveFrom,
  effectiveTo: stored.effectiveTo,
  defaultRatePerKwh: stored.defaultRatePerKwh.toNumber(),
  fixedChargePerMonth: stored.fixedChargePerMonth.toNumber(),
  vatPercent: stored.vatPercent.toNumber(),
  exportRatePerKwh: stored.exportRatePerKwh?.toNumber() ?? null,
  periods: stored.periods.map(({ id, name, daysOfWeek, startMinute, endMinute, ratePerKwh }) => ({
    id,
    name,
    daysOfWeek,
    startTime: timeOfDay(startMinute),
    endTime: timeOfDay(endMinute),
    ratePerKwh: ratePerKwh.toNumber(),
  })),
});
