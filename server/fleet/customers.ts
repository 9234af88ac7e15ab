import type { CustomerCreate, CustomerUpdate } from '../../shared/fleet.ts';
import type { CustomerState } from '../../shared/states.rules.ts';
import type { Message } from '../../shared/messages.ts';
import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { batchedLookup } from '../database/turns.ts';
import {
  type Customer,
  deleteCustomer,
  findCustomer,
  findCustomersByTokens,
  type TokenOwner,
  insertCustomer,
  lockCustomer,
  lockEnergyOfCustomer,
  replaceToken,
  setPreviousTokenUsed,
  updateCustomer,
} from './customers.sql.ts';
import { readWithinReach } from '../database/engines/reach.ts';
import type { Database, Queryable, Transaction } from '../database/pool.ts';
import { found, message, type Precondition, refuse } from '../base/errors.ts';
import { changesOf, type Changing, makeChange } from '../accounts/audit.ts';
import { allCustomers, type FleetScope } from '../base/scopes.ts';
import { listSeenCustomers } from './fleet-customers.sql.ts';
import { listPastBatches } from './ingest-events.sql.ts';
import { countByState, judgeCustomer } from './fleet-trouble.rules.ts';
import { clearDeletedCustomer } from './fleet-maintenance.ts';
import { refuseViolation, retryBusy } from '../database/errors.ts';
import { lockIngestExclusively } from '../database/ingest-lock.ts';

const tokenBytes = 32;
const hourMs = 3_600_000;
/** The request that deletes a customer waits for this many steps of deleting its data; the maintenance deletes the rest. */
const maxClearingSteps = 10;

const newToken = () => {
  const token = randomBytes(tokenBytes).toString('hex');
  return { token, tokenHash: hash('sha256', token) };
};

export interface ChangingCustomers extends Changing {
  /** Epoch milliseconds. */
  now: () => number;
}

/** Adds a customer. `token` is the only copy of its token. Throws `conflict` if the code is taken. */
export async function createCustomer(
  changing: ChangingCustomers,
  { code, name, group = null, notes = null }: CustomerCreate,
): Promise<{ customer: Customer; token: string }> {
  const { token, tokenHash } = newToken();
  const id = randomUUIDv7();
  const refuseTakenCode = refuseViolation({
    customers_code_key: () => refuse('customerCodeTaken', { code }, { field: 'code' }),
  });
  return makeChange(changing, async (tx, recordChange) => {
    await insertCustomer(tx, { id, code, name, group, notes, tokenHash, at: new Date(changing.now()) }).catch(
      refuseTakenCode,
    );
    const customer = found(await findCustomer(tx, id), 'customer');
    await recordChange('customer.create', { id, name: code, after: { code, ...shownOf(customer) } });
    return { customer, token };
  });
}

const shownOf = ({ name, isActive, group, notes }: Customer) => ({
  name,
  isActive,
  group: group ?? undefined,
  notes: notes ?? undefined,
});
async function lock(tx: Transaction, id: string): Promise<Customer | null> {
  await lockCustomer(tx, id);
  return findCustomer(tx, id);
}
const customers = changesOf({ kind: 'customer', what: 'customer', lock, nameOf: ({ code }) => code, shownOf });

/**
 * Changes the name, the labels or the state of a customer; fields that are left out stay. Throws `notFound`, and what
 * `checkVersion` throws for the customer before the change.
 */
export const changeCustomer = customers.changer(async (tx, id, values: CustomerUpdate, before) => {
  const { name, isActive, group = before.group, notes = before.notes } = values;
  await updateCustomer(tx, id, { name, isActive, group, notes });
  return found(await findCustomer(tx, id), 'customer');
});

/**
 * Gives a customer a new token; the result is its only copy. The previous token stays valid for the given number of hours. The
 * one before it becomes invalid now. Throws `notFound`.
 */
