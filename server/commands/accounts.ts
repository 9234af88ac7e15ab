import { randomUUID, randomUUIDv7 } from 'node:crypto';
import {
  findSecrets,
  findSecretsByEmail,
  insertAccountUnlessEmailExists,
  recordSignIn,
  replacePassword,
  updateDisplayName,
} from '../db/accounts.ts';
import type { Database } from '../db/pool.ts';
import {
  deleteFailures,
  deleteOutdatedFailures,
  findFailures,
  lockFailures,
  updateFailures,
} from '../db/sign-in-failures.ts';
import type { Account } from '../domain/accounts.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import { afterFailure, failureWindowMs, lockedForSeconds } from '../domain/lockout.ts';
import { refuseWeakPassword } from '../domain/passwords.ts';
import type { Passwords } from './passwords.ts';
import { createTurns, type Turns } from './turns.ts';

/** What every use case around accounts works with. */
export interface AccountParts {
  database: Database;
  passwords: Passwords;
  /** One attempt at a time for each email, so that a burst of parallel guesses gets no more tries than a slow one. */
  attempts: Turns;
  /** Epoch milliseconds. */
  now: () => number;
}

/** An account together with the stamp that its new sessions carry. */
export interface StampedAccount {
  account: Account;
  securityStamp: string;
}

const maxWaitingAttempts = 1_000;
// One more than an email may have: what is longer is cut, and can be nobody's.
const maxEmailLength = 255;

export function createAccountParts(database: Database, passwords: Passwords, now: () => number): AccountParts {
  return { database, passwords, attempts: createTurns(maxWaitingAttempts), now };
}

/**
 * Signs in. Throws `unauthenticated` with one message for an unknown email, a wrong password and an account that is
 * switched off, and `tooManyRequests` while the email is locked, whether it has an account or not.
 */
export async function signIn(parts: AccountParts, given: { email: string; password: string }): Promise<StampedAccount> {
  const email = attemptedEmail(given.email);
  return attempt(
    parts,
    email,
    async () => {
      const secrets = await findSecretsByEmail(parts.database, email);
      const verdict = await parts.passwords.verify(given.password, secrets?.passwordHash ?? null);
      if (secrets === null || !secrets.isActive || !verdict.isCorrect) return null;
      const account = await recordSignIn(parts.database, {
        accountId: secrets.id,
        securityStamp: secrets.securityStamp,
        at: new Date(parts.now()),
        newPasswordHash: verdict.renewedHash,
      });
      return account && { account, securityStamp: secrets.securityStamp };
    },
    () => new DomainError('unauthenticated', 'The email or the password is wrong.'),
  );
}

export async function changeDisplayName(database: Database, accountId: string, displayName: string): Promise<Account> {
  const account = await updateDisplayName(database, accountId, displayName);
  if (account === null) throw notFound('account');
  return account;
}

/**
 * Changes the own password and answers the stamp that the session goes on with; all other sessions end. The current
 * password comes first: a wrong one is `invalid` with `Incorrect password.` whatever the new one is like, and counts as a
 * failed sign-in.
 */
export async function changePassword(
  parts: AccountParts,
  change: {
    accountId: string;
    currentPassword: string;
    newPassword: string;
    /** The rules of the policy that the new password breaks. */
    violatedRules: readonly string[];
  },
): Promise<string> {
  const before = await findSecrets(parts.database, change.accountId);
  if (before === null) throw notFound('account');
  return attempt(
    parts,
    before.email,
    async () => {
      const secrets = await findSecrets(parts.database, change.accountId);
      const { isCorrect } = await parts.passwords.verify(change.currentPassword, secrets?.passwordHash ?? null);
      if (secrets === null || !isCorrect) return null;
      refuseWeakPassword(change.violatedRules);
      const securityStamp = randomUUID();
      const changed = await replacePassword(parts.database, {
        accountId: change.accountId,
        passwordHash: await parts.passwords.hash(change.newPassword),
        securityStamp,
        expectedStamp: secrets.securityStamp,
      });
      return changed === null ? null : securityStamp;
    },
    () => new DomainError('invalid', 'Incorrect password.'),
  );
}

/** Startup rule 4. True when the account was created now. Several portals may do this at the same moment. */
export async function seedDefaultAdmin(
  parts: AccountParts,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if ((await findSecretsByEmail(parts.database, email)) !== null) return false;
  return insertAccountUnlessEmailExists(parts.database, {
    id: randomUUIDv7(),
    email,
    displayName: 'Administrator',
    roles: ['Admin'],
    passwordHash: await parts.passwords.hash(password),
    securityStamp: randomUUID(),
  });
}

/**
 * Startup rule 6, for what the database holds: throws when one of these accounts can still sign in with the password that
 * ships, whatever the settings say now.
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

/** One guess at the password of `email`: none while it is locked, a null counts as a failure, anything else clears them. */
async function attempt<T>(
  parts: AccountParts,
  email: string,
  guess: () => Promise<T | null>,
  failure: () => DomainError,
): Promise<T> {
  const { database, now } = parts;
  return parts.attempts.take(email.toLowerCase(), async () => {
    const failures = await findFailures(database, email);
    const lockedSeconds = lockedForSeconds(failures, now());
    if (lockedSeconds > 0) {
      throw new DomainError(
        'tooManyRequests',
        `There were too many failed attempts for this email; try again in ${inMinutes(lockedSeconds)}.`,
        lockedSeconds,
      );
    }
    const result = await guess();
    if (result === null) {
      await recordFailure(database, email, now());
      throw failure();
    }
    if (failures.failedAt.length > 0) await deleteFailures(database, email);
    return result;
  });
}

async function recordFailure(database: Database, email: string, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    const failures = await lockFailures(tx, email);
    await updateFailures(tx, email, afterFailure(failures, now));
  });
  await deleteOutdatedFailures(database, new Date(now - failureWindowMs), new Date(now));
}

/** What was typed as an email, in a shape that the database can store and that is nobody's unless it is an email. */
function attemptedEmail(given: string): string {
  return given.trim().replaceAll('\u0000', '\uFFFD').slice(0, maxEmailLength);
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
