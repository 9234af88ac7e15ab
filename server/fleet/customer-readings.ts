import { idParams } from '../../shared/primitives.ts';
import { fleetDeviceState } from '../../shared/states.rules.ts';
import { findSeenCustomer } from './fleet-customers.sql.ts';
import { judgeCustomer } from './fleet-trouble.rules.ts';
import { found } from '../base/errors.ts';
import type { ReadingSource, SourceParts } from '../http/client-parts.ts';

/** The readings of a customer of the fleet. */
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
    return {
      customer,
      database: database.forCustomer(customer.id),
      stateOf: (device, nowMs) => {
        const { state } = judgeCustomer(customer, nowMs);
        return fleetDeviceState(device, { ...customer, state }, nowMs);
      },
    };
  },
});
