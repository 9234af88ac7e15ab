import type { Queryable, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, listRows } from '../database/rows.ts';

export interface CustomerValues {
  name: string;
  isActive: boolean;
  group: string | null;
  notes: string | null;
}

export interface Customer extends CustomerValues {
  id: string;
  code: string;
  tokenIssuedAt: string;
  previousTokenExpiresAt: string | null;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  reconciledAt: string | null;
  inStepUpTo: string | null;
  differingDays: number | null;
  pushIntervalSeconds: number | null;
  createdAt: string;
}

export const customerColumns = `c.id, c.code, c.name, c.is_active AS "isActive", c.token_issued_at AS "tokenIssuedAt",
         c.previous_token_expires_at AS "previousTokenExpiresAt", s.first_seen_at AS "firstSeenAt",
         s.last_seen_at AS "lastSeenAt", s.reconciled_at AS "reconciledAt", s.in_step_to AS "inStepUpTo",
         s.differing_days AS "differingDays", s.push_interval_seconds AS "pushIntervalSeconds", c.created_at AS "createdAt",
         c.group_name AS "group", c.notes`;
const FIND = `SELECT ${customerColumns}
              FROM fleet.customers c LEFT JOIN fleet.customer_state s ON s.customer_id = c.id WHERE c.id = $1`;
// Locks this row and not the customer itself: batches refer to the customer, which may be in a reference table (decisions.md
// 9).
const LOCK = `SELECT FROM fleet.customer_state WHERE customer_id = $1 FOR NO KEY UPDATE`;
// Codes are unique by customers_code_key.
const INSERT = `INSERT INTO fleet.customers (id, code, name, is_active, token_hash, token_issued_at, created_at, group_name, notes)
         VALUES ($1, $2, $3, true, decode($4, 'hex'), $5, $5, $6, $7)`;
const SET_RECONCILED = `UPDATE fleet.customer_state
  SET reconciled_at = $2, in_step_to = $3, differing_days = $4, push_interval_seconds = $5 WHERE customer_id = $1`;
const INSERT_STATE = `INSERT INTO fleet.customer_state (customer_id) VALUES ($1)`;
const UPDATE = `UPDATE fleet.customers SET name = $2, is_active = $3, group_name = $4, notes = $5 WHERE id = $1`;
// At most once a minute: see `createTokenFinder`.
const SET_PREVIOUS_USED = `UPDATE fleet.customer_state SET previous_token_used_at = $2 WHERE customer_id = $1`;
const REPLACE_TOKEN = `UPDATE fleet.customers
         SET previous_token_hash = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE token_hash END,
             previous_token_expires_at = $4::timestamptz, token_hash = decode($2, 'hex'), token_issued_at = $3
         WHERE id = $1`;
const LOCK_ENERGY = `SELECT FROM fleet.energy_state WHERE customer_id = $1 ORDER BY device_number FOR UPDATE`;
const DELETE_DIRTY_RANGES = `DELETE FROM fleet.energy_dirty_ranges WHERE customer_id = $1`;
const NOTE_DELETED = `INSERT INTO fleet.deleted_customers (customer_id, deleted_at) VALUES ($1, $2)`;
// There is no foreign key, because it would tie accounts to rows that may be on other nodes (decisions.md 9).
const DELETE_ACCESS = `DELETE FROM fleet.customer_access WHERE customer_id = $1`;
const DELETE = `DELETE FROM fleet.customers WHERE id = $1`;
// Indexes customers_token_hash_key and customers_previous_token_hash. Both are searched for every token.
const FIND_BY_TOKENS = {
  name: 'customers_find_by_tokens',
  text: `SELECT encode(asked.hash, 'hex') AS "tokenHash", c.id, c.is_active AS "isActive", true AS "isHonoured", false AS "isPrevious"
         FROM (SELECT decode(hash, 'hex') AS hash FROM unnest($1::text[]) AS hash) asked
         JOIN fleet.customers c ON c.token_hash = asked.hash
         UNION ALL
         SELECT encode(asked.hash, 'hex'), c.id, c.is_active, c.previous_token_expires_at > $2::timestamptz, true
         FROM (SELECT decode(hash, 'hex') AS hash FROM unnest($1::text[]) AS hash) asked
         JOIN fleet.customers c ON c.previous_token_hash = asked.hash`,
};

export interface TokenOwner {
  tokenHash: string;
  id: string;
  isActive: boolean;
  /** False if the token was replaced and is no longer valid. */
  isHonoured: boolean;
  /** Whether the token is the one before the current token. */
  isPrevious: boolean;
}

export const findCustomer = (db: Queryable, id: string) => findRow<Customer>(db, FIND, id);

/** Locks the customer against other changes of the registry until the end of the transaction. */
export const lockCustomer = (tx: Transaction, id: string) => execute(tx, LOCK, id);

/** Violates `customers_code_key` if the code is taken. */
export async function insertCustomer(
  tx: Transaction,
  made: Omit<CustomerValues, 'isActive'> & { id: string; code: string; tokenHash: string; at: Date },
): Promise<void> {
  await execute(tx, INSERT, made.id, made.code, made.name, made.tokenHash, made.at, made.group, made.notes);
  await execute(tx, INSERT_STATE, made.id);
}

export const updateCustomer = (tx: Transaction, id: string, { name, isActive, group, notes }: CustomerValues) =>
  execute(tx, UPDATE, id, name, isActive, group, notes);

/**
 * The current token becomes the previous one and stays valid until the given instant. Without an instant, there is no previous
 * token.
 */
export const replaceToken = (
  tx: Transaction,
  id: string,
  { tokenHash, at, previousUntil }: { tokenHash: string; at: Date; previousUntil: Date | null },
) => execute(tx, REPLACE_TOKEN, id, tokenHash, at, previousUntil);

/** Stores the result that the customer's Client reported after its comparison. */
export const setReconciled = (
  db: Queryable,
  id: string,
  found: { at: Date; inStepUpTo: string | null; differingDays: number; intervalSeconds: number },
) =>
  execute(db, SET_RECONCILED, id, found.at, found.inStepUpTo, found.differingDays, Math.round(found.intervalSeconds));

/** Waits until nobody materializes readings of the customer any more. */
export const lockEnergyOfCustomer = (tx: Transaction, id: string) => execute(tx, LOCK_ENERGY, id);

/**
 * Deletes a customer. Call this only under `lockIngestExclusively`. Some data is not deleted with the row;
 * `clearDeletedCustomer` deletes it. False if the customer does not exist.
 */
export async function deleteCustomer(tx: Transaction, id: string, at: Date): Promise<boolean> {
  if (!(await affectsRows(tx, DELETE, id))) return false;
  await execute(tx, DELETE_ACCESS, id);
  await execute(tx, DELETE_DIRTY_RANGES, id);
  await execute(tx, NOTE_DELETED, id, at);
  return true;
}

/** The customers that have or had one of these tokens (SHA-256 in hex). */
export const findCustomersByTokens = (db: Queryable, tokenHashes: readonly string[], now: Date) =>
  listRows<TokenOwner>(db, FIND_BY_TOKENS, tokenHashes, now);

/** Notes that a customer uses the previous token. */
export const setPreviousTokenUsed = (db: Queryable, id: string, at: Date) => execute(db, SET_PREVIOUS_USED, id, at);
