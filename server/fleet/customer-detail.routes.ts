import { z } from 'zod';
import {
  type CustomerDetail,
  customerDetail,
  detailLimits,
  fleetGroup,
  fleetSite,
  maxFleetSites,
  namedCustomer,
  searchQuery,
  totalHeader,
} from '../../shared/fleet.ts';
import { clientReport } from '../../shared/push.ts';
import { idParams } from '../../shared/primitives.ts';
import { listIngestEvents, listTariffIds, readCustomerRecords } from './customer-detail.sql.ts';
import { findClientReport, findSeenCustomer } from './fleet-customers.sql.ts';
import { openCustomer } from './customer-readings.ts';
import { openFleetSearch } from './fleet-search.ts';
import { listTariffsById } from '../rates/tariffs.sql.ts';
import { refuseTooLong } from '../base/ranges.ts';
import { found, readStored } from '../base/errors.ts';
import { judgeCustomer } from './fleet-trouble.rules.ts';
import { byNames, compareNames } from '../base/names.ts';
import { tariffOnWire } from '../rates/tariffs.rules.ts';
import { workbookRoute } from '../reports/answer-export.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { guarded, type App } from '../http/guard.ts';
import { idList, languageQuery, rangeQuery, readCount, readIds, readRange } from '../http/ranges.ts';
import { answerSummary } from '../reports/answer-summary.ts';
const tags = ['Fleet'];
const counted = 'X-Total-Count says how many there are without the limit.';

/**
 * `GET /api/fleet/customers`, `/api/fleet/sites` and `/api/fleet/groups`; for one customer, `/{id}/detail` and the cost
 * export. A customer that the account may not see is 404.
 */
