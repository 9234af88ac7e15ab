import type { FastifyRequest } from 'fastify';
import { idParams } from '../../shared/primitives.ts';
import { fleetDeviceState } from '../../shared/states.rules.ts';
import { findSeenCustomer } from './fleet-customers.sql.ts';
import { judgeCustomer } from './fleet-trouble.rules.ts';
import { found } from '../base/errors.ts';
import { chosenCustomers } from '../base/scopes.ts';
import type { ReadingSource, SourceParts } from '../http/client-parts.ts';

/**
 * The customer that a request names, and its database. An id that is not a GUID counts as unknown. So does a customer that the account
 * may not see, even while its rows are out of reach.
 */
export function openCustomer({ guard, database }: SourceParts, request: FastifyRequest) {
  const { data } = idParams.safeParse(request.params);
  const scope = guard.fleetScope(request);
  const isSeen = data !== undefined && chosenCustomers(scope)?.includes(data.id) !== false;
  const { id } = found(isSeen && data, 'customer');
  return { id, scope, own: database.forCustomer(id) };
}

/** The readings of a customer of the fleet. */
export const customerReadings = (parts: SourceParts): ReadingSource => ({
  path: '/api/fleet/customers/:id',
  onRequest: parts.guard.fleetReader,
  operationId: (id) => `${id}OfCustomer`,
  schema: { tags: ['Fleet'], params: idParams },
  async open(request) {
    const { id, scope, own } = openCustomer(parts, request);
    const customer = found(await findSeenCustomer(own, scope, id), 'customer');
    return {
      customer,
      database: own,
      stateOf: (device, nowMs) => {
        const { state } = judgeCustomer(customer, nowMs);
        return fleetDeviceState(device, { ...customer, state }, nowMs);
      },
    };
  },
});
