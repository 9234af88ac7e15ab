import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { z } from 'zod';
import type { profileUpdate } from '../../shared/accounts.ts';
import type { AccountActor, AnonymousActor, Author } from '../base/scopes.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import {
  type Account,
  type AccountSecrets,
  findSecrets,
  findSecretsByEmail,
  hasSecondFactor,
  insertUserUnlessEmailExists,
  recordSignIn,
  replaceStamp,
  updateUser,
  lockAccount,
} from './accounts.sql.ts';
import { canonicalTimeZone } from '../base/instants.ts';
import { deleteSessionsOf } from './sessions.sql.ts';
import { findChosenZones, updateOwnZone } from './time-zones.sql.ts';
import { foldedPassword, refuseWeakPassword } from './passwords.ts';
import { makeChange } from './audit.ts';
import { type AccountParts, attempt, countOwnChange } from './sign-in-attempts.ts';

/** An account and the stamp for its new sessions. */
export interface StampedAccount {
  account: Account;
  securityStamp: string;
}

// One character more than an email may have. A longer text is cut to this length, so that it cannot equal any email.
const maxEmailLength = 255;

/** The next step after a correct password: a session, or the second factor that the account has or must add. */
export interface PasswordProof extends StampedAccount {
  next: 'signedIn' | 'code' | 'enrolment';
  hasApp: boolean;
  hasPasskey: boolean;
}

/**
 * Checks the password of a sign-in. Throws `unauthenticated` with the same message for an unknown email, a wrong password and an
 * inactive account, and `tooManyRequests` while the email (with or without an account) or the source is locked.
 */
export async function signIn(
  parts: AccountParts,
  by: Author<AnonymousActor>,
  given: { email: string; password: string },
): Promise<PasswordProof> {
  const email = attemptedEmail(given.email);
  return attempt(
    parts,
    { email, by },
    async () => {
      const secrets = await findSecretsByEmail(parts.database, email);
      const verdict = await parts.passwords.verify(given.password, secrets?.passwordHash ?? null);
      if (secrets === null || !secrets.isActive || !verdict.isCorrect) return null;
      const { id: accountId, securityStamp, hasApp, hasPasskey } = secrets;
      const next = hasSecondFactor(secrets) ? 'code' : secrets.isRequired ? 'enrolment' : 'signedIn';
      const at = next === 'signedIn' ? new Date(parts.now()) : null;
      const signIn = { accountId, securityStamp, at, newPasswordHash: verdict.renewedHash };
      const account = await recordSignIn(parts.database, signIn);
      return account && { account, securityStamp, next, hasApp, hasPasskey };
    },
    () => refuse('wrongSignIn'),
    ({ next }) => next === 'signedIn',
  );
}

/** Changes the profile of the account that asks. Throws `notFound`, `tooManyRequests`, and what `checkVersion` throws for the account as it was. */
export async function changeProfile(
  parts: AccountParts,
  by: Author<AccountActor>,
  given: z.infer<typeof profileUpdate>,
  checkVersion: Precondition<{ displayName: string; timeZone: string | null }>,
): Promise<Account> {
  const id = by.actor.accountId;
  const { displayName } = given;
  return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
    const before = found(await lockAccount(tx, id), 'account');
    const { own } = await findChosenZones(tx, id);
    checkVersion({ ...before, timeZone: own });
    const timeZone = given.timeZone === undefined ? own : given.timeZone && canonicalTimeZone(given.timeZone);
    if (before.displayName !== displayName || timeZone !== own) countOwnChange(parts, by.actor);
    await updateUser(tx, id, { ...before, displayName }, null);
    await updateOwnZone(tx, id, timeZone);
    const subject = { id, name: before.email };
    const shown = { before: { displayName: before.displayName }, after: { displayName } };
    await recordChange('user.change-own-name', { ...subject, ...shown });
    const zones = { before: { timeZone: own }, after: { timeZone } };
    await recordChange('user.change-own-time-zone', { ...subject, ...zones });
    return { ...before, id, displayName };
  });
}

/**
 * Changes the password of the account that asks and returns the stamp with which its session continues; all other sessions end.
 * The current password is checked first: a wrong one is `invalid` with `Incorrect password.` whatever the new one is, and counts
 * as a failed sign-in.
 */
