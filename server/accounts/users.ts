import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Role, User } from '../../shared/accounts.ts';
import type { Queryable, Transaction } from '../database/pool.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import type { AccountActor, AnonymousActor, Author } from '../base/scopes.ts';
import { refuseViolation } from '../database/errors.ts';
import {
  type AccountSecrets,
  findSecrets,
  findSecretsByEmail,
  replaceStamp,
  deleteFailures,
  deleteUser,
  findUser,
  insertUserUnlessEmailExists,
  lockActiveAdmins,
  lockAccount,
  updateUser,
  type UserValues,
} from './accounts.sql.ts';
import { deleteSessionsOf } from './sessions.sql.ts';
import { refuseWeakPassword } from './passwords.ts';
import { makeChange } from './audit.ts';
import { withOwnPassword } from './accounts.ts';
import { type AccountParts, ownFailuresKey } from './sign-in-attempts.ts';

export interface UserParts {
  accounts: AccountParts;
  runMode: 'Client' | 'Admin';
}

/** Client mode has only the role Admin (decisions.md 2). */
export function refuseRolesOutsideMode(roles: readonly Role[], runMode: 'Client' | 'Admin'): void {
  if (runMode === 'Client' && roles.some((role) => role !== 'Admin')) {
    throw refuse('restrictedInClient', {}, { field: 'roles' });
  }
}

/** Throws `notFound`. */
export const getUser = async (database: Queryable, id: string, nowMs: number): Promise<User> =>
  found(await findUser(database, id, new Date(nowMs)), 'user');

/** A user, locked until the transaction ends. Throws `notFound`. */
export const lockUser = async (tx: Transaction, id: string): Promise<UserValues> =>
  found(await lockAccount(tx, id), 'user');

/**
 * Creates an account. Throws `invalid` for a weak password or a role that the run mode does not have, and `conflict` if the
 * email is taken.
 */
export async function createUser(
  { accounts, runMode }: UserParts,
  by: Author,
  values: UserValues & { password: string },
): Promise<User> {
  refuseRolesOutsideMode(values.roles, runMode);
  refuseWeakPassword(values.password, accounts.passwords);
  const { database, passwords, now } = accounts;
  const id = randomUUIDv7();
  const passwordHash = await passwords.hash(values.password);
  return makeChange({ database, by }, async (tx, recordChange) => {
    const user = { ...values, id, passwordHash, securityStamp: randomUUID() };
    if (!(await insertUserUnlessEmailExists(tx, user))) throw emailTaken(values);
    await recordChange('user.create', { id, name: values.email, after: shownOf(values) });
    return getUser(tx, id, now());
  });
}

/**
 * Writes all fields of a user. A change of the roles or of `isActive` ends the sessions of the user; the new stamp is returned
 * too. Throws `notFound`, and what `createUser` throws. Throws `conflict` if the last active Admin would lose the role or be
 * deactivated, or if users deactivate themselves. Throws `invalid` if users change their own email or roles without the current
 * password; a wrong password counts as a failed sign-in.
 */
export async function changeUser(
  { accounts, runMode }: UserParts,
  change: {
    by: Author<AccountActor>;
    id: string;
    values: UserValues;
    checkVersion: Precondition<UserValues>;
    /** The password of the account that makes the change. Needed if it changes its own email or roles. */
    currentPassword: string | undefined;
  },
) {
  const { by, id, values, currentPassword } = change;
  const { database } = accounts;
  const isOwn = id === by.actor.accountId;
  refuseRolesOutsideMode(values.roles, runMode);
  if (isOwn && !values.isActive) {
    throw refuse('notOwnAccountOff', {}, { field: 'isActive' });
  }
  const isProven = isOwn && currentPassword !== undefined;
  if (isProven) await withOwnPassword(accounts, { by, currentPassword }, async () => true);
  return makeChange({ database, by }, async (tx, recordChange) => {
    const remainsAdmin = values.roles.includes('Admin') && values.isActive;
    const before = await lockForChange(tx, id, remainsAdmin);
    change.checkVersion(before);
    const hasOtherRoles = new Set(before.roles).symmetricDifference(new Set(values.roles)).size > 0;
    if (isOwn && !isProven && (hasOtherRoles || before.email !== values.email)) {
      throw refuse('typeOwnPassword', {}, { field: 'currentPassword' });
    }
    const newStamp = hasOtherRoles || before.isActive !== values.isActive ? randomUUID() : null;
    await updateUser(tx, id, values, newStamp).catch(refuseViolation({ accounts_email_key: () => emailTaken(values) }));
    if (newStamp !== null) await deleteSessionsOf(tx, id, isOwn ? by.actor.sessionId : null);
    const user = await getUser(tx, id, accounts.now());
    await recordChange('user.change', { id, name: before.email, before: shownOf(before), after: shownOf(user) });
    return { user, newStamp };
  });
}

