import { listCustomersOfUser, listKnownCustomers, replaceCustomersOfUser } from './customer-access.sql.ts';
import type { Database } from '../database/pool.ts';
import { lockUser } from '../accounts/users.ts';
import type { Role } from '../../shared/accounts.ts';
import { type Precondition, refuse } from '../base/errors.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';

export interface CustomerAccess {
  customerIds: string[];
}

/**
 * The part of the fleet that an account sees: everything as an Admin, the assigned customers as a RestrictedAdmin; null without
 * either role.
 */
export async function findFleetScope(
  database: Database,
  { accountId, roles }: { accountId: string; roles: readonly Role[] },
): Promise<FleetScope | null> {
  if (roles.includes('Admin')) return allCustomers;
  return roles.includes('RestrictedAdmin') ? { customers: await listCustomersOfUser(database, accountId) } : null;
}

/** Sets which customers a user sees as a RestrictedAdmin. Throws `notFound`, `invalid` on an unknown customer, and what `checkVersion` throws. */
export async function changeCustomerAccess(
  changing: Changing,
  userId: string,
  { customerIds }: CustomerAccess,
  checkVersion: Precondition<CustomerAccess>,
): Promise<CustomerAccess> {
  await makeChange(changing, async (tx, recordChange) => {
    const { email: name } = await lockUser(tx, userId);
    const before = await listCustomersOfUser(tx, userId);
    checkVersion({ customerIds: before });
    const known = await listKnownCustomers(tx, [...before, ...customerIds]);
    const unknown = customerIds.find((id) => !known.has(id));
    if (unknown !== undefined) {
      throw refuse('noCustomer', { id: unknown }, { field: 'customerIds' });
    }
    await replaceCustomersOfUser(tx, userId, customerIds);
    // Writes only the differences, because a user may have thousands of customers.
    const codes = (ids: Iterable<string>) => [...ids].map((id) => known.get(id) ?? id);
    const [had, has] = [new Set(before), new Set(customerIds)];
    await recordChange('user.change-customers', {
      id: userId,
      name,
      before: { customers: codes(had.difference(has)) },
      after: { customers: codes(has.difference(had)) },
    });
  });
  return { customerIds };
}
