import type { FastifyReply, FastifyRequest } from 'fastify';
import { toolLimits } from '../../shared/dashboard-tool.ts';
import { listNamedCustomers } from '../../server/db/fleet-customers.ts';
import { type ChosenDevice, listChosenDevices } from '../../server/db/measurements.ts';
import type { Database } from '../../server/db/pool.ts';
import { DomainError } from '../../server/domain/errors.ts';
import { compareNames } from '../../server/domain/names.ts';
import { allDevices } from '../../server/domain/scopes.ts';
import { clientGone } from '../../server/http/client-gone.ts';
import { findScope, identityOf } from './identity.ts';
import type { ToolParts } from './tool-parts.ts';

/** Whose rows are read: those of this Client, or of one customer of the fleet. */
export interface Source {
  /** Its reads end when the client goes away. */
  database: Database;
  /** Both null in a Client. */
  labels: { customerId: string | null; customerName: string | null };
}

/** The devices of a source that a question is about; there is at least one. */
export interface ChosenSource extends Source {
  devices: readonly ChosenDevice[];
}

/**
 * What a request may read, by the name of the customer. A customer that the account may not see is as unknown as one that there is
 * not. Throws `invalid` on more customers than one question reads.
 */
export async function openSources(
  parts: Pick<ToolParts, 'settings' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
  customers: readonly string[],
): Promise<Source[]> {
  const database = parts.database.until(clientGone(reply));
  const scope = await findScope({ ...parts, database }, identityOf(request));
  if (scope === null) return [{ database, labels: { customerId: null, customerName: null } }];
  const asked = new Set(customers);
  const seen = (await listNamedCustomers(database, scope)).filter(({ id }) => asked.size === 0 || asked.has(id));
  if (seen.length > toolLimits.customers) {
    throw new DomainError(
      'invalid',
      `customers: the question is about ${seen.length} customers, more than ${toolLimits.customers}; choose some of them.`,
    );
  }
  return seen
    .toSorted((a, b) => compareNames(a.name, b.name) || compareNames(a.code, b.code))
    .map(({ id, name }) => ({
      database: database.forCustomer(id),
      labels: { customerId: id, customerName: name },
    }));
}

/** The devices of the sources that are of the sites and among the devices of a question; empty lists choose all. */
export async function chooseDevices(
  sources: readonly Source[],
  { sites, devices }: { sites: readonly string[]; devices: readonly string[] },
): Promise<ChosenSource[]> {
  const ofSites = new Set(sites);
  const scope = devices.length === 0 ? allDevices : { devices };
  const chosen: ChosenSource[] = [];
  for await (const { source, all } of readEach(sources, async (one) => ({
    source: one,
    all: await listChosenDevices(one.database, scope),
  }))) {
    const own = all.filter(({ siteId }) => ofSites.size === 0 || ofSites.has(siteId));
    if (own.length > 0) chosen.push({ ...source, devices: own });
  }
  return chosen;
}

/** Of one question; a fleet has many, each with a dozen short statements. */
const sourcesAtOnce = 3;

/** What is read of each source, in their order. */
export async function* readEach<S extends Source, T>(
  sources: readonly S[],
  read: (source: S) => Promise<T>,
): AsyncGenerator<T> {
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    yield* await Promise.all(sources.slice(at, at + sourcesAtOnce).map(read));
  }
}
