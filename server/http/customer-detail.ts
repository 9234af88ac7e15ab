import { type CustomerDetail, customerDetail, detailLimits } from '../../shared/fleet.ts';
import { idParams } from '../../shared/primitives.ts';
import {
  listCustomerDevices,
  listCustomerMunicipalities,
  listCustomerSites,
  listIngestEvents,
  listNewestMeasurements,
} from '../db/customer-detail.ts';
import { findSeenCustomer } from '../db/fleet-customers.ts';
import { listTariffs } from '../db/tariffs.ts';
import { found } from '../domain/errors.ts';
import { compareNames } from '../domain/names.ts';
import { tariffOnWire } from '../domain/tariffs.ts';
import { fileAnswer } from './answer-export.ts';
import { clientGone } from './client-gone.ts';
import type { ClientParts } from './client-parts.ts';
import { lagOf } from './fleet-dashboard.ts';
import { rangeQuery, readByHand, readRange, refuseTooLong } from './ranges.ts';
import { answerSummary } from './summary-export.ts';
import type { App } from './typed-app.ts';

const tags = ['Fleet'];
const byName = (a: { name: string }, b: { name: string }) => compareNames(a.name, b.name);

/** `GET /api/fleet/customers/{id}/detail` and its cost export. A customer that the account may not see is 404. */
export async function customerDetailRoutes(app: App, parts: ClientParts): Promise<void> {
  const { guard, database, now } = parts;
  app.get(
    '/api/fleet/customers/:id/detail',
    {
      onRequest: guard.fleetReader,
      schema: {
        tags,
        summary: 'A customer with its current records, last measurements and last batches',
        params: idParams,
        response: { 200: customerDetail },
      },
    },
    async (request, reply): Promise<CustomerDetail> => {
      const { id } = request.params;
      const own = database.forCustomer(id).until(clientGone(reply));
      return own.snapshot(async (tx) => {
        const customer = found(await findSeenCustomer(tx, guard.fleetScope(request), id), 'customer');
        const devices = await listCustomerDevices(tx, id);
        const devicesOf = Map.groupBy(devices, ({ siteId }) => siteId);
        const municipalities = (await listCustomerMunicipalities(tx, id)).toSorted(byName);
        const tariffs = await listTariffs(tx, null);
        return {
          customer: { ...customer, lagSeconds: lagOf(customer, now()) },
          sites: (await listCustomerSites(tx, id))
            .map((site) => ({ ...site, deviceCount: devicesOf.get(site.id)?.length ?? 0 }))
            .toSorted(byName),
          devices: devices.toSorted((a, b) => byName(a, b) || compareNames(a.externalId, b.externalId)),
          measurements: await listNewestMeasurements(tx, id, detailLimits.measurements),
          ingestEvents: await listIngestEvents(tx, id, detailLimits.ingestEvents),
          municipalities,
          tariffs: municipalities.flatMap((municipality) =>
            (tariffs.get(municipality.id) ?? []).map((one) => ({
              ...tariffOnWire(one),
              municipalityName: municipality.name,
            })),
          ),
        };
      });
    },
  );

  app.get(
    '/api/fleet/customers/:id/cost/export.xlsx',
    {
      onRequest: guard.fleetReader,
      // By hand, which includes the id: it is a GUID or unknown.
      validatorCompiler: readByHand,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Energy and cost of a customer in a range as an Excel workbook',
        description: "The sheets, formats and numbers of the Client's summary, which lists what is in it.",
        params: idParams,
        querystring: rangeQuery,
        response: { 200: fileAnswer('xlsx') },
      },
    },
    async (request, reply) => {
      const { data: { id } = { id: null } } = idParams.safeParse(request.params);
      const customer = found(
        id === null ? null : await findSeenCustomer(database, guard.fleetScope(request), id),
        'customer',
      );
      return answerSummary({ ...parts, database: database.forCustomer(customer.id) }, request, reply, {
        title: 'Cost',
        subject: customer.code,
        range: refuseTooLong(readRange(request.query)),
        scope: { devices: 'all' },
        accountId: guard.current(request).accountId,
        notes: [['Customer', customer.name, customer.code]],
      });
    },
  );
}
