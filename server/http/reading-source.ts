import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { idParams } from '../../shared/primitives.ts';
import { findSeenCustomer, type SeenCustomer } from '../db/fleet-customers.ts';
import type { Database } from '../db/pool.ts';
import { found } from '../domain/errors.ts';
import type { Guard } from './guard.ts';

/** Whose sites, devices and readings a route is about: those of this Client, or of a customer of the fleet. */
export interface ReadingSource {
  /** What its paths begin with. */
  path: string;
  onRequest: onRequestAsyncHookHandler;
  /** The id of an operation in the API document: `listSites`, or `listSitesOfCustomer` in the fleet. */
  operationId: (id: string) => string;
  /** Merged into the schema of each route. */
  schema: { tags?: string[]; params?: typeof idParams };
  /** The rows that a request may read. A customer that is unknown, or that the account may not see, is 404. */
  open(request: FastifyRequest): Promise<OpenedReadings>;
}

interface OpenedReadings {
  database: Database;
  /** Null in a Client. */
  customer: SeenCustomer | null;
}

interface SourceParts {
  guard: Guard;
  database: Database;
}

export function ownReadings({ guard, database }: SourceParts): ReadingSource {
  const opened = { database, customer: null };
  return {
    path: '/api',
    onRequest: guard.signedIn,
    operationId: (id) => id,
    schema: {},
    open: async () => opened,
  };
}

export const customerReadings = ({ guard, database }: SourceParts): ReadingSource => ({
  path: '/api/fleet/customers/:id',
  onRequest: guard.fleetReader,
  operationId: (id) => `${id}OfCustomer`,
  schema: { tags: ['Fleet'], params: idParams },
  async open(request) {
    // An id that is not a GUID counts as unknown.
    const { data } = idParams.safeParse(request.params);
    const scope = guard.fleetScope(request);
    const customer = found(data === undefined ? null : await findSeenCustomer(database, scope, data.id), 'customer');
    return { customer, database: database.forCustomer(customer.id) };
  },
});
