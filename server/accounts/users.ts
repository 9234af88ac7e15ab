import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { replaceStamp } from './accounts.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { deleteSessionsOf } from './sessions.sql.ts';
import { deleteFailures } from './sign-in-failures.sql.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  lockActiveAdmins,
  lockUser,
  updateUser,
  type LockedUser,
  type User,
  type UserValues,
} from './users.sql.ts';
import { refuseRolesOutsideMode } from './accounts.rules.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { refuseWeakPassword } from './passwords.rules.ts';
import type { AccountActor, Author } from '../base/scopes.ts';
import { makeChange } from './audit.ts';
import { proveOwnPassword } from './accounts.ts';
import { type AccountParts, ownFailuresKey } from './sign-in-attempts.ts';
import { refuseViolation } from '../database/errors.ts';

export interface UserParts {
  accounts: AccountParts;
  runMode: 'Client' | 'Admin';
}

/** Creates an account. Throws `invalid` on a weak password or a role that the run mode lacks, `conflict` on a taken email. */
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
    await insertUser(tx, { ...values, id, passwordHash, securityStamp: randomUUID() }).catch(explain(values));
    await recordChange('user.create', { id, name: values.email, after: shownOf(values) });
    return found(await findUser(tx, id, new Date(now())), 'user');
  });
}

/**
 * Writes the whole user. Changing roles or `isActive` ends the sessions; the new stamp is returned too. Throws `notFound`, what
 * `createUser` throws, `conflict` if the last active Admin would lose the role or be deactivated, or if somebody deactivates
 * themself, and `invalid` if somebody changes their own email or roles without the current password; a wrong one counts as a
 * failed sign-in.
 */
export async function changeUser(
  { accounts, runMode }: UserParts,
  change: {
    by: Author<AccountActor>;
    id: string;
    values: UserValues;
    checkVersion: Precondition<LockedUser>;
    /** The password of the account that asks; needed to change its own email or roles. */
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
  if (isProven) await proveOwnPassword(accounts, { by, currentPassword });
  return makeChange({ database, by }, async (tx, recordChange) => {
    const remainsAdmin = values.roles.includes('Admin') && values.isActive;
    const before = await lockForChange(tx, id, remainsAdmin);
    change.checkVersion(before);
    const hasOtherRoles = !isSameSet(before.roles, values.roles);
    if (isOwn && !isProven && (hasOtherRoles || before.email !== values.email)) {
      throw refuse('typeOwnPassword', {}, { field: 'currentPassword' });
    }
    const newStamp = hasOtherRoles || before.isActive !== values.isActive ? randomUUID() : null;
    await updateUser(tx, id, values, newStamp).catch(explain(values));
    if (newStamp !== null) await deleteSessionsOf(tx, id, isOwn ? by.actor.sessionId : null);
    const user = found(await findUser(tx, id, new Date(accounts.now())), 'user');
    await recordChange('user.change', { id, name: before.email, before: shownOf(before), after: shownOf(user) });
    return { user, newStamp };
  });
}

/** Deletes an account and with it its sessions. Throws `notFound`, `conflict` on oneself and on the last active Admin, and what `checkVersion` throws. */
export async function removeUser(
  { accounts }: UserParts,
  { by, id, checkVersion }: { by: Author<AccountActor>; id: string; checkVersion: Precondition<LockedUser> },
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
 * Sets a new password for another user, ends their sessions and unlocks the account. Throws `notFound`, `conflict` for oneself
 * (who changes it with the current password), and `invalid` for a weak password.
 */
export async function resetPassword(
  { accounts }: UserParts,
  reset: { by: Author<AccountActor>; id: string; newPassword: string },
): Promise<void> {
  if (reset.id === reset.by.actor.accountId) {
    throw refuse('notOwnReset');
  }
  const { database, passwords, now } = accounts;
  found(await findUser(database, reset.id, new Date(now())), 'user');
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

/** Unlocks a user. Throws `notFound`. */
export async function unlockUser({ accounts }: UserParts, by: Author, id: string): Promise<void> {
  const { database, now } = accounts;
  await makeChange({ database, by }, async (tx, recordChange) => {
    const { email } = found(await findUser(tx, id, new Date(now())), 'user');
    for (const key of [ownFailuresKey(id), email]) await deleteFailures(tx, key);
    await recordChange('user.unlock', { id, name: email });
  });
}

const shownOf = ({ email, displayName, roles, isActive }: UserValues) => ({ email, displayName, roles, isActive });

/** Locks the user, and the rule that an active Admin must remain, until the transaction ends. */
async function lockForChange(tx: Transaction, id: string, remainsAdmin: boolean) {
  const admins = await lockActiveAdmins(tx);
  const user = found(await lockUser(tx, id), 'user');
  if (!remainsAdmin && admins.length === 1 && admins[0] === id) {
    throw refuse('lastAdministrator');
  }
  return user;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}

const explain = ({ email }: UserValues) =>
  refuseViolation({
    accounts_email_key: () => refuse('emailTaken', { email }, { field: 'email' }),
  });
