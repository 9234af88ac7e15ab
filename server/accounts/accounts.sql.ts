import { type CurrentUser, type Role, role, type User } from '../../shared/accounts.ts';
import type { Queryable, Statement, Transaction } from '../database/pool.ts';
import { affectsRows, execute, findRow, findValue, listRows, listValues, valuesOf } from '../database/rows.ts';
import { lockedForSeconds, noFailures, type SignInFailures } from './lockout.rules.ts';
import { hasAppOf, hasPasskeyOf, hasSecondFactorOf, isRequiredOf } from './second-factor.sql.ts';

/** An account as its own session sees it. */
export interface Account extends Pick<CurrentUser, 'email' | 'displayName' | 'roles'> {
  id: string;
}

/** The fields of an account that administrators set. */
export type UserValues = Pick<User, 'email' | 'displayName' | 'roles' | 'isActive'>;

/** The data of an account that is needed to sign in. */
export interface AccountSecrets {
  id: string;
  email: string;
  passwordHash: string;
  securityStamp: string;
  isActive: boolean;
  roles: Role[];
  hasApp: boolean;
  hasPasskey: boolean;
  /** Whether the account must have a second factor. */
  isRequired: boolean;
}

// Read in one snapshot with the stamp. Everything that changes or requires a second factor also changes the stamp. So if that
// happens now, this sign-in fails.
const selectSecrets = `SELECT a.id, a.email, a.password_hash AS "passwordHash", a.security_stamp AS "securityStamp",
    a.is_active AS "isActive", a.roles, ${hasAppOf} AS "hasApp", ${hasPasskeyOf} AS "hasPasskey",
    ${isRequiredOf} AS "isRequired"
  FROM portal.accounts a`;
// Index accounts_email_key, unique on lower(email).
const FIND_SECRETS_BY_EMAIL: Statement = {
  name: 'accounts.find_secrets_by_email',
  text: `${selectSecrets} WHERE lower(a.email) = lower($1)`,
};
const FIND_SECRETS = `${selectSecrets} WHERE a.id = $1`;
// Changes the password only if the one that was just checked is still the current one. A change in between wins.
const RECORD_SIGN_IN = `UPDATE portal.accounts SET last_login_at = COALESCE($3, last_login_at), password_hash = COALESCE($4, password_hash)
  WHERE id = $1 AND security_stamp = $2 AND is_active
  RETURNING id, email, display_name AS "displayName", roles`;
const REPLACE_STAMP = `UPDATE portal.accounts SET password_hash = COALESCE($2, password_hash), security_stamp = $3
  WHERE id = $1 AND ($4::uuid IS NULL OR security_stamp = $4)
  RETURNING email`;
// Index sign_in_failures_pkey; failures are stored by lower-case email.
const selectUsers = `SELECT a.id, a.email, a.display_name AS "displayName", a.roles, a.is_active AS "isActive",
                            f.locked_until AS "lockedUntil", a.last_login_at AS "lastLoginAt",
                            a.created_at AS "createdAt", ${hasSecondFactorOf} AS "hasSecondFactor"
                     FROM portal.accounts a
                     LEFT JOIN portal.sign_in_failures f ON f.email_key = lower(a.email)`;
const FIND_USER = `${selectUsers} WHERE a.id = $1`;
const INSERT_UNLESS_EMAIL_EXISTS = `INSERT INTO portal.accounts (email, display_name, roles, is_active, id, password_hash, security_stamp)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lower(email)) DO NOTHING`;
const UPDATE_USER = `UPDATE portal.accounts
  SET email = $1, display_name = $2, roles = $3, is_active = $4, security_stamp = COALESCE($6, security_stamp)
  WHERE id = $5`;
const DELETE_USER = `DELETE FROM portal.accounts WHERE id = $1`;
// Locked in order, so that two administrators who change each other wait instead of deadlocking. The second one then sees the
// rows that the first one has written, without those that are no longer active Admins.
const LOCK_ACTIVE_ADMINS = `SELECT id FROM portal.accounts WHERE 'Admin' = ANY(roles) AND is_active ORDER BY id FOR UPDATE`;
const LOCK_ACCOUNT = `SELECT email, display_name AS "displayName", roles, is_active AS "isActive" FROM portal.accounts WHERE id = $1 FOR UPDATE`;
const userFields = ['email', 'displayName', 'roles', 'isActive'] as const;

export const findSecretsByEmail = (database: Queryable, email: string) =>
  findRow<AccountSecrets>(database, FIND_SECRETS_BY_EMAIL, email);

export const findSecrets = (database: Queryable, accountId: string) =>
  findRow<AccountSecrets>(database, FIND_SECRETS, accountId);

export const hasSecondFactor = ({ hasApp, hasPasskey }: AccountSecrets): boolean => hasApp || hasPasskey;

/**
 * Null if the account was changed, deactivated or deleted after its secrets were read. Without `at`, the sign-in is not
 * complete yet.
 */
export async function recordSignIn(
  database: Queryable,
  signIn: { accountId: string; securityStamp: string; at: Date | null; newPasswordHash?: string | null },
): Promise<Account | null> {
  const { accountId, securityStamp, at, newPasswordHash = null } = signIn;
  return inOrder(await findRow<Account>(database, RECORD_SIGN_IN, accountId, securityStamp, at, newPasswordHash));
}

/**
 * Sets a new stamp and, if given, a new password. Returns the email of the account, or null if it does not exist or its
 * stamp is no longer `expectedStamp`.
 */
