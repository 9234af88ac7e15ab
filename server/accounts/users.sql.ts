import type { Role } from './accounts.rules.ts';
import { lockedForSeconds, noFailures } from './lockout.rules.ts';
import { inOrder } from './accounts.sql.ts';
import type { Queryable, Statement, Transaction } from '../database/pool.ts';
import { execute, findRow, listRows, listValues, valuesOf } from '../database/rows.ts';
import { hasSecondFactorOf } from './second-factor.sql.ts';

export interface UserValues {
  email: string;
  displayName: string;
  roles: readonly Role[];
  isActive: boolean;
}

/** A locked account. */
export interface LockedUser extends UserValues {
  roles: Role[];
}

/** An account as the administrators see it. */
export interface User extends LockedUser {
  id: string;
  hasSecondFactor: boolean;
  lockedUntil: string | null;
  lastLoginAt: string | null;
  createdAt: string;
}

// Index sign_in_failures_pkey; failures are stored by lower-case email.
const selectUsers = `SELECT a.id, a.email, a.display_name AS "displayName", a.roles, a.is_active AS "isActive",
                            f.locked_until AS "lockedUntil", a.last_login_at AS "lastLoginAt",
                            a.created_at AS "createdAt", ${hasSecondFactorOf} AS "hasSecondFactor"
                     FROM portal.accounts a
                     LEFT JOIN portal.sign_in_failures f ON f.email_key = lower(a.email)`;
const LIST: Statement = { text: selectUsers };
const FIND = `${selectUsers} WHERE a.id = $1`;
// Emails are unique by accounts_email_key, ignoring case.
const INSERT = `INSERT INTO portal.accounts (id, email, display_name, password_hash, roles, is_active, security_stamp)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const UPDATE = `UPDATE portal.accounts
  SET email = $2, display_name = $3, roles = $4, is_active = $5, security_stamp = COALESCE($6, security_stamp)
  WHERE id = $1`;
const DELETE = `DELETE FROM portal.accounts WHERE id = $1`;
// Ordered, so that two administrators who change each other wait instead of deadlocking. After waiting, one sees the rows as
// the other left them, without those that are no longer active Admins.
const LOCK_ACTIVE_ADMINS = `SELECT id FROM portal.accounts WHERE 'Admin' = ANY(roles) AND is_active ORDER BY id FOR UPDATE`;
const LOCK = `SELECT email, display_name AS "displayName", roles, is_active AS "isActive" FROM portal.accounts WHERE id = $1 FOR UPDATE`;

/** Every user, in no order. A lock that holds nobody at `now` counts as none. */
export const listUsers = async (database: Queryable, now: Date) =>
  (await listRows<User>(database, LIST)).flatMap((row) => lockedAt(now, inOrder(row)) ?? []);

export const findUser = async (database: Queryable, id: string, now: Date) =>
  lockedAt(now, inOrder(await findRow<User>(database, FIND, id)));

function lockedAt(now: Date, user: User | null): User | null {
  if (user === null || user.lockedUntil === null) return user;
  const failures = { ...noFailures, lockedUntil: Date.parse(user.lockedUntil) };
  return lockedForSeconds(failures, now.getTime()) > 0 ? user : { ...user, lockedUntil: null };
}

/** Violates `accounts_email_key` if the email is taken. */
export async function insertUser(
  database: Queryable,
  user: UserValues & { id: string; passwordHash: string; securityStamp: string },
): Promise<void> {
  const { id, email, displayName, passwordHash, roles, isActive, securityStamp } = user;
  await execute(database, INSERT, id, email, displayName, passwordHash, roles, isActive, securityStamp);
}

/** Without a new stamp the user's sessions go on. Violates `accounts_email_key` if the email is taken. */
export const updateUser = (transaction: Transaction, id: string, values: UserValues, newStamp: string | null) =>
  execute(transaction, UPDATE, id, ...valuesOf(values, ['email', 'displayName', 'roles', 'isActive']), newStamp);

export const deleteUser = (transaction: Transaction, id: string) => execute(transaction, DELETE, id);

/** The ids of all active Admins, locked until the transaction ends. */
export const lockActiveAdmins = (transaction: Transaction) => listValues<string>(transaction, LOCK_ACTIVE_ADMINS);

/** A user, locked until the transaction ends; null if there is none. */
export const lockUser = async (transaction: Transaction, id: string) =>
  inOrder(await findRow<LockedUser>(transaction, LOCK, id));