export async function customerDetailRoutes(app: App, parts: ClientParts): Promise<void> {
  const { guard, database, readings, now } = parts;
  const fleet = openFleetSearch(database);
  app.get(
    '/api/fleet/customers',
    guarded(guard.fleetReader, {
      tags,
      operationId: 'listFleetCustomers',
      summary: 'List or search the customers by name',
      description: `A search compares name, code and group. ${counted}`,
      querystring: searchQuery.extend({ ids: idList('Only these customers, separated by commas.') }),
      response: { 200: z.array(namedCustomer) },
    }),
    async (request, reply) => {
      const ids = readIds('ids', 'customers', request.query.ids);
      const { total, rows } = await fleet.customers(guard.fleetScope(request), { ...request.query, ids });
      void reply.header(totalHeader, total);
      return rows.map((one) => namedCustomer.parse({ ...one, ...judgeCustomer(one, now()) }));
    },
  );

  app.get(
    '/api/fleet/sites',
    guarded(guard.fleetReader, {
      tags,
      operationId: 'listFleetSites',
      summary: 'List or search the sites of all customers by name',
      description: `Of the customers that the account may see and that are not unavailable; the first ${maxFleetSites}. A search compares the names of site and customer. ${counted}`,
      querystring: searchQuery,
      response: { 200: z.array(fleetSite) },
    }),
    async (request, reply) => {
      const { search, limit = maxFleetSites } = request.query;
      const { total, rows } = await fleet.sites(guard.fleetScope(request), { search, limit });
      void reply.header(totalHeader, total);
      return rows.map(({ id, name, customerId, customerName }) => ({ id, name, customerId, customerName }));
    },
  );

  app.get(
    '/api/fleet/groups',
    guarded(guard.fleetReader, {
      tags,
      operationId: 'listFleetGroups',
      summary: 'List the groups of the customers by name',
      response: { 200: z.array(fleetGroup) },
    }),
    async (request) => {
      const names = [...(await fleet.groups(guard.fleetScope(request)))];
      return names.toSorted(compareNames).map((name) => ({ name }));
    },
  );

  app.get(
    '/api/fleet/customers/:id/detail',
    guarded(guard.fleetReader, {
      tags,
      operationId: 'getCustomerDetail',
      summary: 'Get a customer with its current records, last measurements and last batches',
      description: `Lists come in pages of ${detailLimits.records} sites, devices and municipalities and ${detailLimits.tariffs} tariffs; counts has the totals.`,
      params: idParams,
      querystring: z.object({ page: z.unknown().optional().meta({ type: 'integer', minimum: 1, default: 1 }) }),
      response: { 200: customerDetail },
    }),
    async (request, reply): Promise<CustomerDetail> => {
      const { id, scope, own } = openCustomer(parts, request);
      return own.until(clientGone(reply)).snapshot(async (tx) => {
        const customer = found(await findSeenCustomer(tx, scope, id), 'customer');
        const said = await findClientReport(tx, id);
        const report = said === null || said.at === null ? null : { ...clientReport.parse(said.report), at: said.at };
        const { devices, sites, measurements, ...records } = await readCustomerRecords(
          tx,
          id,
          detailLimits.measurements,
        );
        // Names may be equal, so rows with the same name are ordered by id. Otherwise a row could be on two pages.
        const page = readCount(request.query.page, 1, Number.MAX_SAFE_INTEGER) - 1;
        const pageOf = <Row>(rows: readonly Row[], size: number = detailLimits.records) =>
          rows.slice(page * size, (page + 1) * size);
        const devicesOf = Map.groupBy(devices, ({ siteId }) => siteId);
        const municipalities = records.municipalities.toSorted(byNames('name', 'id'));
        const tariffsOf = Map.groupBy(await listTariffIds(tx, id), ({ municipalityId }) => municipalityId);
        const tariffs = municipalities.flatMap(({ id: municipalityId, name }) =>
          (tariffsOf.get(municipalityId) ?? []).map((tariff) => ({ id: tariff.id, municipalityName: name })),
        );
        const named = new Map(pageOf(tariffs, detailLimits.tariffs).map((one) => [one.id, one]));
        const tariffOf = new Map((await listTariffsById(tx, [...named.keys()])).map((one) => [one.id, one]));
        return {
          customer: customerDetail.shape.customer.parse({ ...customer, ...judgeCustomer(customer, now()), report }),
          counts: {
            sites: sites.length,
            devices: devices.length,
            municipalities: municipalities.length,
            tariffs: tariffs.length,
          },
          sites: pageOf(sites.toSorted(byNames('name', 'id'))).map((site) => ({
            ...site,
            deviceCount: devicesOf.get(site.id)?.length ?? 0,
          })),
          devices: pageOf(devices.toSorted(byNames('name', 'externalId', 'id'))),
          measurements,
          ingestEvents: (await listIngestEvents(tx, id, detailLimits.ingestEvents)).map((event) => {
            const { text: error, refusal } = readStored(event.error);
            return { ...event, error, refusal };
          }),
          municipalities: pageOf(municipalities),
          tariffs: [...named.values()].flatMap(({ id: tariffId, municipalityName }) => {
            const tariff = tariffOf.get(tariffId);
            return tariff === undefined ? [] : [{ ...tariffOnWire(tariff), municipalityName }];
          }),
        };
      });
    },
  );

  app.get(
    '/api/fleet/customers/:id/cost/export.xlsx',
    workbookRoute(guard.fleetReader, {
      tags,
      operationId: 'exportCostOfCustomer',
      summary: 'Export energy and cost of a customer as an Excel workbook',
      description: "The sheets, formats and numbers of the Client's summary, which lists what is in it.",
      params: idParams,
      querystring: rangeQuery.extend(languageQuery.shape),
    }),
    async (request, reply) => {
      const { customer, database, stateOf } = await readings.open(request);
      return answerSummary({ ...parts, database }, request, reply, {
        title: 'Cost',
        subject: customer,
        range: refuseTooLong(readRange(request.query)),
        scope: { devices: 'all' },
        accountId: guard.current(request).accountId,
        stateOf,
      });
    },
  );
}
