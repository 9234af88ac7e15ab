import type { FastifyReply, FastifyRequest } from 'fastify';
import { toolCustomers, toolDevices, toolSites, toolUser } from '../../shared/dashboard-tool.ts';
import { guid } from '../../shared/primitives.ts';
import { countStates, deviceState, fleetDeviceState, siteState } from '../../shared/states.rules.ts';
import { z } from 'zod';
import { getBranding } from '../../server/branding/branding.ts';
import { listWatchedCustomers, type WatchedCustomer } from '../../server/fleet/fleet-customers.sql.ts';
import { judgeCustomer } from '../../server/fleet/fleet-trouble.rules.ts';
import { type ChosenDevice, listChosenDevices, listLastTimes } from '../../server/energy/measurements.sql.ts';
import { listSites } from '../../server/sites/sites.sql.ts';
import { readWithinReach } from '../../server/database/engines/reach.ts';
import { notFound } from '../../server/base/errors.ts';
import { readEach } from '../../server/reports/energy-sources.ts';
import { compareNames } from '../../server/base/names.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import type { App } from '../../server/http/guard.ts';
import { displayZoneOf, findScope, identityOf } from './identity.ts';
import { findReadable, isLarge, type Source, sourcesOf } from './sources.ts';
import type { ToolParts } from './tool-parts.ts';

const ids = z
  .union([guid, z.array(guid)])
  .optional()
  .transform((given) => (given === undefined ? [] : [given].flat()));
const byName = (a: { name: string }, b: { name: string }) => compareNames(a.name, b.name);

/** The user, and the choices they have. */
export function userRoutes(app: App, parts: ToolParts): void {
  const { settings, database } = parts;
  app.get('/me', { schema: { response: { 200: toolUser } } }, async (request, reply) => {
    const identity = identityOf(request);
    const { name, email, role } = identity;
    const reading = database.until(clientGone(reply));
    // Checked once for the whole page and not in each of its panels.
    await findScope({ settings, database: reading }, identity);
    const {
      footerText: _footer,
      secondaryColor: _secondary,
      ...brand
    } = await getBranding({ database: reading, whiteLabel: settings.whiteLabel });
    const { runMode } = settings;
    const timeZone = await displayZoneOf(request, { settings, database: reading });
    return { name, email, role, canEdit: role === 'Admin', brand, runMode, timeZone };
  });

  app.get('/customers', { schema: { response: { 200: toolCustomers } } }, async (request, reply) => {
    const scope = await findScope(parts, identityOf(request));
    if (scope === null) throw notFound('customersOfClient');
    const customers = await readWithinReach(database.until(clientGone(reply)), (tx, reach) =>
      listWatchedCustomers(tx, scope, reach),
    );
    return customers
      .map(({ id, code, name, ...watched }) => ({ id, code, name, state: judgeCustomer(watched, parts.now()).state }))
      .toSorted((a, b) => byName(a, b) || compareNames(a.code, b.code));
  });

  app.get(
    '/sites',
    { schema: { querystring: z.object({ customer: ids }), response: { 200: toolSites } } },
    async (request, reply) => {
      const sites: z.infer<typeof toolSites> = [];
      const sources = await chosenSources(parts, request, reply, request.query.customer);
      const read = async (source: WatchedSource) => ({
        ...source,
        ...(await readStates(source, parts.now())),
        found: await listSites(source.database),
      });
      for await (const { found, ofSite, labels } of readEach(sources, read)) {
        for (const { id, name, timeZone } of found) sites.push({ id, name, timeZone, state: ofSite(id), ...labels });
      }
      return sites.toSorted(byName);
    },
  );

  app.get(
    '/devices',
    { schema: { querystring: z.object({ site: ids, customer: ids }), response: { 200: toolDevices } } },
    async (request, reply) => {
      const devices: z.infer<typeof toolDevices> = [];
      const sites = new Set(request.query.site);
      const sources = await chosenSources(parts, request, reply, request.query.customer);
      const read = async (source: WatchedSource) => ({ ...source, ...(await readStates(source, parts.now())) });
      for await (const { all, of, labels } of readEach(sources, read)) {
        for (const device of all) {
          const { id, name, siteId, siteName, timeZone, isActive } = device;
          if (sites.size > 0 && !sites.has(siteId)) continue;
          devices.push({ id, name, siteId, siteName, timeZone, isActive, state: of(device), ...labels });
        }
      }
      return devices.toSorted((a, b) => byName(a, b) || compareNames(a.siteName, b.siteName));
    },
  );
}

/** The devices of a Client, or of a customer, and the current states of them and of their sites. */
async function readStates({ database, customer }: WatchedSource, nowMs: number) {
  const all = await listChosenDevices(database, allDevices);
  const lastTimes = await listLastTimes(
    database,
    all.map(({ number }) => number),
  );
  const judged = customer === null ? null : { ...customer, ...judgeCustomer(customer, nowMs) };
  const of = (device: ChosenDevice) => {
    const watched = { ...device, lastMeasuredAt: lastTimes.get(device.number) ?? null };
    return judged === null ? deviceState(watched, nowMs) : fleetDeviceState(watched, judged, nowMs);
  };
  const bySite = Map.groupBy(all, ({ siteId }) => siteId);
  return { all, of, ofSite: (id: string) => siteState(countStates((bySite.get(id) ?? []).map(of))) };
}

/** A source with what the state of its customer follows from; null in a Client. */
interface WatchedSource extends Source {
  customer: WatchedCustomer | null;
}

/** Nobody can choose from the sites of hundreds of customers. So sites are listed only once customers are chosen. */
async function chosenSources(
  parts: ToolParts,
  request: FastifyRequest,
  reply: FastifyReply,
  customers: readonly string[],
): Promise<WatchedSource[]> {
  const readable = await findReadable(parts, request, reply, customers);
  if (isLarge(readable)) return [];
  const ids = readable.customers?.map(({ id }) => id);
  const watched = ids === undefined ? [] : await listWatchedCustomers(readable.database, { customers: ids });
  const byId = new Map<string | null, WatchedCustomer>(watched.map((one) => [one.id, one]));
  return sourcesOf(readable).map((source) => ({ ...source, customer: byId.get(source.labels.customerId) ?? null }));
}
