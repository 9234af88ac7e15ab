import type { FastifyReply, FastifyRequest } from 'fastify';
import { toolLimits } from '../../shared/dashboard-tool.ts';
import { type EnergySource, openSource, readEach, type SourceQuestion } from '../../server/reports/energy-sources.ts';
import type { PartsAsked } from '../../server/reports/part-sums.ts';
import { listNamedCustomers, type NamedCustomer } from '../../server/fleet/fleet-customers.sql.ts';
import { listChosenDevices } from '../../server/energy/measurements.sql.ts';
import { readWithinReach } from '../../server/database/engines/reach.ts';
import type { Database } from '../../server/database/pool.ts';
import { rangesOf, zonesOf } from '../../server/base/ranges.ts';
import { compareNames } from '../../server/base/names.ts';
import { allDevices } from '../../server/base/scopes.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import { findScope, identityOf } from './identity.ts';
import type { ToolParts } from './tool-parts.ts';

/** The owner of the rows that are read: this Client, or one customer of the fleet. */
export interface Source extends Pick<EnergySource, 'labels'> {
  /** Reads end when the client disconnects. */
  database: Database;
}

/** What a request may read. */
export interface Readable {
  /** Reads end when the client disconnects. */
  database: Database;
  /** The customers by name; null in a Client. */
  customers: NamedCustomer[] | null;
}

/**
 * The customers among the requested ones that the account may see. An empty list requests all. Other customers count as
 * unknown.
 */
export async function findReadable(
  parts: Pick<ToolParts, 'settings' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
  customers: readonly string[],
): Promise<Readable> {
  const database = parts.database.until(clientGone(reply));
  const scope = await findScope({ ...parts, database }, identityOf(request));
  if (scope === null) return { database, customers: null };
  const asked = new Set(customers);
  const named = await readWithinReach(database, (tx, reach) => listNamedCustomers(tx, scope, reach));
  const seen = named.filter(({ id }) => asked.size === 0 || asked.has(id));
  return {
    database,
    customers: seen.toSorted((a, b) => compareNames(a.name, b.name) || compareNames(a.code, b.code)),
  };
}

/** Whether there are too many customers to read one by one. */
export const isLarge = (readable: Readable): readable is Readable & { customers: NamedCustomer[] } =>
  readable.customers !== null && readable.customers.length > toolLimits.customers;

/** The sources that are read one by one. */
export function sourcesOf({ database, customers }: Readable): Source[] {
  if (customers === null) return [{ database, labels: { customerId: null, customerName: null } }];
  return customers.map(({ id, name }) => ({
    database: database.forCustomer(id),
    labels: { customerId: id, customerName: name },
  }));
}

type ChosenBy = Record<'sites' | 'devices', readonly string[]>;

/** The devices of the sources that match both the sites and the devices of a query. Empty lists match all. */
export async function openSources(
  sources: readonly Source[],
  { sites, devices }: ChosenBy,
  question: Omit<SourceQuestion, 'ranges'>,
): Promise<Pick<PartsAsked, 'sources' | 'ranges'>> {
  const ofSites = new Set(sites);
  const scope = devices.length === 0 ? allDevices : { devices };
  const chosen: (Source & Pick<EnergySource, 'devices'>)[] = [];
  for await (const { source, all } of readEach(sources, async (one) => ({
    source: one,
    all: await listChosenDevices(one.database, scope),
  }))) {
    const own = all.filter(({ siteId }) => ofSites.size === 0 || ofSites.has(siteId));
    if (own.length > 0) chosen.push({ ...source, devices: own });
  }
  const ranges = rangesOf(question.range, zonesOf(chosen.flatMap((source) => source.devices)));
  return { sources: chosen.map(({ database, ...one }) => openSource(database, one, { ...question, ranges })), ranges };
}