export async function changePassword(
  parts: AccountParts,
  change: {
    /** The current session continues. */
    by: Author<AccountActor>;
    currentPassword: string;
    newPassword: string;
  },
): Promise<string> {
  const { by, currentPassword } = change;
  const { accountId, sessionId } = by.actor;
  return withOwnPassword(parts, { by, currentPassword }, async (expectedStamp) => {
    refuseWeakPassword(change.newPassword, parts.passwords);
    countOwnChange(parts, by.actor);
    const securityStamp = randomUUID();
    const passwordHash = await parts.passwords.hash(change.newPassword);
    return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
      const name = await replaceStamp(tx, { accountId, passwordHash, securityStamp, expectedStamp });
      if (name === null) return null;
      await deleteSessionsOf(tx, accountId, sessionId);
      await recordChange('user.change-own-password', { id: accountId, name });
      return securityStamp;
    });
  });
}

/**
 * Runs `act` once the current password is proven, and also the second factor if `proveMore` checks one. A wrong password is
 * `invalid` and counts as a failed sign-in. If `act` returns null, that counts as a wrong password too. If `proveMore` returns
 * false, that counts as a wrong second factor.
 */
export async function withOwnPassword<T>(
  parts: AccountParts,
  { by, currentPassword }: { by: Author<AccountActor>; currentPassword: string },
  act: (securityStamp: string) => Promise<T | null>,
  proveMore: (secrets: AccountSecrets) => Promise<boolean> = async () => true,
): Promise<T> {
  const { accountId } = by.actor;
  const { email } = found(await findSecrets(parts.database, accountId), 'account');
  const guesser = { email, by, isSecondFactor: false };
  return attempt(
    parts,
    guesser,
    async () => {
      const secrets = await findSecrets(parts.database, accountId);
      const { isCorrect } = await parts.passwords.verify(currentPassword, secrets?.passwordHash ?? null);
      if (secrets === null || !isCorrect) return null;
      guesser.isSecondFactor = !(await proveMore(secrets));
      return guesser.isSecondFactor ? null : act(secrets.securityStamp);
    },
    () => (guesser.isSecondFactor ? refuse('secondFactorWrong', {}, { field: 'code' }) : refuse('wrongPassword')),
  );
}

/**
 * Startup rule 4: creates the first account. True if it was created now. Several portals may do this at the same time. Throws
 * if common passwords are refused and the account would get one; settings check the other rules for passwords.
 */
export async function seedDefaultAdmin(
  parts: AccountParts,
  by: Author,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if ((await findSecretsByEmail(parts.database, email)) !== null) return false;
  if (parts.passwords.isCommon(foldedPassword(password))) {
    throw new Error(
      'Authentication__DefaultAdminPassword is one of the most common passwords, which Authentication__RefuseCommonPasswords ' +
        'refuses; set another one.',
    );
  }
  const id = randomUUIDv7();
  const shown = { email, displayName: 'Administrator', roles: ['Admin' as const], isActive: true };
  const passwordHash = await parts.passwords.hash(password);
  return makeChange({ database: parts.database, by }, async (tx, recordChange) => {
    const account = { id, ...shown, passwordHash, securityStamp: randomUUID() };
    const isCreated = await insertUserUnlessEmailExists(tx, account);
    if (isCreated) await recordChange('user.create', { id, name: email, after: shown });
    return isCreated;
  });
}

/**
 * Startup rule 6, for the accounts in the database: throws if one of them can still sign in with the shipped password, whatever
 * the settings say.
 */
export async function refuseShippedPassword(
  { database, passwords }: AccountParts,
  emails: readonly string[],
  shippedPassword: string,
): Promise<void> {
  for (const email of new Set(emails)) {
    const secrets = await findSecretsByEmail(database, email);
    if (secrets === null || !secrets.isActive) continue;
    const { isCorrect } = await passwords.verify(shippedPassword, secrets.passwordHash);
    if (isCorrect) {
      throw new Error(
        `The account ${email} still has the password that ships, which Production refuses; ` +
          'Authentication__DefaultAdminPassword is read only when the account is made. Start the portal once with ' +
          'Application__Environment=Development where only you can reach it, and change the password under Settings → Password.',
      );
    }
  }
}

/** The email as typed, in a form that the database can store. A text that is no email matches no account. */
function attemptedEmail(given: string): string {
  return given.trim().replaceAll('\u0000', '\uFFFD').slice(0, maxEmailLength);
}
