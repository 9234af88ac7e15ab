import { type Account, orderedRoles, type Role } from './accounts.rules.ts';
import type { Queryable, Statement } from '../database/pool.ts';
import { affectsRows, findRow, findValue, valuesOf } from '../database/rows.ts';
import { hasAppOf, hasPasskeyOf, isRequiredOf } from './second-factor.sql.ts';

/** What signing in needs from an account. */
export interface AccountSecrets {
  id: string;
  email: string;
  passwordHash: string;
  securityStamp: string;
  isActive: boolean;
  hasApp: boolean;
  hasPasskey: boolean;
  /** Whether the account must have a second factor. */
  isRequired: boolean;
}

const accountColumns = `id, email, display_name AS "displayName", roles`;

// In one snapshot with the stamp: everything that changes or requires a second factor also changes the stamp, so that this sign-in
// then fails.
const selectSecrets = `SELECT a.id, a.email, a.password_hash AS "passwordHash", a.security_stamp AS "securityStamp",
    a.is_active AS "isActive", ${hasAppOf} AS "hasApp", ${hasPasskeyOf} AS "hasPasskey",
    ${isRequiredOf} AS "isRequired"
  FROM portal.accounts a`;
// This and the next statement use accounts_email_key, unique on lower(email).
const FIND_SECRETS_BY_EMAIL: Statement = {
  name: 'accounts.find_secrets_by_email',
  text: `${selectSecrets} WHERE lower(a.email) = lower($1)`,
};
const INSERT_UNLESS_EMAIL_EXISTS = `INSERT INTO portal.accounts (id, email, display_name, password_hash, roles, security_stamp)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (lower(email)) DO NOTHING`;
const FIND_SECRETS = `${selectSecrets} WHERE a.id = $1`;
// Only if the password just checked is still current: a change in the meantime wins.
const RECORD_SIGN_IN = `UPDATE portal.accounts SET last_login_at = COALESCE($3, last_login_at), password_hash = COALESCE($4, password_hash)
  WHERE id = $1 AND security_stamp = $2 AND is_active
  RETURNING ${accountColumns}`;
const UPDATE_DISPLAY_NAME = `UPDATE portal.accounts SET display_name = $2 WHERE id = $1 RETURNING ${accountColumns}`;
const REPLACE_STAMP = `UPDATE portal.accounts SET password_hash = COALESCE($2, password_hash), security_stamp = $3
  WHERE id = $1 AND ($4::uuid IS NULL OR security_stamp = $4)
  RETURNING email`;

export const findSecretsByEmail = (database: Queryable, email: string) =>
  findRow<AccountSecrets>(database, FIND_SECRETS_BY_EMAIL, email);

export const findSecrets = (database: Queryable, accountId: string) =>
  findRow<AccountSecrets>(database, FIND_SECRETS, accountId);

/** False if an account with that email exists already, in any case. */
export const insertAccountUnlessEmailExists = (
  database: Queryable,
  account: Account & { passwordHash: string; securityStamp: string },
) =>
  affectsRows(
    database,
    INSERT_UNLESS_EMAIL_EXISTS,
    ...valuesOf(account, ['id', 'email', 'displayName', 'passwordHash', 'roles', 'securityStamp']),
  );

export const hasSecondFactor = ({ hasApp, hasPasskey }: AccountSecrets): boolean => hasApp || hasPasskey;

/** Null when the account was changed, deactivated or deleted since its secrets were read. Without `at` the sign-in is not complete yet. */
export async function recordSignIn(
  database: Queryable,
  signIn: { accountId: string; securityStamp: string; at: Date | null; newPasswordHash?: string | null },
): Promise<Account | null> {
  const { accountId, securityStamp, at, newPasswordHash = null } = signIn;
  return inOrder(await findRow<Account>(database, RECORD_SIGN_IN, accountId, securityStamp, at, newPasswordHash));
}

export const updateDisplayName = async (database: Queryable, accountId: string, displayName: string) =>
  inOrder(await findRow<Account>(database, UPDATE_DISPLAY_NAME, accountId, displayName));

/**
 * Sets a new stamp, and a new password if one is given, and returns the email of the account. Null if there is no such account or if `expectedStamp`
 * is given and another change came first.
 */
export async function replaceStamp(
  database: Queryable,
  change: { accountId: string; passwordHash: string | null; securityStamp: string; expectedStamp: string | null },
): Promise<string | null> {
  const values = valuesOf(change, ['accountId', 'passwordHash', 'securityStamp', 'expectedStamp']);
  return findValue<string>(database, REPLACE_STAMP, ...values);
}

/** The row with the roles in their fixed order. */
export const inOrder = <Row extends { roles: Role[] }>(row: Row | null): Row | null =>
  row && { ...row, roles: orderedRoles(row.roles) };