/**
 * Deletes an account with its sessions. Throws `notFound`; `conflict` for the caller's own account and for the last active
 * Admin; and what `checkVersion` throws.
 */
export async function removeUser(
  { accounts }: UserParts,
  { by, id, checkVersion }: { by: Author<AccountActor>; id: string; checkVersion: Precondition<UserValues> },
): Promise<void> {
  if (id === by.actor.accountId) {
    throw refuse('notOwnAccountDeleted');
  }
  await makeChange({ database: accounts.database, by }, async (tx, recordChange) => {
    const before = await lockForChange(tx, id, false);
    checkVersion(before);
    await deleteUser(tx, id);
    await recordChange('user.delete', { id, name: before.email, before: shownOf(before) });
  });
}

/**
 * Sets a new password for another user, ends their sessions and unlocks the account. Throws `notFound`; `conflict` for the
 * caller's own account, which needs the current password; and `invalid` for a weak password.
 */
export async function resetPassword(
  { accounts }: UserParts,
  reset: { by: Author<AccountActor>; id: string; newPassword: string },
): Promise<void> {
  if (reset.id === reset.by.actor.accountId) {
    throw refuse('notOwnReset');
  }
  const { database, passwords, now } = accounts;
  await getUser(database, reset.id, now());
  refuseWeakPassword(reset.newPassword, passwords);
  const securityStamp = randomUUID();
  const passwordHash = await passwords.hash(reset.newPassword);
  await makeChange({ database, by: reset.by }, async (tx, recordChange) => {
    const change = { accountId: reset.id, passwordHash, securityStamp, expectedStamp: null };
    const email = found(await replaceStamp(tx, change), 'user');
    for (const key of [ownFailuresKey(reset.id), email]) await deleteFailures(tx, key);
    await deleteSessionsOf(tx, reset.id, null);
    await recordChange('user.reset-password', { id: reset.id, name: email });
  });
}

/** Null if there is no active account with that email. */
export async function findActiveAccount(
  { database }: Pick<AccountParts, 'database'>,
  by: { id: string } | { email: string },
): Promise<Pick<AccountSecrets, 'id' | 'email' | 'securityStamp' | 'roles'> | null> {
  const secrets = 'id' in by ? await findSecrets(database, by.id) : await findSecretsByEmail(database, by.email);
  return secrets?.isActive === true ? secrets : null;
}

/** The account with an email, active or not. */
export const findAccountId = async (db: Queryable, email: string): Promise<string | null> =>
  (await findSecretsByEmail(db, email))?.id ?? null;

/**
 * Sets the password of a user who has proved to own the email, ends the sessions and unlocks the account. False if the account
 * has changed since the proof. Throws `invalid` for a weak password.
 */
export async function resetForgottenPassword(
  { accounts }: Pick<UserParts, 'accounts'>,
  {
    by,
    accountId,
    securityStamp: expectedStamp,
    email: sentTo,
    newPassword,
  }: {
    by: Author<AnonymousActor>;
    accountId: string;
    securityStamp: string;
    email?: string | undefined;
    newPassword: string;
  },
): Promise<boolean> {
  const { database, passwords } = accounts;
  const secrets = await findSecrets(database, accountId);
  if (secrets === null || !secrets.isActive || secrets.securityStamp !== expectedStamp) return false;
  if (secrets.email !== sentTo) return false;
  refuseWeakPassword(newPassword, passwords);
  const passwordHash = await passwords.hash(newPassword);
  return makeChange({ database, by }, async (tx, recordChange) => {
    const change = { accountId, passwordHash, securityStamp: randomUUID(), expectedStamp };
    const email = await replaceStamp(tx, change);
    if (email === null) return false;
    for (const key of [ownFailuresKey(accountId), email]) await deleteFailures(tx, key);
    await deleteSessionsOf(tx, accountId, null);
    await recordChange('user.reset-forgotten-password', { id: accountId, name: email });
    return true;
  });
}

/** Unlocks a user. Throws `notFound`. */
export async function unlockUser({ accounts }: UserParts, by: Author, id: string): Promise<void> {
  const { database, now } = accounts;
  await makeChange({ database, by }, async (tx, recordChange) => {
    const { email } = await getUser(tx, id, now());
    for (const key of [ownFailuresKey(id), email]) await deleteFailures(tx, key);
    await recordChange('user.unlock', { id, name: email });
  });
}

const shownOf = ({ email, displayName, roles, isActive }: UserValues) => ({ email, displayName, roles, isActive });

/** Locks the user and all active Admins until the transaction ends, so that at least one Admin remains. */
async function lockForChange(tx: Transaction, id: string, remainsAdmin: boolean) {
  const admins = await lockActiveAdmins(tx);
  const user = await lockUser(tx, id);
  if (!remainsAdmin && admins.length === 1 && admins[0] === id) {
    throw refuse('lastAdministrator');
  }
  return user;
}

const emailTaken = ({ email }: UserValues) => refuse('emailTaken', { email }, { field: 'email' });