export async function rotateToken(
  changing: ChangingCustomers,
  id: string,
  graceHours: number,
): Promise<{ token: string; previousTokenExpiresAt: string | null }> {
  const { token, tokenHash } = newToken();
  return makeChange(changing, async (tx, recordChange) => {
    await lockCustomer(tx, id);
    const at = new Date(changing.now());
    const previousUntil = graceHours > 0 ? new Date(at.getTime() + graceHours * hourMs) : null;
    await replaceToken(tx, id, { tokenHash, at, previousUntil });
    const { code, previousTokenExpiresAt } = found(await findCustomer(tx, id), 'customer');
    await recordChange('customer.rotate-token', { id, name: code, after: { previousTokenExpiresAt } });
    return { token, previousTokenExpiresAt };
  });
}

/**
 * Deletes a customer: everyone sees it as deleted at once, and its data is deleted in steps. Throws `notFound`, and what
 * `checkVersion` throws for the customer before the deletion.
 */
export async function removeCustomer(
  changing: ChangingCustomers,
  id: string,
  checkVersion: Precondition<Customer>,
): Promise<void> {
  const judge = async (db: Queryable) => {
    const customer = found(await findCustomer(db, id), 'customer');
    checkVersion(customer);
    return customer;
  };
  // Judged first without the locks, so that a refusal never delays an ingest.
  await judge(changing.database);
  await retryBusy(() =>
    makeChange(changing, async (tx, recordChange) => {
      // Wait for materializing before holding back ingests, so that they do not wait for it.
      await lockEnergyOfCustomer(tx, id);
      await lockIngestExclusively(tx);
      await lockCustomer(tx, id);
      const before = await judge(tx);
      found(await deleteCustomer(tx, id, new Date(changing.now())), 'customer');
      await recordChange('customer.delete', {
        id,
        name: before.code,
        before: { code: before.code, ...shownOf(before) },
      });
    }),
  );
  // The customer is already deleted, so failures are ignored here. The maintenance deletes the rest and logs failures.
  await clearDeletedCustomer(changing.database, id, { maxSteps: maxClearingSteps }).catch(() => undefined);
}

/** How many customers are in each state now. */
export async function countCustomerStates(database: Database, nowMs: number): Promise<Record<CustomerState, number>> {
  const customers = await readSeenCustomers(database, allCustomers);
  return countByState(customers.map((customer) => judgeCustomer(customer, nowMs)));
}

const useIsNotedEveryMs = 60_000;

/** The customers of a scope with what is known from their batches, in no order. */
export const readSeenCustomers = (database: Database, scope: FleetScope) =>
  readWithinReach(database, (tx, reach) => listSeenCustomers(tx, scope, reach));

/** The batches of a customer in a range, as far as they are kept, in the order in which they came. */
export const readPastBatches = listPastBatches;

/**
 * Finds the active customer that a push token belongs to; null if there is none. Any text is looked up in the same way, so that
 * response times reveal nothing, and nothing is cached (docs/adr/0006).
 */
export function createTokenFinder({ database, now }: { database: Queryable; now: () => number }) {
  const findOwner = batchedLookup<string, TokenOwner>(async (tokenHashes) => {
    const rows = await findCustomersByTokens(database, tokenHashes, new Date(now()));
    return new Map(rows.map((owner) => [owner.tokenHash, owner]));
  });
  const noted = new Map<string, number>();
  // No batch waits for this write. If the write fails, a later batch repeats it.
  const noteUse = async (id: string) => {
    if (Math.abs(now() - (noted.get(id) ?? -Infinity)) < useIsNotedEveryMs) return;
    noted.set(id, now());
    await setPreviousTokenUsed(database, id, new Date(now())).catch(() => noted.delete(id));
  };
  return async (
    token: string,
    onRefused?: (refused: { customerId: string; refusal: Message }) => void,
  ): Promise<string | null> => {
    const owner = await findOwner(hash('sha256', token));
    if (owner === undefined) return null;
    if (owner.isActive && owner.isHonoured) {
      if (owner.isPrevious) void noteUse(owner.id);
      return owner.id;
    }
    onRefused?.({ customerId: owner.id, refusal: owner.isActive ? message('tokenReplaced') : message('customerOff') });
    return null;
  };
}
