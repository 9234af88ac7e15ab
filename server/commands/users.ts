import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { replacePassword } from '../db/accounts.ts';
import { violatedConstraint, type Transaction } from '../db/pool.ts';
import { deleteFailures } from '../db/sign-in-failures.ts';
import {
  deleteUser,
  findUser,
  insertUser,
  lockActiveAdmins,
  lockUser,
  updateUser,
  type User,
  type UserValues,
} from '../db/users.ts';
import { refuseRolesOutsideMode } from '../domain/accounts.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import { refuseWeakPassword } from '../domain/passwords.ts';
import type { AccountParts } from './accounts.ts';

export interface UserParts {
  accounts: AccountParts;
  runMode: 'Client' | 'Admin';
}

/** A user after a change, and the stamp that new sessions need where the change ended the old ones. */
export interface ChangedUser {
  user: User;
  newStamp: string | null;
}

/** Creates an account. Throws `invalid` on a weak password or a role that the run mode lacks, `conflict` on a taken email. */
export async function createUser(
  { accounts, runMode }: UserParts,
  values: UserValues & { password: string; violatedRules: readonly string[] },
): Promise<User> {
  refuseRolesOutsideMode(values.roles, runMode);
  refuseWeakPassword(values.violatedRules);
  const { database, passwords, now } = accounts;
  const id = randomUUIDv7();
  const passwordHash = await passwords.hash(values.password);
  await insertUser(database, { ...values, id, passwordHash, securityStamp: randomUUID() }).catch(explain(values));
  return found(await findUser(database, id, new Date(now())));
}

/**
 * Writes the whole user. Other roles and another `isActive` end the sessions. Throws `notFound`, what `createUser` throws,
 * and `conflict` when the last active Admin would lose the role or be switched off, or somebody switches themself off.
 */
export async function changeUser(
  { accounts, runMode }: UserParts,
  change: { actorId: string; id: string; values: UserValues },
): Promise<ChangedUser> {
  const { actorId, id, values } = change;
  refuseRolesOutsideMode(values.roles, runMode);
  if (id === actorId && !values.isActive) {
    throw new DomainError('conflict', 'isActive: you cannot switch off your own account; ask another administrator.');
  }
  return accounts.database.transaction(async (tx) => {
    const remainsAdmin = values.roles.includes('Admin') && values.isActive;
    const before = await lockForChange(tx, id, remainsAdmin);
    const endsSessions = before.isActive !== values.isActive || !isSameSet(before.roles, values.roles);
    const newStamp = endsSessions ? randomUUID() : null;
    await updateUser(tx, id, values, newStamp).catch(explain(values));
    return { user: found(await findUser(tx, id, new Date(accounts.now()))), newStamp };
  });
}

/** Deletes an account and with it its sessions. Throws `notFound`, and `conflict` on oneself and on the last active Admin. */
export async function removeUser(
  { accounts }: UserParts,
  { actorId, id }: { actorId: string; id: string },
): Promise<void> {
  if (id === actorId) {
    throw new DomainError('conflict', 'You cannot delete your own account; ask another administrator.');
  }
  await accounts.database.transaction(async (tx) => {
    await lockForChange(tx, id, false);
    await deleteUser(tx, id);
  });
}

/**
 * Gives a user another password, ends the sessions, opens the lock, and answers the new stamp. Throws `notFound`, and
 * `invalid` on a weak password.
 */
export async function resetPassword(
  { accounts }: UserParts,
  reset: { id: string; newPassword: string; violatedRules: readonly string[] },
): Promise<string> {
  const { database, passwords, now } = accounts;
  found(await findUser(database, reset.id, new Date(now())));
  refuseWeakPassword(reset.violatedRules);
  const securityStamp = randomUUID();
  const passwordHash = await passwords.hash(reset.newPassword);
  await database.transaction(async (tx) => {
    const email = await replacePassword(tx, { accountId: reset.id, passwordHash, securityStamp, expectedStamp: null });
    if (email === null) throw notFound('user');
    await deleteFailures(tx, email);
  });
  return securityStamp;
}

/** Opens the lock of a user, if there is one. Throws `notFound`. */
export async function unlockUser({ accounts }: UserParts, id: string): Promise<void> {
  const { database, now } = accounts;
  const user = found(await findUser(database, id, new Date(now())));
  await deleteFailures(database, user.email);
}

/** Holds the user, and the rule that an active Admin must remain, until the transaction ends. */
async function lockForChange(tx: Transaction, id: string, remainsAdmin: boolean) {
  const admins = await lockActiveAdmins(tx);
  const user = await lockUser(tx, id);
  if (user === null) throw notFound('user');
  if (!remainsAdmin && admins.length === 1 && admins[0] === id) {
    throw new DomainError(
      'conflict',
      'This is the last active administrator; give another active user the role Admin first.',
    );
  }
  return user;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}

function found(user: User | null): User {
  if (user === null) throw notFound('user');
  return user;
}

const explain = (values: UserValues) => (error: unknown) => {
  if (violatedConstraint(error) !== 'accounts_email_key') throw error;
  throw new DomainError('conflict', `email: there is already an account with ${values.email}; choose another email.`);
};
