import type { Queryable, Transaction } from '../database/pool.ts';
import { execute, listRows, listValues } from '../database/rows.ts';

// Index customer_access_user_id.
const LIST = `SELECT customer_id AS id FROM fleet.customer_access WHERE user_id = $1 ORDER BY 1`;
const LIST_KNOWN = `SELECT id, code FROM fleet.customers WHERE id = ANY ($1::uuid[])`;
const DELETE = `DELETE FROM fleet.customer_access WHERE user_id = $1`;
const INSERT = `INSERT INTO fleet.customer_access (customer_id, user_id) SELECT id, $1 FROM unnest($2::uuid[]) AS id ORDER BY id`;

/** The customers that a user may see as a RestrictedAdmin, in the order of their ids. */
export const listCustomersOfUser = (db: Queryable, userId: string) => listValues<string>(db, LIST, userId);

/** The codes of the customers among these ids. */
export const listKnownCustomers = async (db: Queryable, ids: readonly string[]) =>
  new Map((await listRows<{ id: string; code: string }>(db, LIST_KNOWN, ids)).map(({ id, code }) => [id, code]));

/** Violates `customer_access_customer_fkey` if the customer does not exist. */
export async function replaceCustomersOfUser(tx: Transaction, userId: string, ids: readonly string[]): Promise<void> {
  await execute(tx, DELETE, userId);
  await execute(tx, INSERT, userId, ids);
}
