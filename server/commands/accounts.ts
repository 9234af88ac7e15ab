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
import { deleteSessionsOf } from '../db/sessions.ts';
import {
  deleteFailures,
  deleteOutdatedFailures,
  findFailures,
  lockFailures,
  updateFailures,
} from '../db/sign-in-failures.ts';
import { lockUser } from '../db/users.ts';
import type { Account } from '../domain/accounts.ts';
import type { AccountActor } from '../domain/actors.ts';
import { DomainError, found } from '../domain/errors.ts';
import { Limiter } from '../domain/limiter.ts';
import { afterFailure, failureWindowMs, FailuresBySource, lockedForSeconds } from '../domain/lockout.ts';
import { refuseWeakPassword } from '../domain/passwords.ts';
import type { Precondition } from '../domain/preconditions.ts';
import { type Author, recordChange } from './audit.ts';
import { tooManySignIns, type Passwords } from './passwords.ts';

/** What the use cases of accounts need. */
export interface AccountParts {
  database: Database;
  passwords: Passwords;
  /** Keyed by source, so that a flood from one delays neither other sources nor people with a session. */
  guessers: Limiter;
  /** One attempt at a time for each email, so that a burst of parallel guesses gets no more tries than a slow one. */
  attempts: Limiter;
  failuresBySource: FailuresBySource;
  /** Epoch milliseconds. */
  now: () => number;
}

/** An account and the stamp for its new sessions. */
export interface StampedAccount {
  account: Account;
  securityStamp: string;
}

// Some fifty guesses are checked within a second or two: nobody stands behind a longer queue of the same address.
const guesserLimits = { max: 64, maxPerKey: 4, maxWaiting: 1_000, maxWaitingPerKey: 50 } as const;
const tooManyOfOneSource = () =>
  new DomainError('tooManyRequests', 'Too many sign-ins come from one address at the moment; try again shortly.', 2);
// One more than an email may have: a longer text is cut and belongs to nobody.
const maxEmailLength = 255;

export function createAccountParts(database: Database, passwords: Passwords, now: () => number): AccountParts {
  return {
    database,
    passwords,
    guessers: new Limiter({ ...guesserLimits, refusal: tooManyOfOneSource }),
    attempts: new Limiter({ max: Infinity, maxPerKey: 1, refusal: tooManySignIns }),
    failuresBySource: new FailuresBySource(),
    now,
  };
}

/**
 * Signs in. Throws `unauthenticated` with the same message for an unknown email, a wrong password and an inactive account, and
 * `tooManyRequests` while the email (with or without an account) or the source is locked.
 */