export const replaceStamp = (
  database: Queryable,
  change: { accountId: string; passwordHash: string | null; securityStamp: string; expectedStamp: string | null },
) => {
  const { accountId, passwordHash, securityStamp, expectedStamp } = change;
  return findValue<string>(database, REPLACE_STAMP, accountId, passwordHash, securityStamp, expectedStamp);
};

/** All users, in no particular order. A lock that has expired by `now` does not count. */
export const listUsers = async (database: Queryable, now: Date) =>
  (await listRows<User>(database, selectUsers)).flatMap((row) => lockedAt(now, inOrder(row)) ?? []);

export const findUser = async (database: Queryable, id: string, now: Date) =>
  lockedAt(now, inOrder(await findRow<User>(database, FIND_USER, id)));

function lockedAt(now: Date, user: User | null): User | null {
  if (user === null || user.lockedUntil === null) return user;
  const failures = { ...noFailures, lockedUntil: Date.parse(user.lockedUntil) };
  return lockedForSeconds(failures, now.getTime()) > 0 ? user : { ...user, lockedUntil: null };
}

/** False if an account with that email already exists; upper and lower case count as equal. */
export const insertUserUnlessEmailExists = (
  database: Queryable,
  user: UserValues & { id: string; passwordHash: string; securityStamp: string },
) =>
  affectsRows(
    database,
    INSERT_UNLESS_EMAIL_EXISTS,
    ...valuesOf(user, [...userFields, 'id', 'passwordHash', 'securityStamp']),
  );

/**
 * Changes an account. Without a new stamp, the sessions of the user continue. Violates `accounts_email_key` if another account
 * has the email.
 */
export const updateUser = (transaction: Transaction, id: string, values: UserValues, newStamp: string | null) =>
  execute(transaction, UPDATE_USER, ...valuesOf(values, userFields), id, newStamp);

export const deleteUser = (transaction: Transaction, id: string) => execute(transaction, DELETE_USER, id);

export const lockActiveAdmins = (transaction: Transaction) => listValues<string>(transaction, LOCK_ACTIVE_ADMINS);

export const lockAccount = async (transaction: Transaction, id: string) =>
  inOrder(await findRow<UserValues>(transaction, LOCK_ACCOUNT, id));

/** The row of an account, with its roles in their fixed order. */
export const inOrder = <Row extends { roles: Role[] }>(row: Row | null): Row | null =>
  row && { ...row, roles: orderedRoles(row.roles) };

/** The known roles among `given`, each once, in their fixed order. */
export const orderedRoles = (given: readonly string[]): Role[] => role.options.filter((one) => given.includes(one));

interface FailuresRow {
  failedAt: Date[];
  lockedUntil: string | null;
}

const FIND_FAILURES: Statement = {
  name: 'sign_in_failures.find',
  text: `SELECT failed_at AS "failedAt", locked_until AS "lockedUntil"
         FROM portal.sign_in_failures WHERE email_key = lower($1)`,
};
// Locks the row, so that two portals on one database count every failure.
const LOCK_FAILURES = `INSERT INTO portal.sign_in_failures (email_key, failed_at) VALUES (lower($1), '{}')
  ON CONFLICT (email_key) DO UPDATE SET email_key = EXCLUDED.email_key
  RETURNING failed_at AS "failedAt", locked_until AS "lockedUntil"`;
const UPDATE_FAILURES = `UPDATE portal.sign_in_failures SET failed_at = $2, locked_until = $3 WHERE email_key = lower($1)`;
const DELETE_FAILURES = `DELETE FROM portal.sign_in_failures WHERE email_key = lower($1)`;
// `failed_at` ascends, so its last item is the newest. Rows that a sign-in has locked are skipped.
const DELETE_OUTDATED_FAILURES = `DELETE FROM portal.sign_in_failures WHERE email_key IN (
  SELECT email_key FROM portal.sign_in_failures
  WHERE COALESCE(failed_at[cardinality(failed_at)] <= $1, true) AND COALESCE(locked_until <= $2, true)
  FOR UPDATE SKIP LOCKED)`;

export const findFailures = async (database: Queryable, email: string) =>
  toFailures(await findRow<FailuresRow>(database, FIND_FAILURES, email));

export const lockFailures = async (transaction: Queryable, email: string) =>
  toFailures(await findRow<FailuresRow>(transaction, LOCK_FAILURES, email));

export async function updateFailures(transaction: Queryable, email: string, failures: SignInFailures): Promise<void> {
  const lockedUntil = failures.lockedUntil === null ? null : new Date(failures.lockedUntil);
  const failedAt = failures.failedAt.map((at) => new Date(at));
  await execute(transaction, UPDATE_FAILURES, email, failedAt, lockedUntil);
}

/** Forgets the failures of this email and opens its lock. */
export const deleteFailures = (database: Queryable, email: string) => execute(database, DELETE_FAILURES, email);

/** Deletes rows that can no longer lock anybody: newest failure at or before `failedBefore`, no lock after `now`. */
export const deleteOutdatedFailures = (database: Queryable, failedBefore: Date, now: Date) =>
  execute(database, DELETE_OUTDATED_FAILURES, failedBefore, now);

function toFailures(row: FailuresRow | null): SignInFailures {
  if (row === null) return noFailures;
  const { failedAt, lockedUntil } = row;
  return {
    failedAt: failedAt.map((at) => at.getTime()),
    lockedUntil: lockedUntil === null ? null : Date.parse(lockedUntil),
  };
}