export async function signIn(
  parts: AccountParts,
  given: { email: string; password: string; source: string },
): Promise<StampedAccount> {
  const email = attemptedEmail(given.email);
  return attempt(
    parts,
    { email, source: given.source },
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

/** Changes one's own name. Throws `notFound`, and what `refuse` throws for the account as it was. */
export async function changeDisplayName(
  { database }: AccountParts,
  by: Author<AccountActor>,
  displayName: string,
  refuse: Precondition<{ displayName: string }>,
): Promise<Account> {
  const { accountId } = by.actor;
  const account = await database.transaction(async (tx) => {
    refuse(found(await lockUser(tx, accountId), 'account'));
    return found(await updateDisplayName(tx, accountId, displayName), 'account');
  });
  recordChange(by, 'own.change-name', accountId);
  return account;
}

/**
 * Changes one's own password and returns the stamp with which the session continues; all other sessions end. The current
 * password is checked first: a wrong one is `invalid` with `Incorrect password.` whatever the new one is, and counts as a failed
 * sign-in.
 */
export async function changePassword(
  parts: AccountParts,
  change: {
    /** This session continues. */
    by: Author<AccountActor>;
    currentPassword: string;
    newPassword: string;
  },
): Promise<string> {
  const { by, currentPassword } = change;
  const { accountId, sessionId } = by.actor;
  const newStamp = await withOwnPassword(parts, { accountId, currentPassword }, async (expectedStamp) => {
    refuseWeakPassword(change.newPassword, parts.passwords.isCommon);
    const securityStamp = randomUUID();
    const passwordHash = await parts.passwords.hash(change.newPassword);
    return parts.database.transaction(async (tx) => {
      if ((await replacePassword(tx, { accountId, passwordHash, securityStamp, expectedStamp })) === null) return null;
      await deleteSessionsOf(tx, accountId, sessionId);
      return securityStamp;
    });
  });
  recordChange(by, 'own.change-password', accountId);
  return newStamp;
}

/** Checks the password of the account that asks. A wrong one is `invalid` and counts as a failed sign-in. */
export async function proveOwnPassword(
  parts: AccountParts,
  proof: { accountId: string; currentPassword: string },
): Promise<void> {
  await withOwnPassword(parts, proof, async () => true);
}

/** Runs `act` once the current password is proven; a null from `act` counts as a wrong password. */
async function withOwnPassword<T>(
  parts: AccountParts,
  { accountId, currentPassword }: { accountId: string; currentPassword: string },
  act: (securityStamp: string) => Promise<T | null>,
): Promise<T> {
  const { email } = found(await findSecrets(parts.database, accountId), 'account');
  return attempt(
    parts,
    { email, accountId },
    async () => {
      const secrets = await findSecrets(parts.database, accountId);
      const { isCorrect } = await parts.passwords.verify(currentPassword, secrets?.passwordHash ?? null);
      return secrets === null || !isCorrect ? null : act(secrets.securityStamp);
    },
    () => new DomainError('invalid', 'Incorrect password.'),
  );
}

/** Startup rule 4. True when the account was created now. Several portals may do this at the same moment. */
export async function seedDefaultAdmin(
  parts: AccountParts,
  by: Author,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if ((await findSecretsByEmail(parts.database, email)) !== null) return false;
  const id = randomUUIDv7();
  const isCreated = await insertAccountUnlessEmailExists(parts.database, {
    id,
    email,
    displayName: 'Administrator',
    roles: ['Admin'],
    passwordHash: await parts.passwords.hash(password),
    securityStamp: randomUUID(),
  });
  if (isCreated) recordChange(by, 'user.create', id);
  return isCreated;
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

/** Who tries a password: an anonymous source, or somebody with a session. */
type Guesser = { email: string } & ({ source: string } | { accountId: string });

/** One attempt at a password: refused while the email or the source is locked; a null counts as a failure, anything else clears the failures of the email. */
async function attempt<T>(
  parts: AccountParts,
  guesser: Guesser,
  guess: () => Promise<T | null>,
  failure: () => DomainError,
): Promise<T> {
  const { database, failuresBySource, now } = parts;
  const { email } = guesser;
  const source = 'source' in guesser ? guesser.source : null;
  const key = 'source' in guesser ? `source ${guesser.source}` : `account ${guesser.accountId}`;
  const guessOnce = async () => {
    if (source !== null) refuseWhileLocked(failuresBySource.lockedForSeconds(source, now()), 'from this address');
    const failures = await findFailures(database, email);
    refuseWhileLocked(lockedForSeconds(failures, now()), 'for this email');
    const result = await guess();
    if (result === null) {
      if (source !== null) failuresBySource.record(source, now());
      await recordFailure(database, email, now());
      throw failure();
    }
    if (failures.failedAt.length > 0) await deleteFailures(database, email);
    return result;
  };
  return parts.guessers.run(() => parts.attempts.run(guessOnce, { key: email.toLowerCase() }), { key });
}

function refuseWhileLocked(lockedSeconds: number, ofWhat: string): void {
  if (lockedSeconds === 0) return;
  throw new DomainError(
    'tooManyRequests',
    `There were too many failed attempts ${ofWhat}; try again in ${inMinutes(lockedSeconds)}.`,
    lockedSeconds,
  );
}

async function recordFailure(database: Database, email: string, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    const failures = await lockFailures(tx, email);
    await updateFailures(tx, email, afterFailure(failures, now));
  });
  await deleteOutdatedFailures(database, new Date(now - failureWindowMs), new Date(now));
}

/** A typed email in a form that the database can store; if it is not an email, it belongs to nobody. */
function attemptedEmail(given: string): string {
  return given.trim().replaceAll('\u0000', '\uFFFD').slice(0, maxEmailLength);
}

function inMinutes(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
